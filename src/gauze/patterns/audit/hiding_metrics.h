#pragma once

#include <optional>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/label/warning.h"
#include "gauze/patterns/baskets/database.h"
#include "gauze/statistics/estimate.h"

namespace gauze::patterns {

/// Of how many sets something is true.
struct SetShare {
  std::optional<std::uint64_t> total;  ///< sets looked at; none: too many to count
  std::optional<std::uint64_t> part;   ///< of these, those of which it is true; none: it was not counted
  std::optional<Estimate> sampled;     ///< then, if anything is known: their share among sets drawn at random
};

/// What hiding cost at one threshold.
struct BandMetrics {
  double factor = 1;  ///< the threshold as a multiple of the one hidden at
  std::uint64_t min_count = 0;
  SetShare literal;  ///< frequent sets that are not listed as sensitive; of these, no longer frequent
  SetShare ideal;    ///< the same without those that hold a sensitive pattern, which must vanish
};

struct HidingMetrics {
  double removed = 0;        ///< item occurrences taken, row by row / all of the original
  double added = 0;          ///< item occurrences put in, row by row / all of the original
  double dissimilarity = 0;  ///< removed - added: occurrences that moved to another row cancel out
  std::vector<BandMetrics> bands;
  SetShare artifactual;  ///< sets that a reader finds to whom `?` is absent; of these, not frequent before
  std::uint64_t found_ignoring = 0;  ///< the same for a reader who leaves out the rows that are unknown for a set
  std::uint64_t artifactual_ignoring = 0;
  bool ignoring_complete = true;  ///< false: too many for the second reader; there are no figures for it

  /// Whether all but the second reader's figures are counted: none is unknown, none an estimate.
  [[nodiscard]] bool complete() const;
  /// That some are not.
  [[nodiscard]] std::vector<Warning> warnings() const;
};

/// How much is done for exact figures.
struct MeasuringLimits {
  std::uint64_t most_listed_sets = 2'000'000;  ///< beyond, sets are counted and not held
  double counting_seconds = 60;                ///< of processor time, for all of that
  std::size_t most_unions = 1'000;             ///< of listed patterns, which are counted one by one
  std::size_t drawn_sets = 10'000;             ///< for estimates
};

/// Compares original and released transactions, whose items have the same places, by definite support at 1, 1.05, 1.1, 1.25
/// and 1.5 times the threshold, and what two readers find at the threshold itself. A figure is exact, or an estimate with
/// its interval, or unknown.
[[nodiscard]] Result<HidingMetrics> measure_hiding(const Database& original, const Database& released,
                                                   const std::vector<Itemset>& sensitive, std::uint64_t min_count,
                                                   const Rational& min_support, Progress& progress,
                                                   const MeasuringLimits& limits = {});

/// That there were too many frequent sets for some figures.
[[nodiscard]] Warning incomplete_figures();

/// The released transactions with the items in the places they have in the original; `bad_data` when they cannot belong
/// together: another number of rows, or items that the original does not have.
[[nodiscard]] Result<Database> align(const Database& original, const Database& released);

}  // namespace gauze::patterns
