#include "gauze/release/modes/count_intervals.h"

#include <algorithm>
#include <cmath>

namespace gauze::release {
namespace {

constexpr double kMissedPerSide = kMissedPercent / 200.0;
/// Doubles decide: a probability this much below the limit still counts as above, so that rounding widens intervals.
constexpr double kSlack = 1 - 1e-9;

/// The largest step in [0, most] at which a falling property holds; it holds at 0.
template <class Holds>
std::int64_t last_step(std::int64_t most, Holds holds) {
  std::int64_t good = 0;
  while (good < most) {
    const std::int64_t middle = good + (most - good + 1) / 2;
    if (holds(middle))
      good = middle;
    else
      most = middle - 1;
  }
  return good;
}

}  // namespace

std::int64_t published_radius(const NoiseLaw& law, std::uint64_t published, std::uint64_t cells) {
  const Rational share = Rational(static_cast<std::int64_t>(published)) / Rational(static_cast<std::int64_t>(cells));
  return law.interval_radius(Rational(1) - Rational(kMissedPercent, 100) * share);
}

CountInterval NamedInterval::of(std::int64_t noisy) const {
  const double limit = kMissedPerSide * kSlack;
  const double log_q = -1 / options_.scale;
  const double q = std::exp(log_q);
  const auto power = [&](std::int64_t steps) { return std::exp(log_q * static_cast<double>(steps)); };
  const std::int64_t excess = std::max<std::int64_t>(0, noisy - options_.threshold);
  // Noise further out than this has less than the limit's probability by far.
  const auto farthest = static_cast<std::int64_t>(std::min(0x1p60, std::ceil(options_.scale * 64))) + 64;
  CountInterval interval{options_.least, noisy};
  // A true number up to the threshold explains the excess with probability q^excess, whatever it is: the geometric law has
  // no memory. Above it, n = noisy - steps does with q^steps / (1 + q - q^(1 + excess - steps)).
  if (power(excess) <= limit)
    interval.low = noisy - last_step(std::min(excess, farthest), [&](std::int64_t steps) {
                     return power(steps) / (1 + q - power(1 + excess - steps)) > limit;
                   });
  // P[n + Z <= noisy | named] at n = noisy + steps.
  interval.high = noisy + last_step(farthest, [&](std::int64_t steps) {
                    return power(steps) * -std::expm1(log_q * static_cast<double>(excess + 1)) /
                               (1 + q - power(steps + excess + 1)) >
                           limit;
                  });
  interval.low = std::clamp(interval.low, std::min(options_.least, noisy), noisy);
  return interval;
}

std::optional<CountInterval> remainder_interval(const RemainderNoise& noise, std::int64_t noisy_total,
                                                std::int64_t difference) {
  const auto cells = static_cast<double>(noise.cells);
  const double spread = std::sqrt(noise.cell_variance);
  const auto hidden = static_cast<double>(noise.k - 1);
  // E[max(0, Z)] = E|Z| / 2 is at most half the standard deviation.
  const double lifted = cells * (spread / 2 + hidden * noise.pass_probability);
  if (lifted > static_cast<double>(noisy_total)) return std::nullopt;
  // Cantelli: P[X - E X >= t] <= v / (v + t^2), which is 1 / 40 at t^2 = 39 v.
  const double cell_spread = spread + hidden * std::sqrt(noise.pass_probability);
  const double sides = 1 / kMissedPerSide - 1;
  const double reach = std::sqrt(sides * (cells * cell_spread * cell_spread + noise.total_variance));
  const auto middle = static_cast<double>(difference);
  return CountInterval{
      .low = static_cast<std::int64_t>(std::max(0.0, std::floor(middle - reach))),
      .high = static_cast<std::int64_t>(std::max(0.0, std::ceil(middle + lifted + reach))),
  };
}

}  // namespace gauze::release
