#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/base/words.h"
#include "gauze/files/json.h"
#include "gauze/files/yaml_reader.h"
#include "gauze/label/neighbours.h"
#include "gauze/schema/cleaning/cleaning_rules.h"

namespace gauze::schema {

/// How a number becomes an input: from [low, high] to [-1, 1], to [0, 1], or as it is.
enum class NumberScale { symmetric, unit, none };
inline constexpr Words<NumberScale, 3> kNumberScaleWords = {
    {{NumberScale::symmetric, "symmetric"}, {NumberScale::unit, "unit"}, {NumberScale::none, "none"}}};

/// A column that a model sees, and everything about it that must be public: nothing is derived from rows.
struct LearnFeature {
  enum class Kind {
    numeric,  ///< a number between public bounds
    values,   ///< one of a list; an input a value, and one for anything else
    ordered,  ///< one of a list that stands in order: its rank
  };
  std::string name = {};
  Kind kind = Kind::numeric;
  Rational low = 0;                       ///< numeric
  Rational high = 1;                      ///< numeric; above low
  std::vector<std::string> missing = {};  ///< numeric: texts that stand for "missing", besides those of the input
  bool indicator = false;                 ///< numeric: a second input, 1 when missing
  NumberScale scale = NumberScale::symmetric;
  std::vector<std::string> values = {};  ///< values, ordered; at least one, or two in order
  std::vector<SameValues> same = {};     ///< other spellings, before the rule

  /// How many inputs it has.
  [[nodiscard]] std::size_t width() const;
  friend bool operator==(const LearnFeature&, const LearnFeature&) = default;
};

/// What is to be predicted: one of at least two classes, or a number between bounds.
struct LearnTarget {
  struct Class {
    std::string name = {};
    std::vector<std::string> values = {};  ///< the texts that belong to it
    friend bool operator==(const Class&, const Class&) = default;
  };
  std::string column = {};
  bool numeric = false;
  bool grouped = false;             ///< written as `groups`, not as `values`
  std::vector<Class> classes = {};  ///< not numeric
  bool ordered = false;             ///< classes stand in order: for the mean absolute error
  Rational low = 0;                 ///< numeric
  Rational high = 1;
  std::vector<SameValues> same = {};  ///< not numeric: other spellings of values

  friend bool operator==(const LearnTarget&, const LearnTarget&) = default;
};

/// Several rows of one person.
struct LearnUnit {
  std::string id = {};
  std::string name = {};       ///< empty: "one " and the column
  std::uint64_t max_rows = 1;  ///< of a unit that count; at least 1

  [[nodiscard]] std::string privacy_unit() const { return name.empty() ? "one " + id : name; }
  friend bool operator==(const LearnUnit&, const LearnUnit&) = default;
};

/// A column by which figures of a finished model are told apart; it is not learnt from unless it is a feature, too.
struct LearnGroup {
  std::string column = {};
  std::vector<std::string> values = {};
  std::vector<SameValues> same = {};  ///< other spellings of them
  friend bool operator==(const LearnGroup&, const LearnGroup&) = default;
};

struct LearnWeights {
  std::string column = {};
  Rational low = 0;   ///< at least 0
  Rational high = 1;  ///< above 0, at least low
  friend bool operator==(const LearnWeights&, const LearnWeights&) = default;
};

/// Where the entropies come from that shape noise: public figures in nats, or noisy histograms at a price.
struct LearnEntropies {
  std::map<std::string, Rational> given = {};
  std::optional<Rational> rho = {};
  friend bool operator==(const LearnEntropies&, const LearnEntropies&) = default;
};

/// The section `learn` of a policy. docs/formats/policy.md
struct LearnPolicy {
  std::optional<std::uint64_t> rows = {};  ///< declared, public: how many units the table has
  std::optional<LearnUnit> unit = {};      ///< none: a row
  Neighbours neighbours = Neighbours::add_remove;
  std::vector<LearnFeature> features = {};
  LearnTarget target = {};
  std::vector<LearnGroup> groups = {};
  std::optional<LearnWeights> weights = {};
  std::map<std::string, Rational> class_weights = {};
  std::vector<std::string> sensitive = {};
  std::optional<LearnEntropies> entropies = {};

  [[nodiscard]] std::string privacy_unit() const { return unit ? unit->privacy_unit() : "one row"; }
  [[nodiscard]] std::uint64_t max_rows() const { return unit ? unit->max_rows : 1; }
  [[nodiscard]] const LearnFeature* find(std::string_view name) const;
  /// Columns of the table that are needed: features, target, weights, id; none twice.
  [[nodiscard]] std::vector<std::string> columns() const;
  /// The names of the inputs of a model, in order: "age", "age=missing", "country=Austria", "country=other".
  [[nodiscard]] std::vector<std::string> inputs() const;
  friend bool operator==(const LearnPolicy&, const LearnPolicy&) = default;
};

/// Reads the section. Strict, as the rest of a policy: `invalid_parameter` with the line; a bound or a list that is missing says
/// how to get it.
[[nodiscard]] Result<LearnPolicy> read_learn(const YamlNode& node);

/// Parts of it as a model file keeps them, in the same words: {"age":{"numeric":[15,100]},...}. Reading takes a document of YAML,
/// of which JSON is one.
[[nodiscard]] Json features_json(const std::vector<LearnFeature>& features);
[[nodiscard]] Json target_json(const LearnTarget& target);
[[nodiscard]] Json unit_json(const LearnPolicy& policy);
[[nodiscard]] Json groups_json(const std::vector<LearnGroup>& groups);
/// All of it: a section `learn` that reads back to the policy.
[[nodiscard]] Json learn_json(const LearnPolicy& policy);
[[nodiscard]] Result<std::vector<LearnFeature>> read_learn_features(const YamlNode& node);
[[nodiscard]] Result<LearnTarget> read_learn_target(const YamlNode& node);
[[nodiscard]] Result<std::optional<LearnUnit>> read_learn_unit(const YamlNode& node);
[[nodiscard]] Result<std::vector<LearnGroup>> read_learn_groups(const YamlNode& node);
/// The rules between parts: a target that is a feature, entropies of columns that are not there.
[[nodiscard]] Result<void> check(const LearnPolicy& policy);

}  // namespace gauze::schema
