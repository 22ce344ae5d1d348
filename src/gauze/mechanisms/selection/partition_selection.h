#pragma once

#include <memory>

#include "gauze/mechanisms/noise/grid.h"
#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze {

/// Decides which groups ("partitions") may be named in an output, from the number of people in each.
///
/// Privacy unit   : one person, who is in at most `max_partitions` groups.
/// Neighbours     : add or remove one person.
/// Guarantee      : (epsilon, delta)-DP for the set of all groups kept. With min_group K, a group of fewer
///                  than K people is never kept.
/// Proven         : docs/proofs/partition-selection.md; thresholds come from the exact tail of the noise drawn.
/// Not covered    : the caller's claim about max_partitions; releasing the noisy counts themselves is covered for
///                  laplace, geometric and gaussian (same noise), not for optimal.
/// Thread safety  : const members may be called concurrently.
class PartitionSelection {
 public:
  enum class Noise {
    laplace,    ///< on a fine grid
    gaussian,   ///< on a fine grid; half of delta for the noise, half for the threshold
    geometric,  ///< on integers, with the exact integer tail
    optimal,    ///< truncated geometric; for max_partitions 1 no mechanism keeps a group more often
  };
  struct Options {
    Noise noise = Noise::laplace;
    Rational epsilon = 0;             ///< required
    Rational delta = 0;               ///< required, above 0 and below 1
    std::int64_t max_partitions = 1;  ///< groups that one person can be in
    std::int64_t min_group = 1;       ///< smaller groups are never kept
  };
  [[nodiscard]] static Result<PartitionSelection> make(const Options& options);

  /// A group is kept iff its noisy count is at least this; `optimal`: the smallest size that is always kept.
  [[nodiscard]] const GridValue& threshold() const { return threshold_; }
  /// The probability that a group of so many people is kept.
  [[nodiscard]] double keep_probability(std::int64_t users) const;

  [[nodiscard]] bool release(SecureRandom& random, std::int64_t users) const { return keep(random, users); }
  [[nodiscard]] bool simulate(SeededRandom& random, std::int64_t users) const { return keep(random, users); }

 private:
  class Optimal;
  explicit PartitionSelection(const Options& options);
  [[nodiscard]] static Result<PartitionSelection> make_with_noise(const Options& options);
  [[nodiscard]] bool keep(RandomWords& random, std::int64_t users) const;

  std::int64_t min_group_;
  GridValue threshold_;
  std::shared_ptr<const NoiseLaw> law_;  // all but optimal
  std::shared_ptr<const Optimal> optimal_;
};

/// The smallest threshold that a group of `min_group`, plus noise, reaches with probability at most delta_per_group: what is above
/// it may be named. In steps of the grid of the noise, as `min_group` is; exact.
[[nodiscard]] Int128 naming_threshold(const NoiseLaw& noise, Int128 min_group, const Interval& delta_per_group);

}  // namespace gauze
