#pragma once

#include <functional>
#include <vector>

#include "gauze/accounting/internal/loss_grid.h"
#include "gauze/accounting/privacy_loss.h"

namespace gauze::internal {

/// Atoms of a loss, roughly: enough to choose the tilt and the grid, which may be chosen freely.
struct Sketch {
  std::vector<double> loss, mass;
  double count = 1;
};
[[nodiscard]] Sketch sketch(const PrivacyLoss& loss, const LossRange& range, double count);

/// ln E[e^(order L)] with mean and variance of the tilted law, summed over all parts.
struct Moments {
  double log_moment = 0, mean = 0, variance = 0;
};
[[nodiscard]] Moments moments(const std::vector<Sketch>& sketches, double order);

/// Minimises over positive orders on a logarithmic scale: a scan, then a narrower one.
[[nodiscard]] double best_order(double largest, const std::function<double(double)>& cost);

}  // namespace gauze::internal
