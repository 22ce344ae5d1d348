#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/base/words.h"
#include "gauze/label/warning.h"
#include "gauze/patterns/baskets/edit.h"
#include "gauze/patterns/hiding/hiding_state.h"
#include "gauze/patterns/hiding/sensitive_patterns.h"

namespace gauze::patterns {

/// Who chooses which item of which transaction is changed.
enum class HidingAlgorithm {
  border,  ///< where it costs the least of what else is frequent, over a band of thresholds
  psh,     ///< the item that most patterns share, in the transactions that hold most of them (PSH)
  gih,     ///< the most frequent item, in the shortest transactions (Saygin, Verykios, Clifton 2001)
  minfia,  ///< the rarest item of each pattern, in the transactions of least conflict first (Oliveira, Zaiane 2002)
  maxfia,  ///< the most frequent item, the same
  iga,     ///< one item for each group of patterns that share it (the same paper)
  swa,     ///< window by window, the shortest transactions (Oliveira, Zaiane 2003)
  fhsar,   ///< transaction by transaction, those that hold most patterns in few items (Weng, Chen, Lo 2008)
  exact,   ///< an integer program: the fewest losses, for small cases
  random,  ///< any item of any transaction: a baseline
};
inline constexpr Words<HidingAlgorithm, 10> kAlgorithmWords = {{{HidingAlgorithm::border, "border"},
                                                                {HidingAlgorithm::psh, "psh"},
                                                                {HidingAlgorithm::gih, "gih"},
                                                                {HidingAlgorithm::minfia, "minfia"},
                                                                {HidingAlgorithm::maxfia, "maxfia"},
                                                                {HidingAlgorithm::iga, "iga"},
                                                                {HidingAlgorithm::swa, "swa"},
                                                                {HidingAlgorithm::fhsar, "fhsar"},
                                                                {HidingAlgorithm::exact, "exact"},
                                                                {HidingAlgorithm::random, "random"}}};

/// What a change should cost little of: frequent sets that are lost, changes, transactions that are changed.
struct HidingObjective {
  double losses = 1;
  double marks = 0;
  double rows = 0;
};

/// How items are changed.
enum class ChangeKind {
  mark,    ///< they become unknown
  remove,  ///< they are deleted
  both,    ///< in turn; deleted where the level needs it
};
inline constexpr Words<ChangeKind, 3> kChangeWords = {
    {{ChangeKind::mark, "mark"}, {ChangeKind::remove, "delete"}, {ChangeKind::both, "both"}}};

struct HidingOptions {
  HidingAlgorithm algorithm = HidingAlgorithm::border;
  HidingLevel level = HidingLevel::h2;  ///< every pattern must reach it
  ChangeKind change = ChangeKind::mark;
  MarkStyle mark_style = MarkStyle::anonymous;  ///< how marks will be written: anchored ones give their items away
  bool as_published = false;  ///< psh: patterns hidden from the start, or absent, count, too; level H1
  Rational min_support = 0;   ///< exact; of patterns without a threshold of their own
  std::uint64_t min_count = 1;
  std::optional<Rational> min_confidence = {};  ///< rules are hidden, too, when they hold less often
  std::uint64_t margin = 0;                     ///< H1 by so many transactions more
  std::uint64_t random_margin = 0;              ///< and by up to so many again, drawn for each pattern
  double decoys = 0;                            ///< marks on items that are not there, for each that is
  HidingObjective objective = {};               ///< of border and exact
  std::uint64_t protected_sets = 10'000'000;    ///< border looks at so many sets; of more, at some drawn at random
  std::size_t window = 10'000;                  ///< of swa, in transactions
  double time_limit_seconds = 60;               ///< of exact
  std::optional<std::uint64_t> seed = {};       ///< of what is drawn; without it cryptographic, for `random` 1
  bool trace = false;                           ///< keep why each change was made
};

/// The warning that border looked at a part of the frequent sets alone.
inline constexpr std::string_view kPartProtected = "part_protected";

/// A pattern before and after.
struct HiddenPattern {
  SensitivePattern pattern;
  HidingThreshold threshold;
  PatternStanding before;
  PatternStanding after;
  HidingLevel level = HidingLevel::none;
};

/// Why something was changed.
struct TraceStep {
  Item victim = 0;
  std::optional<std::size_t> pattern = {};                      ///< for whose sake, where there is one
  std::uint64_t support = 0;                                    ///< of it, before
  std::vector<std::pair<Item, std::size_t>> shared = {};        ///< psh: live patterns with this item
  std::vector<std::pair<std::size_t, std::size_t>> order = {};  ///< rows looked at and their conflicts, in order
  std::vector<std::size_t> changed = {};                        ///< rows
  std::optional<double> price = {};                             ///< border: damage for what it hides
};

/// Marks on what was never there.
struct DecoyCount {
  std::uint64_t wanted = 0;
  std::uint64_t possible = 0;  ///< rows that hold a pattern but for the item, which they lack
  std::uint64_t placed = 0;
};

struct HidingResult {
  std::vector<Edit> edits;  ///< in the order they were made
  std::vector<HiddenPattern> patterns;
  HidingLevel level = HidingLevel::h3;  ///< the lowest of all patterns
  std::vector<std::size_t> stuck;       ///< patterns that cannot reach the level asked for
  std::vector<Warning> warnings;        ///< about the list of patterns, and about what was not done as asked
  std::vector<TraceStep> trace;
  DecoyCount decoys;
  std::optional<double> bound;  ///< exact: no solution has a smaller objective; equal to `objective` when proven best
  std::optional<double> objective;
  Database released;

  [[nodiscard]] std::uint64_t rows_touched() const;
  /// Marks and deletions, without decoys.
  [[nodiscard]] std::uint64_t changes() const { return edits.size() - decoys.placed; }
};

/// Changes transactions until every pattern reaches the level, or, of those listed in `stuck`, as far as it goes.
/// Deterministic but for decoys and a random margin without a seed. H3 needs deletions: marks may always be filled in.
/// Not differential privacy: docs/guide/patterns.md says what it holds against.
[[nodiscard]] Result<HidingResult> hide(const Database& database, const SensitiveList& sensitive,
                                        const HidingOptions& options, Progress& progress);

/// Looks at released transactions anew: sets `after` and `level` of each pattern, and gives the lowest level.
[[nodiscard]] HidingLevel judge(const Database& released, std::vector<HiddenPattern>& patterns);

/// The items of each.
[[nodiscard]] std::vector<Itemset> itemsets_of(const std::vector<HiddenPattern>& patterns);

}  // namespace gauze::patterns
