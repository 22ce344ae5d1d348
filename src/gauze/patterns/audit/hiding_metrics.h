#pragma once

#include <vector>

#include "gauze/base/progress.h"
#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns {

/// What hiding cost at one threshold.
struct BandMetrics {
  double factor = 1;  ///< the threshold as a multiple of the one hidden at
  std::uint64_t min_count = 0;
  std::uint64_t literal_total = 0;  ///< frequent sets that are not listed as sensitive
  std::uint64_t literal_lost = 0;   ///< of these, no longer frequent
  std::uint64_t ideal_total = 0;    ///< without those that hold a sensitive pattern, which must vanish
  std::uint64_t ideal_lost = 0;
};

struct HidingMetrics {
  double hiding_failure = 0;  ///< share of the sensitive patterns that are still frequent
  double dissimilarity = 0;   ///< item occurrences taken / all
  std::vector<BandMetrics> bands;
  bool complete = true;  ///< false: too many frequent sets to compare
};

/// Compares original and released transactions, by definite support, at 1, 1.05, 1.1, 1.25 and 1.5 times the threshold.
[[nodiscard]] Result<HidingMetrics> measure_hiding(const Database& original, const Database& released,
                                                   const std::vector<Itemset>& sensitive, std::uint64_t min_count,
                                                   Progress& progress);

}  // namespace gauze::patterns
