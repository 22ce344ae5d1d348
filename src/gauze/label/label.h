#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/label/neighbours.h"

namespace gauze {

/// What kind of promise a release makes.
enum class Definition {
  pure,            ///< epsilon-differential privacy
  approximate,     ///< (epsilon, delta)-differential privacy
  zcdp,            ///< rho-zero-concentrated differential privacy
  renyi,           ///< Renyi differential privacy at one order
  gaussian,        ///< mu-Gaussian differential privacy
  metric,          ///< d_chi-privacy: epsilon times the distance of two inputs
  umldp,           ///< utility-optimised metric local privacy: only inputs declared sensitive are covered
  k_anonymity,     ///< every released record shares its quasi-identifiers with k - 1 others
  pattern_hiding,  ///< chosen patterns fall below a support
  none,            ///< no guarantee
  internal,        ///< for the owner's eyes; nothing is promised and it must not be published
};

/// Where a choice came from.
enum class Provenance { public_knowledge, selected, data };

inline constexpr Words<Definition, 11> kDefinitionWords = {{
    {Definition::pure, "pure"},
    {Definition::approximate, "approximate"},
    {Definition::zcdp, "zcdp"},
    {Definition::renyi, "renyi"},
    {Definition::gaussian, "gaussian"},
    {Definition::metric, "metric"},
    {Definition::umldp, "umldp"},
    {Definition::k_anonymity, "k-anonymity"},
    {Definition::pattern_hiding, "pattern-hiding"},
    {Definition::none, "none"},
    {Definition::internal, "internal"},
}};
inline constexpr Words<Provenance, 3> kProvenanceWords = {
    {{Provenance::public_knowledge, "public"}, {Provenance::selected, "selected"}, {Provenance::data, "data"}}};

[[nodiscard]] std::string_view to_string(Definition definition);  ///< "k-anonymity"
[[nodiscard]] std::string_view to_string(Provenance provenance);  ///< "public", "selected", "data"

/// What a release tells about itself: what it is, under which guarantee it was made, what that covers and what it
/// cost.
///
/// A label is public. It has no place for the data's size, for true counts or for keys, and check_rules() refuses
/// parameters that name such things. The format is documented in docs/formats/label.md.
struct PrivacyLabel {
  struct Released {
    std::string kind;                    ///< in words, singular: "noisy number", "table of noisy counts"
    std::optional<std::uint64_t> count;  ///< how many of them, when that says something
    std::string file;    ///< name of the released file; empty when the label travels inside the output
    std::string sha256;  ///< of the released file; empty when there is none
  };
  /// Upper bounds in exact decimals, rounded up by whoever fills them in; absent where the definition has none.
  struct Cost {
    std::optional<std::string> epsilon = {};
    std::optional<std::string> delta = {};
    std::optional<std::string> rho = {};
    std::optional<std::string> mu = {};
    std::optional<std::string> renyi_order = {};    ///< of `renyi`, with
    std::optional<std::string> renyi_epsilon = {};  ///< the divergence at that order
  };
  /// What the cost means for one unit, for readers who do not think in epsilon: meaning.h.
  struct Meaning {
    std::optional<std::string> belief = {};   ///< what a belief of 0.5 can become; pure guarantees alone
    std::string advantage;                    ///< of an attacker who tests for one unit
    std::optional<std::string> epsilon = {};  ///< where the definition has none of its own, with
    std::optional<std::string> delta = {};    ///< the delta it holds at
    std::string text;                         ///< the same as half a sentence
  };
  struct Budget {
    bool recorded = false;
    std::string dataset;
    std::string entry;  ///< the ledger's name for the charge
  };
  /// See commitment.h. The keys stay with the owner.
  struct Commitments {
    std::optional<std::string> input;
    std::optional<std::string> policy;
    std::map<std::string, std::string> inputs = {};  ///< where there are several, each by its name

    [[nodiscard]] bool any() const { return input || policy || !inputs.empty(); }
  };
  struct Producer {
    std::string name = "gauze";
    std::string version;  ///< filled in with version() when empty
  };

  std::optional<std::string> warning;  ///< what a reader must know first: "seeded: no guarantee"
  Released released;
  std::string mechanism;
  Json parameters = Json::object();  ///< public parameters of the mechanism, in the order they are printed
  std::string privacy_unit;          ///< whom the guarantee protects: "one row", "one person"
  Neighbours neighbours = Neighbours::not_applicable;
  Definition definition = Definition::none;
  Cost cost;
  bool is_read = false;                     ///< it came from a document; else what it means is computed
  std::optional<Meaning> stated_meaning;    ///< of a document; earlier ones have none
  std::vector<std::string> covers;          ///< sentences
  std::vector<std::string> does_not_cover;  ///< sentences
  std::map<std::string, Provenance> provenance;
  Budget budget;
  Commitments commitments;
  Producer producer;

  /// Reads a label. Strict: an unknown version or key, a wrong type, a broken rule and a digest that does not fit are
  /// `bad_data` errors that name the key. Total: any bytes give a label or an error.
  [[nodiscard]] static Result<PrivacyLabel> parse(std::string_view text);
  /// The same for a document already read.
  [[nodiscard]] static Result<PrivacyLabel> from_json(const Json& document);

  /// The document, with a digest of its own content at the end. The digest finds damage and careless edits; it is
  /// no signature, since whoever rewrites a label can rewrite its digest.
  [[nodiscard]] Json to_json() const;

  /// What the cost means: as stated where it was read, else as computed; nothing where the definition has no such meaning.
  [[nodiscard]] std::optional<Meaning> meaning() const;

  /// A few plain sentences for people, wrapped at `width` columns, with a line break at the end.
  [[nodiscard]] std::string to_text(int width = 100) const;

  /// What every label must obey: the cost fits the definition, numbers are decimals, texts are printable, and nothing
  /// a label must never hold is among the parameters. Labels that break a rule are neither written nor read.
  [[nodiscard]] Result<void> check_rules() const;
};

}  // namespace gauze
