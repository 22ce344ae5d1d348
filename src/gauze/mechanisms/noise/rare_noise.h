#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gauze/mechanisms/noise/noise_law.h"

namespace gauze {

/// Noise on a long row of zeros of which only what reaches a cut is wanted: the places that pass and their noise, as if
/// every zero had been given a draw of its own, at the cost of those that pass.
///
/// The gap before the next place that passes is drawn by certified inversion of its exact law, and so is the noise
/// there: the joint law is that of independent draws, with no approximation. docs/proofs/release-grid.md
/// Thread safety: const members may be called concurrently.
class RareNoise {
 public:
  struct Passing {
    std::uint64_t place = 0;  ///< among the zeros, from 0
    std::int64_t noise = 0;   ///< at least the cut
  };

  /// cut >= 1.
  RareNoise(std::shared_ptr<const NoiseLaw> law, std::int64_t cut);

  /// Appends what passes among so many zeros, in rising order of places.
  void sample(RandomWords& random, std::uint64_t zeros, std::vector<Passing>& out) const;

  /// P[Z >= cut], for forecasts.
  [[nodiscard]] double pass_probability() const { return probability_; }

 private:
  /// Zeros before the next one that passes; at most `most`.
  [[nodiscard]] std::uint64_t gap(RandomWords& random, std::uint64_t most) const;
  /// A draw of Z given Z >= cut: by the table, or exactly where the table leaves it open.
  [[nodiscard]] std::int64_t value(RandomWords& random) const;
  [[nodiscard]] std::int64_t exact_value(RandomWords& random, std::uint64_t first_word) const;

  /// The first 64 digits of P[Z >= cut + j] / P[Z >= cut] lie between these.
  struct Reach {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };

  std::shared_ptr<const NoiseLaw> law_;
  std::int64_t cut_;
  std::vector<Reach> reach_;  // j = 1, 2, ...: falling
  double probability_ = 0;
  double log_fail_ = 0;  // ln(1 - P), to 2^-50 relative
};

}  // namespace gauze
