#include "gauze/release/modes/histogram_release.h"

#include <algorithm>
#include <cmath>

#include "gauze/release/modes/total_fitting.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

using schema::ReleaseKind;
using schema::ReleaseMode;

HistogramRelease::HistogramRelease(const Options& options, Mode mode)
    : options_(options),
      mode_(std::move(mode)),
      radius_(options.budget.cell_noise.law->interval_radius(Rational(95, 100))),
      cell_variance_(options.budget.cell_noise.law->variance()),
      total_variance_(options.budget.total_noise ? options.budget.total_noise->law->variance() : 0) {}

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

ReleasedHistogram HistogramRelease::finish(std::vector<NoisyCell> noisy, std::optional<std::int64_t> total) const {
  const bool public_total = options_.release.neighbours == Neighbours::replace_one && !options_.release.unit;
  if (!options_.budget.total_noise && !public_total) total.reset();
  const bool stability = options_.release.mode == ReleaseMode::stability;
  // What the noise went on: the number itself, or how far it lies above k - 1.
  const std::int64_t lift = stability ? 0 : static_cast<std::int64_t>(options_.k) - 1;
  ReleasedHistogram result;
  result.total = total;
  result.cells.reserve(noisy.size());
  std::vector<std::int64_t> counts;
  counts.reserve(noisy.size());
  std::vector<bool> doubtful;
  for (const NoisyCell& one : noisy) {
    const std::int64_t measured = one.value - lift;
    result.cells.push_back({.cell = one.cell,
                            .noisy = one.value,
                            .count = one.value,
                            .low = measured - radius_ <= 0 ? 0 : one.value - radius_,
                            .high = one.value + radius_});
    counts.push_back(one.value);
    doubtful.push_back(result.cells.back().low == 0);
  }
  if (!total) return result;
  result.total = std::max<std::int64_t>(0, *total);
  const bool records = options_.release.kind == ReleaseKind::records;
  const double variance = cell_variance_ * static_cast<double>(counts.size()) + total_variance_;
  const FittedCounts fitted = fit_to_total(counts, {.total = *result.total,
                                                    .floor = records ? 0 : static_cast<std::int64_t>(options_.k),
                                                    .spread = std::sqrt(variance),
                                                    .doubtful = std::move(doubtful),
                                                    .to_remainder = !records});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    ReleasedCell& one = result.cells[i];
    one.count = fitted.counts[i];
    one.low = std::min(one.low, one.count);
    one.high = std::max(one.high, one.count);
  }
  std::erase_if(result.cells, [](const ReleasedCell& one) { return one.count <= 0; });
  result.remainder = fitted.remainder;
  return result;
}

}  // namespace gauze::release
