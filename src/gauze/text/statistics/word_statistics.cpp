#include "gauze/text/statistics/word_statistics.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "gauze/text/statistics/internal/near_pass.h"

namespace gauze::text {

Result<void> check_options(const StatisticsOptions& options) {
  if (!(options.eta > 0 && options.eta <= 1))
    return invalid_parameter("eta must be above 0 and at most 1, but is {}", options.eta);
  if (options.runs < 1 || options.runs > StatisticsOptions::kMostRuns)
    return invalid_parameter("runs must be from 1 to {}, but are {}", StatisticsOptions::kMostRuns, options.runs);
  return {};
}

Result<std::vector<WordStatistics>> word_statistics(std::span<const SoftmaxMechanism> mechanisms,
                                                    const StatisticsOptions& options, Progress* progress) {
  GAUZE_TRY_VOID(check_options(options));
  if (mechanisms.empty()) return std::vector<WordStatistics>();
  const WordMetric& metric = mechanisms.front().metric();
  GAUZE_CHECK(options.prior.empty() || options.prior.size() == metric.vectors().size());
  GAUZE_TRY(const auto sums, SoftmaxMechanism::approximate_sums(mechanisms, progress));
  std::vector<std::unique_ptr<internal::NearPass>> passes;
  for (std::size_t i = 0; i < mechanisms.size(); ++i)
    passes.push_back(std::make_unique<internal::NearPass>(mechanisms[i], sums[i], options));
  std::vector<std::uint32_t> words(metric.vectors().size());
  std::iota(words.begin(), words.end(), 0U);
  if (progress != nullptr) progress->begin("comparing words", WordMetric::symmetric_steps(words.size()));
  GAUZE_TRY_VOID(metric.rough_symmetric_tiles(
      words,
      [&](const WordMetric::RoughTile& tile) {
        for (const auto& pass : passes) pass->visit(tile);
      },
      progress));
  std::vector<WordStatistics> result;
  result.reserve(passes.size());
  for (const auto& pass : passes) result.push_back(pass->finish());
  return result;
}

Result<std::vector<double>> chances_to_stay(const SoftmaxMechanism& mechanism, Progress* progress) {
  GAUZE_TRY(const SoftmaxMechanism::Sums sums, mechanism.approximate_sums(progress));
  std::vector<double> stays;
  for (std::size_t x = 0; x < sums.weights.size(); ++x)
    stays.push_back(mechanism.may_stay(x) ? 1 - mechanism.p().to_double() : 1 / sums.weights[x]);
  return stays;
}

double quantile_of(std::span<const double> values, double q) {
  std::vector<double> sorted(values.begin(), values.end());
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sorted.begin(), nth, sorted.end());
  const double low = *nth;
  if (below + 1 == sorted.size()) return low;
  const double high = *std::min_element(nth + 1, sorted.end());
  return low + (high - low) * (place - static_cast<double>(below));
}

Spread spread_of(std::span<const double> values) {
  if (values.empty()) return {};
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {sum / static_cast<double>(values.size()), quantile_of(values, 0.05), quantile_of(values, 0.5),
          quantile_of(values, 0.95)};
}

Spread spread_of(std::span<const std::uint32_t> values) {
  const std::vector<double> numbers(values.begin(), values.end());
  return spread_of(std::span<const double>(numbers));
}

}  // namespace gauze::text
