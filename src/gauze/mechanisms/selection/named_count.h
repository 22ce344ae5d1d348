#pragma once

namespace gauze {

/// The true numbers under which a noisy count is no surprise, given that the group was named because n + Z reached a threshold,
/// where n is at least `least` and Z is the noise.
///
/// A count that was named is no random one: its noise is more often above 0 than below. It uses the noisy number and parameters
/// alone, so it costs nothing. All numbers are in steps of the noise's grid. Proven: docs/proofs/release-intervals.md.
/// Thread safety: const members may be called concurrently.
class NamedCount {
 public:
  enum class Noise { discrete_laplace, rounded_gaussian };
  struct Options {
    Noise noise = Noise::discrete_laplace;
    double spread = 0;  ///< scale, or standard deviation; positive
    double threshold = 0;
    double least = 1;  ///< no smaller group is ever named
    double miss = 0;   ///< the probability that an interval misses, both sides together
  };
  struct Interval {
    double low = 0;
    double high = 0;
  };
  explicit NamedCount(const Options& options) : options_(options) {}

  /// For a noisy number that reached the threshold; holds it.
  [[nodiscard]] Interval interval(double noisy) const;

 private:
  /// ln P[Z >= m]
  [[nodiscard]] double log_tail(double m) const;
  Options options_;
};

}  // namespace gauze
