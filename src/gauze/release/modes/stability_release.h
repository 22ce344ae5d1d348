#pragma once

#include "gauze/release/modes/grid_release.h"

namespace gauze::release {

/// Noisy counts of the classes that occur, where they are large enough to be named: the mode `stability`.
///
/// A class of fewer than k units is never released. Of the others each is released iff its noisy count reaches the
/// threshold, which a class of exactly k reaches with probability at most delta_per_class.
///
/// Privacy unit   : that of the histogram, in which one unit touches at most M classes, each by one.
/// Neighbours     : add or remove one unit (scale M / epsilon, delta_per_class = delta / M); replace one (scale
///                  2 M / epsilon, delta_per_class = delta / 2 M).
/// Guarantee      : (epsilon, delta)-DP.
/// Proven         : docs/proofs/release-stability.md; the threshold comes from the exact tail of the noise drawn.
/// Not covered    : the caller's claim about M.
/// Thread safety  : const members may be called concurrently.
class StabilityRelease {
 public:
  struct Options {
    std::uint64_t k = 1;           ///< at least 1
    CountNoise noise;              ///< on the counts
    Rational delta_per_class = 0;  ///< above 0 and below 1
  };
  [[nodiscard]] static Result<StabilityRelease> make(const Options& options);

  [[nodiscard]] std::int64_t threshold() const { return threshold_; }

  [[nodiscard]] std::vector<NoisyCell> release(SecureRandom& random, const schema::Histogram& histogram) const {
    return draw(random, histogram, nullptr);
  }
  /// The same for simulations; adds |noise| of all classes to *absolute_noise.
  [[nodiscard]] std::vector<NoisyCell> simulate(SeededRandom& random, const schema::Histogram& histogram,
                                                double* absolute_noise = nullptr) const {
    return draw(random, histogram, absolute_noise);
  }

 private:
  StabilityRelease(const Options& options, std::int64_t threshold);
  [[nodiscard]] std::vector<NoisyCell> draw(RandomWords& random, const schema::Histogram& histogram,
                                            double* absolute_noise) const;

  std::uint64_t k_;
  CountNoise noise_;
  std::int64_t threshold_;
};

}  // namespace gauze::release
