#include "gauze/release/modes/histogram_release.h"

#include <algorithm>
#include <cmath>

#include "gauze/mechanisms/selection/named_count.h"
#include "gauze/release/modes/total_fitting.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

using schema::ReleaseKind;
using schema::ReleaseMode;

HistogramRelease::HistogramRelease(const Options& options, Mode mode)
    : options_(options),
      mode_(std::move(mode)),
      cell_variance_(options.budget.cell_noise.law->variance()),
      total_variance_(options.budget.total_noise ? options.budget.total_noise->law->variance() : 0) {
  const auto* grid = std::get_if<GridRelease>(&mode_);
  if (grid == nullptr) return;
  radii_ = std::make_shared<PublishedRadii>(options_.budget.cell_noise.law, options_.cells);
  pass_probability_ = options_.budget.cell_noise.law->upper_tail(grid->cut()).high();
}

Result<HistogramRelease> HistogramRelease::make(const Options& options) {
  if (options.release.mode == ReleaseMode::stability) {
    GAUZE_TRY(StabilityRelease mode,
              StabilityRelease::make(
                  {.k = options.k, .noise = options.budget.cell_noise, .delta_per_class = options.delta_per_class}));
    return HistogramRelease(options, std::move(mode));
  }
  GAUZE_TRY(
      GridRelease mode,
      GridRelease::make(
          {.k = options.k, .cells = options.cells, .noise = options.budget.cell_noise, .cut = options.release.cut}));
  return HistogramRelease(options, std::move(mode));
}

std::int64_t HistogramRelease::cut() const {
  if (const auto* grid = std::get_if<GridRelease>(&mode_)) return grid->cut();
  return std::get<StabilityRelease>(mode_).threshold();
}

std::int64_t HistogramRelease::measure_total(RandomWords& random, const Histogram& histogram) const {
  const auto total = static_cast<std::int64_t>(histogram.total);
  std::int64_t noise = 0;
  if (options_.budget.total_noise) options_.budget.total_noise->sample(random, "total", {&total, 1}, {&noise, 1});
  return total + noise;
}

ReleasedHistogram HistogramRelease::release(SecureRandom& random, const Histogram& histogram) const {
  auto noisy = std::visit([&](const auto& mode) { return mode.release(random, histogram); }, mode_);
  return finish(std::move(noisy), measure_total(random, histogram));
}

ReleasedHistogram HistogramRelease::simulate(SeededRandom& random, const Histogram& histogram,
                                             double* absolute_noise) const {
  auto noisy = std::visit([&](const auto& mode) { return mode.simulate(random, histogram, absolute_noise); }, mode_);
  return finish(std::move(noisy), measure_total(random, histogram));
}

double HistogramRelease::expected_phantom_cells() const {
  return static_cast<double>(options_.cells) * pass_probability_;
}

ReleasedHistogram HistogramRelease::finish(std::vector<NoisyCell> noisy, std::int64_t total) const {
  const auto* stability = std::get_if<StabilityRelease>(&mode_);
  ReleasedHistogram result;
  result.cells.reserve(noisy.size());
  std::int64_t sum = 0;
  for (const NoisyCell& one : noisy) {
    result.cells.push_back({.cell = one.cell, .noisy = one.value, .count = one.value});
    sum += one.value;
  }
  if (stability != nullptr) {
    const NamedCount count({.spread = options_.budget.spread.to_double(),
                            .threshold = static_cast<double>(stability->threshold()),
                            .least = static_cast<double>(options_.k),
                            .miss = kMissedPercent / 100.0});
    for (ReleasedCell& one : result.cells) {
      const NamedCount::Interval found = count.interval(static_cast<double>(one.noisy));
      one.low = static_cast<std::int64_t>(found.low);
      one.high = static_cast<std::int64_t>(found.high);
    }
  } else if (!noisy.empty()) {
    const std::int64_t radius = radii_->of(result.cells.size());
    // The noise went on how far the number lies above k - 1; where that may be nothing, the number may be 0.
    const std::int64_t lift = static_cast<std::int64_t>(options_.k) - 1;
    for (ReleasedCell& one : result.cells) {
      one.low = one.noisy - lift - radius <= 0 ? 0 : one.noisy - radius;
      one.high = one.noisy + radius;
    }
  }
  const bool public_total = options_.release.neighbours == Neighbours::replace_one && !options_.release.unit;
  if (!options_.budget.total_noise && !public_total) return result;
  result.total = std::max<std::int64_t>(0, total);
  result.remainder = std::max<std::int64_t>(0, *result.total - sum);
  if (stability == nullptr)
    result.remainder_interval = remainder_interval({.cells = options_.cells,
                                                    .k = options_.k,
                                                    .cell_variance = cell_variance_,
                                                    .pass_probability = pass_probability_,
                                                    .total_variance = total_variance_},
                                                   *result.total, total - sum);
  if (options_.release.fit == ReleaseFit::total) fit(result);
  return result;
}

/// Every cell that passed the cut stays, also one that is left with nothing: were it dropped, which intervals are published
/// would depend on all the noise, and their level would not hold.
void HistogramRelease::fit(ReleasedHistogram& released) const {
  std::vector<std::int64_t> counts;
  std::vector<bool> doubtful;
  for (const ReleasedCell& one : released.cells) {
    counts.push_back(one.count);
    doubtful.push_back(one.low == 0);
  }
  const double variance = cell_variance_ * static_cast<double>(counts.size()) + total_variance_;
  const bool records = options_.release.kind == ReleaseKind::records;
  const FittedCounts fitted = fit_to_total(counts, {.total = *released.total,
                                                    .floor = records ? 0 : static_cast<std::int64_t>(options_.k),
                                                    .spread = std::sqrt(variance),
                                                    .doubtful = std::move(doubtful)});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    ReleasedCell& one = released.cells[i];
    one.count = fitted.counts[i];
    one.low = std::min(one.low, one.count);
    one.high = std::max(one.high, one.count);
  }
  released.remainder = fitted.remainder;
  if (released.remainder_interval) {
    CountInterval& interval = *released.remainder_interval;
    interval.low = std::min(interval.low, fitted.remainder);
    interval.high = std::max(interval.high, fitted.remainder);
  }
}

}  // namespace gauze::release
