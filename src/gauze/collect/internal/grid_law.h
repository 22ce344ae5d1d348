#pragma once

#include <span>
#include <utility>

#include "gauze/collect/mechanisms/integer_laws.h"

namespace gauze::collect {

/// The piecewise mechanism on its grid of M cells: a cell y stands for x(y), linear in y, whose mean is t for a device at t. All moments
/// are those of the law as drawn (docs/proofs/local-means.md).
class GridLaw {
 public:
  explicit GridLaw(const LocalLaw& law);

  /// E[x^2], averaged over devices whose t and t^2 have these means. Leaves out that a position is rounded to a cell: less than 1e-9.
  [[nodiscard]] double second_moment(double mean, double mean_of_squares) const;
  /// The mean of t^2 that fits an average of x^2; within what is possible, which is [mean^2, 1].
  [[nodiscard]] double mean_square(double mean, double average_of_x2) const;
  /// The sums of x and of x^2 over counted cells.
  [[nodiscard]] std::pair<double, double> sums(std::span<const std::int64_t> cells) const;

 private:
  long double first_ = 0;  ///< the mean cell of the position at t = -1
  long double width_ = 0;  ///< from there to that at t = 1
  double constant_ = 0;    ///< E[x^2] = constant + linear t + square t^2
  double linear_ = 0;
  double square_ = 0;
};

}  // namespace gauze::collect
