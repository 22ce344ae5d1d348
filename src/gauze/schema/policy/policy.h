#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/label/label.h"
#include "gauze/label/warning.h"
#include "gauze/schema/cleaning/cleaning_rules.h"
#include "gauze/schema/hierarchies/hierarchy_spec.h"
#include "gauze/schema/learning/learn_policy.h"
#include "gauze/schema/policy/criteria.h"
#include "gauze/table/read_options.h"

namespace gauze::schema {

/// What a column is, for the protection and for what is measured.
enum class Role { quasi, identifier, sensitive, protected_group, target, insensitive };
inline constexpr Words<Role, 6> kRoleWords = {{{Role::quasi, "quasi"},
                                               {Role::identifier, "identifier"},
                                               {Role::sensitive, "sensitive"},
                                               {Role::protected_group, "protected"},
                                               {Role::target, "target"},
                                               {Role::insensitive, "insensitive"}}};

enum class IdentifierAction { drop, pseudonym, keep };
inline constexpr Words<IdentifierAction, 3> kActionWords = {
    {{IdentifierAction::drop, "drop"}, {IdentifierAction::pseudonym, "pseudonym"}, {IdentifierAction::keep, "keep"}}};

struct PolicyColumn {
  std::string name = {};
  std::vector<Role> roles = {};                 ///< in the order of the enumeration, none twice; none: it is kept
  std::optional<HierarchySpec> hierarchy = {};  ///< none: composed automatically where one is needed
  Rational weight = 1;                          ///< of a quasi-identifier in the metric; positive
  IdentifierAction action = IdentifierAction::drop;  ///< of an identifier, or of a column without a role
  std::string key_file = {};                         ///< of pseudonyms; empty: none is given
  std::vector<std::string> values = {};              ///< the public domain; empty: none is given
  std::optional<std::string> positive = {};          ///< of a target: the value that counts as positive
  std::vector<SameValues> same = {};                 ///< one spelling per value, before everything below
  std::optional<ValidBounds> valid = {};  ///< of numbers and dates: what lies outside is not taken as it is

  [[nodiscard]] bool has(Role role) const;
  [[nodiscard]] bool is_cleaned() const { return !same.empty() || valid.has_value(); }
  friend bool operator==(const PolicyColumn&, const PolicyColumn&) = default;
};

struct PolicySearch {
  SearchKind kind = SearchKind::optimal;
  bool relaxed = false;  ///< of mondrian: equal values may go to both sides of a cut
  Metric metric = Metric::loss;
  Rational suppression = 0;                         ///< largest share of suppressed records, 0 to 1
  std::optional<Rational> time_limit_seconds = {};  ///< positive
  friend bool operator==(const PolicySearch&, const PolicySearch&) = default;
};

enum class ReleaseMode { grid, stability, select };
enum class ReleaseKind { counts, records };
enum class ReleaseNoise { laplace, gaussian };
enum class ReleaseFit { none, total };
inline constexpr Words<ReleaseMode, 3> kReleaseModeWords = {
    {{ReleaseMode::grid, "grid"}, {ReleaseMode::stability, "stability"}, {ReleaseMode::select, "select"}}};
inline constexpr Words<ReleaseKind, 2> kReleaseKindWords = {
    {{ReleaseKind::counts, "counts"}, {ReleaseKind::records, "records"}}};
inline constexpr Words<ReleaseNoise, 2> kReleaseNoiseWords = {
    {{ReleaseNoise::laplace, "laplace"}, {ReleaseNoise::gaussian, "gaussian"}}};
inline constexpr Words<ReleaseFit, 2> kReleaseFitWords = {{{ReleaseFit::none, "none"}, {ReleaseFit::total, "total"}}};

/// A person with several rows: what one person can touch is cut to these numbers.
struct PersonUnit {
  std::string id = {};            ///< the column that tells persons apart
  std::uint64_t max_classes = 1;  ///< at least 1
  std::uint64_t max_rows = 1;     ///< in each class; at least 1
  std::string name = {};          ///< of the privacy unit, "one patient"; empty: "one " and the column

