#include "gauze/text/statistics/internal/near_filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gauze/base/parallel.h"

namespace gauze::text::internal {
namespace {

constexpr std::size_t kFavourites = 8;  // words that are tried first as a guess for every output
constexpr double kFar = 1e18;           // granules: beyond all distances, and exact enough in single precision

/// Rounded to single precision and moved outwards by more than all rounding after it.
float up(double value) {
  const double within = std::clamp(value, -kFar, kFar);
  return static_cast<float>(within + std::abs(within) * 0x1p-22);
}
float down(double value) { return -up(-value); }

/// The chance that x is drawn for at all.
double replaced(const SoftmaxMechanism& mechanism, std::size_t x) {
  return mechanism.may_stay(x) ? mechanism.p().to_double() : 1;
}

}  // namespace

double near_chance(const StatisticsOptions& options) {
  return std::min(options.eta, 0.05 / static_cast<double>(options.runs));
}

Contest begin_contest(const SoftmaxMechanism& mechanism, std::span<const double> prior,
                      std::span<const double> sums) {
  const std::size_t words = sums.size();
  Contest contest;
  for (std::size_t x = 0; x < words; ++x) {
    contest.score.push_back((prior.empty() ? 0 : std::log(prior[x])) + std::log(replaced(mechanism, x) / sums[x]));
  }
  std::vector<std::uint32_t> order(words);
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t count = std::min(kFavourites, words);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return contest.score[a] > contest.score[b]; });
  contest.best.resize(words);
  parallel_for(words, 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t y = begin; y < end; ++y) {
      double best = contest.score[y];
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t granules = mechanism.metric().granules(order[i], y);
        best = std::max(best, contest.score[order[i]] - mechanism.energy(granules));
      }
      contest.best[y] = best;
    }
  });
  return contest;
}

NearFilter::NearFilter(const SoftmaxMechanism& mechanism, const StatisticsOptions& options,
                       const NormaliserBounds& bounds)
    : mechanism_(mechanism), contests_(options.prior.empty() ? 1 : 2) {
  const std::size_t words = bounds.low.size();
  const double rate = mechanism.energy(1);
  // Distances are rounded up to granules, and logarithms have an error.
  const double margin = 1 + 1e-12 / rate;
  Tests tests;
  for (std::size_t x = 0; x < words; ++x) {
    const double reach = std::log(replaced(mechanism, x) / (near_chance(options) * bounds.low[x])) / rate + margin;
    tests.near.push_back(reach >= mechanism.weights().cap_granules() ? static_cast<float>(kFar) : up(reach));
  }
  for (std::size_t j = 0; j < contests_; ++j) {
    const std::span<const double> prior = j == 0 ? std::span<const double>() : options.prior;
    const Contest least = begin_contest(mechanism, prior, bounds.high);
    const double offset = *std::max_element(least.score.begin(), least.score.end());
    for (std::size_t x = 0; x < words; ++x) {
      // Relative to the best of all, so that single precision is fine where it matters.
      const double most = least.score[x] + std::log(bounds.high[x] / bounds.low[x]);
      tests.score[j].push_back(up((most - offset) / rate + margin));
      tests.best[j].push_back(down((least.best[x] - offset) / rate));
    }
  }
  rows_ = tests;
  columns_ = std::move(tests);
  if (mechanism.is_symmetric()) return;
  // Rows become columns here, never the other way round.
  const auto only = [&](const std::vector<float>& by_word) {
    std::vector<float> of_outputs;
    for (const std::uint32_t y : mechanism.outputs()) of_outputs.push_back(by_word[y]);
    return of_outputs;
  };
  columns_.near.assign(mechanism.outputs().size(), static_cast<float>(-kFar));
  for (std::size_t j = 0; j < contests_; ++j) {
    columns_.best[j] = only(columns_.best[j]);
    columns_.score[j].assign(mechanism.outputs().size(), static_cast<float>(-kFar));
    rows_.best[j].assign(words, static_cast<float>(kFar));
  }
}

void NearFilter::find(const WordMetric::Tile& tile, FoundPairs& found) const {
  found.first_row = tile.first_row;
  found.first_column = tile.first_column;
  found.pairs.clear();
  ColumnTests tests{columns_.near.data() + tile.first_column, {}, {}};
  for (std::size_t j = 0; j < contests_; ++j) {
    tests.score[j] = columns_.score[j].data() + tile.first_column;
    tests.best[j] = columns_.best[j].data() + tile.first_column;
  }
  const bool diagonal = mechanism_.is_symmetric() && tile.first_row == tile.first_column;
  std::array<std::uint16_t, WordMetric::kTile> columns{};
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::size_t x = tile.first_row + r;
    PairTest row{rows_.near[x], {}, {}};
    for (std::size_t j = 0; j < contests_; ++j) {
      row.score[j] = rows_.score[j][x];
      row.best[j] = rows_.best[j][x];
    }
    const auto granules = tile.row(r);
    const std::size_t count =
        find_near(granules.data(), diagonal ? r + 1 : 0, tile.columns, row, tests, contests_, columns.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (mechanism_.outputs()[tile.first_column + columns[i]] == x) continue;
      found.pairs.push_back(
          {static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(columns[i]), granules[columns[i]]});
    }
  }
}

}  // namespace gauze::text::internal
