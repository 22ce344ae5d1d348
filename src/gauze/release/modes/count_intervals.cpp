#include "gauze/release/modes/count_intervals.h"

#include <algorithm>
#include <cmath>

namespace gauze::release {
namespace {

constexpr double kMissedPerSide = kMissedPercent / 200.0;

}  // namespace

std::int64_t published_radius(const NoiseLaw& law, std::uint64_t published, std::uint64_t cells) {
  const Rational share = Rational(static_cast<std::int64_t>(published)) / Rational(static_cast<std::int64_t>(cells));
  return law.interval_radius(Rational(1) - Rational(kMissedPercent, 100) * share);
}

std::int64_t PublishedRadii::of(std::uint64_t published) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = found_.find(published); known != found_.end()) return known->second;
  }
  const std::int64_t radius = published_radius(*law_, published, cells_);
  const std::lock_guard lock(mutex_);
  return found_.emplace(published, radius).first->second;
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
