#include "gauze/release/modes/stability_release.h"

#include <cmath>

#include "gauze/mechanisms/selection/partition_selection.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

StabilityRelease::StabilityRelease(const Options& options, std::int64_t threshold)
    : k_(options.k), noise_(options.noise), threshold_(threshold) {}

Result<StabilityRelease> StabilityRelease::make(const Options& options) {
  if (options.k == 0 || options.k > std::uint64_t{1} << 53)
    return invalid_parameter("k must be at least 1 and at most 2^53, but is {}", options.k);
  if (!(options.delta_per_class > 0) || !(options.delta_per_class < 1))
    return invalid_parameter(
        "the mode stability needs a delta above 0 and below 1: with delta 0 no class could ever be named");
  const Int128 threshold =
      naming_threshold(*options.noise.law, static_cast<Int128>(options.k), Interval(options.delta_per_class, 256));
  return StabilityRelease(options, static_cast<std::int64_t>(threshold));
}

std::vector<NoisyCell> StabilityRelease::draw(RandomWords& random, const Histogram& histogram,
                                              double* absolute_noise) const {
  std::vector<NoisyCell> out;
  std::vector<std::uint64_t> full;
  std::vector<std::int64_t> counts;
  for (const CellCount& one : histogram.cells) {
    if (one.count < k_) continue;
    full.push_back(one.cell);
    counts.push_back(static_cast<std::int64_t>(one.count));
  }
  std::vector<std::int64_t> noise(full.size());
  noise_.sample(random, "stability", counts, full, {}, noise);
  for (std::size_t i = 0; i < full.size(); ++i) {
    const std::int64_t value = counts[i] + noise[i];
    if (value >= threshold_) out.push_back({full[i], value});
    if (absolute_noise != nullptr) *absolute_noise += std::abs(static_cast<double>(noise[i]));
  }
  return out;
}

}  // namespace gauze::release
