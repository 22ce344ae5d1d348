#include <cmath>
#include <numbers>

#include "gauze/mechanisms/internal/selection_strategy.h"

namespace gauze::internal {

Quadrature gauss_legendre(std::size_t n) {
  Quadrature rule{.nodes = std::vector<double>(n), .weights = std::vector<double>(n)};
  const auto order = static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    // Newton from the asymptotic place of the i-th root of the Legendre polynomial.
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (order + 0.5));
    double slope = 1;
    for (int round = 0; round < 100; ++round) {
      double previous = 1;
      double value = x;
      for (std::size_t k = 2; k <= n; ++k) {
        const auto degree = static_cast<double>(k);
        const double next = ((2 * degree - 1) * x * value - (degree - 1) * previous) / degree;
        previous = value;
        value = next;
      }
      slope = order * (x * value - previous) / (x * x - 1);
      const double step = value / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    rule.nodes[i] = (1 - x) / 2;
    rule.weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace gauze::internal
