#pragma once

#include <array>
#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/patterns/hiding/hiding_state.h"
#include "gauze/patterns/hiding/sensitive_patterns.h"

namespace gauze::patterns {

/// Who chooses which item of which transaction is changed.
enum class HidingAlgorithm {
  border,  ///< where it costs the least of what else is frequent, over a band of thresholds
  psh,     ///< the item that most patterns share, in the transactions that hold most of them (PSH)
  gih,     ///< the most frequent item, in the shortest transactions (Saygin, Verykios, Clifton 2001)
  minfia,  ///< the rarest item of each pattern, in the transactions of most conflict (Oliveira, Zaiane 2002)
  maxfia,  ///< the most frequent item, the same
  random,  ///< any item of any transaction: a baseline
};
inline constexpr std::array<std::string_view, 6> kAlgorithmWords = {"border", "psh",    "gih",
                                                                    "minfia", "maxfia", "random"};

struct HidingOptions {
  HidingAlgorithm algorithm = HidingAlgorithm::border;
  HidingLevel level = HidingLevel::h2;  ///< every pattern must reach it
  Operation operation = Operation::mark;
  bool as_published = false;  ///< psh: patterns that are hidden from the start count, too; level H1
  Rational min_support = 0;   ///< exact; of patterns without a threshold of their own
  std::uint64_t min_count = 1;
  std::uint64_t margin = 0;
  std::uint64_t seed = 1;  ///< of random
};

/// A pattern before and after.
struct HiddenPattern {
  SensitivePattern pattern;
  HidingThreshold threshold;
  PatternStanding before;
  PatternStanding after;
  HidingLevel level = HidingLevel::none;
};

struct HidingResult {
  std::vector<Edit> edits;  ///< in the order they were made
  std::vector<HiddenPattern> patterns;
  HidingLevel level = HidingLevel::h3;  ///< the lowest of all patterns
  std::vector<std::string> notices;
  Database released;
};

/// Changes transactions until every pattern reaches the level, or says that it cannot be (`infeasible`). Deterministic.
/// H3 needs deletions: marks may always be filled in. Not differential privacy: docs/guide says what it holds against.
[[nodiscard]] Result<HidingResult> hide(const Database& database, const SensitiveList& sensitive,
                                        const HidingOptions& options, Progress& progress);

}  // namespace gauze::patterns
