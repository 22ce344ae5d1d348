#include "gauze/collect/internal/grid_law.h"

#include <algorithm>

#include "gauze/encoder/task_block.h"

namespace gauze::collect {

GridLaw::GridLaw(const LocalLaw& law) {
  const long double m = GAUZE_GRID_CELLS;
  const long double w = law.parameter;
  const long double more = static_cast<long double>(law.numbers[0]) * 0x1p-32L - 1;  // A / B - 1
  const long double all = w * more + m;
  const auto mean_cell = [&](long double k) { return (more * (w * k + w * (w - 1) / 2) + m * (m - 1) / 2) / all; };
  first_ = mean_cell(0);
  width_ = mean_cell(m - w) - first_;
  // E[(y - centre)^2] of the position k, which is a parabola: through three positions
  const long double centre = first_ + width_ / 2;
  const auto squares = [](long double from, long double count) {
    // sum of (from + j)^2 over j = 0 ... count - 1
    return count * from * from + from * count * (count - 1) + (count - 1) * count * (2 * count - 1) / 6;
  };
  const auto moment = [&](long double t) {
    const long double k = (m - w) * (t + 1) / 2;
    const long double y2 = (more * squares(k - centre, w) + squares(-centre, m)) / all;
    return 4 * y2 / (width_ * width_);
  };
  const long double low = moment(-1);
  const long double middle = moment(0);
  const long double high = moment(1);
  constant_ = static_cast<double>(middle);
  linear_ = static_cast<double>((high - low) / 2);
  square_ = static_cast<double>((high + low) / 2 - middle);
}

double GridLaw::second_moment(double mean, double mean_of_squares) const {
  return constant_ + linear_ * mean + square_ * mean_of_squares;
}

double GridLaw::mean_square(double mean, double average_of_x2) const {
  const double inside = std::clamp(mean, -1.0, 1.0);
  return std::clamp((average_of_x2 - constant_ - linear_ * inside) / square_, inside * inside, 1.0);
}

std::pair<double, double> GridLaw::sums(std::span<const std::int64_t> cells) const {
  long double sum = 0;
  long double squares = 0;
  for (std::size_t y = 0; y < cells.size(); ++y) {
    if (cells[y] == 0) continue;
    const long double x = 2 * (static_cast<long double>(y) - first_) / width_ - 1;
    sum += static_cast<long double>(cells[y]) * x;
    squares += static_cast<long double>(cells[y]) * x * x;
  }
  return {static_cast<double>(sum), static_cast<double>(squares)};
}

}  // namespace gauze::collect
