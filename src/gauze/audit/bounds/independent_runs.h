#pragma once

#include <cstdint>

#include "gauze/base/error.h"

namespace gauze::audit {

/// How often an event was seen in runs on the one input (true positives) and on its neighbour (false positives).
struct EventCounts {
  std::uint64_t true_positives = 0;
  std::uint64_t positives = 0;  ///< runs in which it could have been seen
  std::uint64_t false_positives = 0;
  std::uint64_t negatives = 0;
};

/// What such counts prove.
struct IndependentBound {
  double tpr_lower = 0;      ///< rounded down
  double fpr_upper = 1;      ///< rounded up
  double epsilon_lower = 0;  ///< rounded down, never below 0
};

/// A lower bound on epsilon from independent runs on two neighbours, one event, chosen without looking at these runs.
///
/// Guarantee : for every mechanism that is (epsilon, delta)-DP for the two inputs, epsilon_lower exceeds epsilon with a
///             chance of at most `risk`: each rate misses by at most risk / 2 (Clopper and Pearson, proven ends), and where
///             both hold, tpr <= e^epsilon fpr + delta and 1 - fpr <= e^epsilon (1 - tpr) + delta leave no smaller epsilon.
/// Valid for : runs with randomness of their own. The records of one model are not such runs.
/// Refuses   : more hits than runs, no runs on a side, a delta outside [0, 1), a risk outside (0, 1).
[[nodiscard]] Result<IndependentBound> independent_bound(const EventCounts& counts, double delta, double risk);

/// The same for counts and levels that are known to be right.
[[nodiscard]] IndependentBound proven_bound(const EventCounts& counts, double delta, double risk);

/// The largest epsilon that so many runs a side could have shown: the event in all runs of one side and none of the other.
[[nodiscard]] double largest_bound(std::uint64_t positives, std::uint64_t negatives, double delta, double risk);

}  // namespace gauze::audit
