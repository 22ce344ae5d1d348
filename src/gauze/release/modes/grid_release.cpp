#include "gauze/release/modes/grid_release.h"

#include <algorithm>
#include <cmath>

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

double mean_absolute(const NoiseLaw& law) {
  // The tails of both laws fall at least geometrically beyond a few scales, so blocks of growing width with the trapezium
  // rule converge; up to 4,096 scales' worth of integers are summed one by one.
  const double spread = std::sqrt(law.variance());
  double sum = 0;
  if (spread < 2000) {
    for (std::int64_t m = 1; m < 100'000; ++m) {
      const double tail = law.upper_tail(m, 64).middle();
      sum += tail;
      if (tail < 1e-18 * (sum + 1)) break;
    }
    return 2 * sum;
  }
  // Discrete noise this wide is its continuous counterpart but for 1e-7 relative: Simpson over 20 standard deviations.
  constexpr int kPieces = 2000;
  const double width = 20 * spread / kPieces;
  for (int i = 0; i <= kPieces; ++i) {
    const auto m = static_cast<std::int64_t>(std::llround(width * i)) + 1;
    sum += (i == 0 || i == kPieces ? 1 : i % 2 == 1 ? 4 : 2) * law.upper_tail(m, 64).middle();
  }
  return 2 * sum * width / 3;
}

GridRelease::GridRelease(const Options& options, std::int64_t cut)
    : k_(options.k), cells_(options.cells), noise_(options.noise), cut_(cut) {
  if (cells_ <= kDenseCells) return;
  rare_.emplace(noise_.law, cut_);
  mean_absolute_ = mean_absolute(*noise_.law);
}

Result<GridRelease> GridRelease::make(const Options& options) {
  if (options.k == 0) return invalid_parameter("k must be at least 1");
  if (options.cells == 0) return invalid_parameter("the domain has no cells");
  std::int64_t cut = 1;
  if (options.cut) {
    if (*options.cut == 0 || *options.cut > std::uint64_t{1} << 53)
      return invalid_parameter("the cut must be at least 1 and at most 2^53, but is {}", *options.cut);
    cut = static_cast<std::int64_t>(*options.cut);
  } else if (options.cells > 10'000) {
    const Interval share(Rational(1) / Rational(static_cast<std::int64_t>(options.cells)), 160);
    cut = std::max<std::int64_t>(1, options.noise.law->smallest_with_tail_at_most(share));
  }
  const double expected = static_cast<double>(options.cells) * options.noise.law->upper_tail(cut).middle();
  if (expected > kMostEmptyCells)
    return invalid_parameter(
        "about {:.2g} of {:.2g} empty cells would pass the cut {}: choose a larger cut, or coarser levels", expected,
        static_cast<double>(options.cells), cut);
  return GridRelease(options, cut);
}

std::vector<NoisyCell> GridRelease::draw(RandomWords& random, const Histogram& histogram,
                                         double* absolute_noise) const {
  std::vector<NoisyCell> out;
  if (cells_ <= kDenseCells)
    draw_dense(random, histogram, absolute_noise, out);
  else
    draw_sparse(random, histogram, absolute_noise, out);
  return out;
}

void GridRelease::draw_dense(RandomWords& random, const Histogram& histogram, double* absolute_noise,
                             std::vector<NoisyCell>& out) const {
  std::vector<std::int64_t> above(cells_, 0);
  for (const CellCount& one : histogram.cells)
    if (one.count >= k_) above[one.cell] = static_cast<std::int64_t>(one.count - k_ + 1);
  std::vector<std::int64_t> noise(cells_);
  noise_.sample(random, "grid", above, noise);
  double sum = 0;
  for (std::uint64_t cell = 0; cell < cells_; ++cell) {
    const std::int64_t value = above[cell] + noise[cell];
    sum += std::abs(static_cast<double>(noise[cell]));
    if (value >= cut_) out.push_back({cell, value + static_cast<std::int64_t>(k_) - 1});
  }
  if (absolute_noise != nullptr) *absolute_noise += sum;
}

void GridRelease::draw_sparse(RandomWords& random, const Histogram& histogram, double* absolute_noise,
                              std::vector<NoisyCell>& out) const {
  // Cells with records enough for k one by one, all others as zeros: those with fewer records are among them.
  std::vector<std::uint64_t> full;
  std::vector<std::int64_t> above;
  for (const CellCount& one : histogram.cells) {
    if (one.count < k_) continue;
    full.push_back(one.cell);
    above.push_back(static_cast<std::int64_t>(one.count - k_ + 1));
  }
  std::vector<std::int64_t> noise(full.size());
  noise_.sample(random, "grid", above, full, cells_, noise);
  std::vector<RareNoise::Passing> empty;
  rare_->sample(random, cells_ - full.size(), empty);
  const auto lift = static_cast<std::int64_t>(k_) - 1;
  double sum = mean_absolute_ * static_cast<double>(cells_ - full.size());
  std::size_t next = 0;  // among the full cells; as many of them lie before the place of a zero
  const auto put_full = [&] {
    const std::int64_t value = above[next] + noise[next];
    if (value >= cut_) out.push_back({full[next], value + lift});
    ++next;
  };
  for (const RareNoise::Passing& zero : empty) {
    while (next < full.size() && full[next] <= zero.place + next) put_full();
    out.push_back({zero.place + next, zero.noise + lift});
  }
  while (next < full.size()) put_full();
  for (const std::int64_t one : noise) sum += std::abs(static_cast<double>(one));
  if (absolute_noise != nullptr) *absolute_noise += sum;
}

}  // namespace gauze::release
