#include "gauze/text/statistics/internal/normaliser_bounds.h"

#include <algorithm>
#include <cmath>

namespace gauze::text::internal {
namespace {

constexpr std::size_t kSample = WordMetric::kTile;  // outputs that are looked at
constexpr double kErrors = 6;                       // standard errors of the mean of a sample
// Of the energy of a typical pair. Words that are much nearer than the sample shows make a sum larger than expected.
constexpr double kEnergyBelow = 0.05;
constexpr double kEnergyAbove = 0.25;
constexpr double kRounding = 1e-6;  // of sums of doubles, and more

/// Evenly spread over the outputs.
std::vector<std::uint32_t> sample_of(std::span<const std::uint32_t> outputs) {
  const std::size_t count = std::min(kSample, outputs.size());
  std::vector<std::uint32_t> sample;
  for (std::size_t i = 0; i < count; ++i) sample.push_back(outputs[i * outputs.size() / count]);
  return sample;
}

}  // namespace

bool NormaliserBounds::hold(std::span<const double> sums) const {
  for (std::size_t x = 0; x < sums.size(); ++x)
    if (!(low[x] <= sums[x] && sums[x] <= high[x])) return false;
  return true;
}

Result<std::vector<NormaliserBounds>> guess_normalisers(std::span<const SoftmaxMechanism> mechanisms) {
  std::vector<NormaliserBounds> result(mechanisms.size());
  if (mechanisms.empty()) return result;
  const SoftmaxMechanism& first = mechanisms.front();
  const std::vector<std::uint32_t> sample = sample_of(first.outputs());
  GAUZE_TRY(const auto sums, SoftmaxMechanism::partial_sums(mechanisms, sample));
  const std::size_t words = first.metric().vectors().size();
  for (std::size_t m = 0; m < mechanisms.size(); ++m) {
    for (std::size_t x = 0; x < words; ++x) {
      // A word's weight for itself is 1; it is known and no part of the sample.
      const bool seen = std::binary_search(sample.begin(), sample.end(), static_cast<std::uint32_t>(x));
      const double self = first.may_stay(x) ? 0 : 1;
      const double own = seen ? 1 : 0;
      const double n = static_cast<double>(sample.size()) - own;
      const double others = static_cast<double>(first.outputs().size()) - self;
      const double sum = std::max(sums[m].weights[x] - own, 0.0);
      const double mean = n > 0 ? sum / n : 0;
      const double variance = n > 1 ? std::max(sums[m].squares[x] - own - n * mean * mean, 0.0) / (n - 1) : 0;
      const double guess = self + others * mean;
      const double error = n < others ? kErrors * others * std::sqrt(variance / std::max(n, 1.0)) / guess : 0;
      const double energy = sum > 0 ? sums[m].energies[x] / sum : 0;
      result[m].low.push_back(guess * std::exp(-error - kEnergyBelow * energy - kRounding));
      result[m].high.push_back(guess * std::exp(error + kEnergyAbove * energy + kRounding));
    }
  }
  return result;
}

}  // namespace gauze::text::internal
