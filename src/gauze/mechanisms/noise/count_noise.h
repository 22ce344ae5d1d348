#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/mechanisms/noise/noise_observer.h"

namespace gauze {

/// Noise of one law on counts, and how far all counts together may move between neighbours.
///
/// Mechanisms that decide themselves what they show (which classes are named, which empty ones pass) draw through it, so that
/// an observer sees every count before its noise, as with the mechanisms that add noise and nothing else. What is guaranteed
/// is said by whoever chose the law for the sensitivity.
/// Thread safety: const members may be called concurrently.
struct CountNoise {
  std::shared_ptr<const NoiseLaw> law;
  NoiseEvent::Norm norm = NoiseEvent::Norm::l1;
  Rational sensitivity = 1;  ///< in that norm

  /// Independent noise for each of the counts.
  void sample(RandomWords& random, std::string_view mechanism, std::span<const std::int64_t> counts,
              std::span<std::int64_t> noise) const;
  /// The same for counts at these places of a longer vector. With a `length` its other counts are 0, and the caller draws
  /// noise for them too; without one they get none.
  void sample(RandomWords& random, std::string_view mechanism, std::span<const std::int64_t> counts,
              std::span<const std::uint64_t> places, std::optional<std::uint64_t> length,
              std::span<std::int64_t> noise) const;

 private:
  void report(std::string_view mechanism, std::span<const std::int64_t> counts,
              std::optional<std::span<const std::uint64_t>> places, std::optional<std::uint64_t> length) const;
};

}  // namespace gauze
