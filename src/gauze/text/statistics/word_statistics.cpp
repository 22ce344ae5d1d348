#include "gauze/text/statistics/word_statistics.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <numeric>

#include "gauze/base/parallel.h"
#include "gauze/text/statistics/internal/kept_pairs.h"
#include "gauze/text/statistics/internal/near_filter.h"
#include "gauze/text/statistics/internal/near_pass.h"

namespace gauze::text {

Result<void> check_options(const StatisticsOptions& options) {
  if (!(options.eta > 0 && options.eta <= 1))
    return invalid_parameter("eta must be above 0 and at most 1, but is {}", options.eta);
  if (options.runs < 1 || options.runs > StatisticsOptions::kMostRuns)
    return invalid_parameter("runs must be from 1 to {}, but are {}", StatisticsOptions::kMostRuns, options.runs);
  return {};
}

namespace {

/// Pairs (of 8 bytes) that are kept until sums are known, for all mechanisms together.
std::int64_t room_for_pairs(std::size_t words) {
  return std::max(std::int64_t{1} << 23, 128 * static_cast<std::int64_t>(words));
}

/// Looks at all pairs once more, for mechanisms of which the first pass did not keep what matters.
Result<void> look_again(std::span<internal::NearPass* const> passes, std::span<const internal::NearFilter> filters,
                        const SoftmaxMechanism& mechanism, Progress* progress) {
  if (passes.empty()) return {};
  return mechanism.visit_distances(
      [&](const WordMetric::Tile& tile) {
        thread_local internal::FoundPairs found;
        for (std::size_t i = 0; i < passes.size(); ++i) {
          filters[i].find(tile, found);
          passes[i]->look_at(found);
        }
      },
      progress);
}

}  // namespace

Result<std::vector<WordStatistics>> word_statistics(std::span<const SoftmaxMechanism> mechanisms,
                                                    const StatisticsOptions& options, Progress* progress) {
  GAUZE_TRY_VOID(check_options(options));
  if (mechanisms.empty()) return std::vector<WordStatistics>();
  const SoftmaxMechanism& first = mechanisms.front();
  GAUZE_CHECK(options.prior.empty() || options.prior.size() == first.metric().vectors().size());
  GAUZE_TRY(const auto bounds, internal::guess_normalisers(mechanisms));
  std::vector<internal::NearFilter> filters;
  std::atomic<std::int64_t> room = room_for_pairs(first.metric().vectors().size());
  std::deque<internal::KeptPairs> kept;
  for (std::size_t i = 0; i < mechanisms.size(); ++i) {
    filters.emplace_back(mechanisms[i], options, bounds[i]);
    kept.emplace_back(room);
  }
  const auto keep = [&](const WordMetric::Tile& tile) {
    thread_local internal::FoundPairs found;
    for (std::size_t i = 0; i < filters.size(); ++i) {
      if (kept[i].gave_up()) continue;
      filters[i].find(tile, found);
      kept[i].keep(found);
    }
  };
  GAUZE_TRY(const auto sums, SoftmaxMechanism::approximate_sums(mechanisms, progress, keep));
  filters.clear();
  std::deque<internal::NearPass> passes;
  std::vector<internal::NearPass*> again;
  for (std::size_t i = 0; i < mechanisms.size(); ++i) {
    internal::NearPass& pass = passes.emplace_back(mechanisms[i], sums[i], options);
    if (kept[i].gave_up() || !bounds[i].hold(sums[i].weights)) {
      filters.emplace_back(mechanisms[i], options, internal::NormaliserBounds{sums[i].weights, sums[i].weights});
      again.push_back(&pass);
      continue;
    }
    const auto& tiles = kept[i].tiles();
    parallel_for(tiles.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) pass.look_at(tiles[t]);
    });
  }
  GAUZE_TRY_VOID(look_again(again, filters, first, progress));
  std::vector<WordStatistics> result;
  result.reserve(passes.size());
  for (const auto& pass : passes) result.push_back(pass.finish());
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