  /// The name that a ledger compares; the numbers are no part of it.
  [[nodiscard]] std::string privacy_unit() const { return name.empty() ? "one " + id : name; }
  friend bool operator==(const PersonUnit&, const PersonUnit&) = default;
};

/// How a differentially private release is made of the classes.
struct PolicyRelease {
  ReleaseMode mode = ReleaseMode::grid;
  std::vector<std::pair<std::string, int>> levels = {};  ///< of quasi-identifiers, in the order of the file
  ReleaseKind kind = ReleaseKind::counts;
  Neighbours neighbours = Neighbours::add_remove;
  std::optional<PersonUnit> unit = {};  ///< none: a row
  ReleaseNoise noise = ReleaseNoise::laplace;
  std::optional<std::uint64_t> cut = {};   ///< none: automatic
  Rational total_share = Rational(1, 10);  ///< of epsilon, for the noisy total; 0 to below 1
  ReleaseFit fit = ReleaseFit::none;       ///< of the counts to the total: only where the domain holds everybody
  Rational select_share = Rational(1, 5);  ///< of epsilon, for choosing levels; above 0 to below 1
  friend bool operator==(const PolicyRelease&, const PolicyRelease&) = default;
};

/// Where choices came from: one that looked at the data is not covered by a release's guarantee.
struct PolicyProvenance {
  Provenance quasi = Provenance::data;
  Provenance hierarchies = Provenance::data;
  Provenance levels = Provenance::data;
  Provenance k = Provenance::data;
  Provenance epsilon = Provenance::data;
  Provenance features = Provenance::data;         ///< of a model: columns, bounds, values
  Provenance hyperparameters = Provenance::data;  ///< of training: rate, steps, clip, kind of model
  Provenance cleaning = Provenance::data;         ///< of `same` and `valid`, where a column has them
  friend bool operator==(const PolicyProvenance&, const PolicyProvenance&) = default;
};

/// Everything a data steward decides about a table, as one reviewable file. docs/formats/policy.md
///
/// Paths (hierarchies, key files, populations) are as this process can open them: those of a file are joined with its
/// folder when it is read.
struct Policy {
  table::ReadOptions input = {};
  std::vector<PolicyColumn> columns =
      {};  ///< in the order of the file, no name twice; none in a policy for learning alone
  Criteria privacy = {};
  PolicySearch search = {};
  std::optional<PolicyRelease> release = {};
  std::optional<LearnPolicy> learn = {};
  PolicyProvenance provenance = {};
  std::string text = {};  ///< the bytes it was read from, for a commitment to them; no part of what it says
  std::vector<Warning> warnings = {};  ///< what its author should know; no part of it either

  [[nodiscard]] const PolicyColumn* find(std::string_view name) const;
  /// Whether a column has `same` or `valid`.
  [[nodiscard]] bool cleans() const;
  /// The names of the columns that have a role, in the order of the file.
  [[nodiscard]] std::vector<std::string> names_with(Role role) const;
  friend bool operator==(const Policy& a, const Policy& b);
};

/// The rules that hold across keys, whoever made the policy: roles that exclude each other, keys that need a role,
/// criteria on columns that are not sensitive, figures out of range. Line numbers come from parse_policy alone.
[[nodiscard]] Result<void> check(const Policy& policy);

/// Refuses a policy for learning alone, for whoever needs columns and criteria.
[[nodiscard]] Result<void> check_has_columns(const Policy& policy);
/// The section `learn`; `invalid_parameter` where there is none.
[[nodiscard]] Result<const LearnPolicy*> learn_section(const Policy& policy);

/// Reads the YAML of version 1. Strict: unknown and duplicate keys, wrong types, wrong words and everything check()
/// refuses are `invalid_parameter` with "name:line: ". At most 4 MiB. Total: any bytes give a policy or an error.
[[nodiscard]] Result<Policy> parse_policy(std::string_view text, std::string_view name = "policy",
                                          const std::filesystem::path& folder = {});

/// Reads a file; paths in it are relative to its folder.
[[nodiscard]] Result<Policy> read_policy_file(const std::filesystem::path& path);

}  // namespace gauze::schema
