#pragma once

#include <vector>

#include "gauze/base/progress.h"
#include "gauze/label/warning.h"
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
  double removed = 0;        ///< item occurrences taken, row by row / all of the original
  double added = 0;          ///< item occurrences put in, row by row / all of the original
  double dissimilarity = 0;  ///< removed - added: occurrences that moved to another row cancel out
  std::vector<BandMetrics> bands;
  std::uint64_t found_definite = 0;        ///< sets that a reader finds to whom `?` is absent
  std::uint64_t artifactual_definite = 0;  ///< of these, sets that were not frequent before
  std::uint64_t found_ignoring = 0;  ///< the same for a reader who leaves out the rows that are unknown for a set
  std::uint64_t artifactual_ignoring = 0;
  bool complete = true;           ///< false: there are too many frequent sets; the figures are of those looked at
  bool ignoring_complete = true;  ///< false: too many for the second reader; there are no figures for it
};

/// Compares original and released transactions, whose items have the same places, by definite support at 1, 1.05, 1.1, 1.25
/// and 1.5 times the threshold, and what two readers find at the threshold itself.
[[nodiscard]] Result<HidingMetrics> measure_hiding(const Database& original, const Database& released,
                                                   const std::vector<Itemset>& sensitive, std::uint64_t min_count,
                                                   const Rational& min_support, Progress& progress);

/// That there were too many frequent sets to look at them all.
[[nodiscard]] Warning incomplete_figures();

/// The released transactions with the items in the places they have in the original; `bad_data` when they cannot belong
/// together: another number of rows, or items that the original does not have.
[[nodiscard]] Result<Database> align(const Database& original, const Database& released);

}  // namespace gauze::patterns
