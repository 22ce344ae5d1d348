#include "gauze/mechanisms/internal/quadrature.h"

#include <cmath>
#include <numbers>

#include "gauze/base/error.h"

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

Quadrature gauss_sum(std::size_t n, std::int64_t points) {
  GAUZE_CHECK(points >= static_cast<std::int64_t>(4 * n));
  const auto length = static_cast<double>(points);
  // On t = (2 v + 1) / points - 1 in (-1, 1) the monic polynomials are p[k + 1] = t p[k] - beta[k] p[k - 1].
  const auto beta = [&](double k) { return k * k * (1 - k / length * (k / length)) / (4 * k * k - 1); };
  double norm = length;
  for (std::size_t k = 1; k < n; ++k) norm *= beta(static_cast<double>(k));
  Quadrature rule = gauss_legendre(n);  // its nodes are where those of many points lie, and Newton starts there
  for (std::size_t i = 0; i < n; ++i) {
    double t = 2 * rule.nodes[i] - 1, previous = 0, slope = 1;
    for (int round = 0; round < 100; ++round) {
      double value = 1, previous_slope = 0;
      previous = slope = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double ratio = k == 0 ? 0 : beta(static_cast<double>(k));
        const double next = t * value - ratio * previous, next_slope = value + t * slope - ratio * previous_slope;
        previous = value;
        value = next;
        previous_slope = slope;
        slope = next_slope;
      }
      const double step = value / slope;
      t -= step;
      if (std::abs(step) < 1e-16) break;
    }
    rule.nodes[i] = ((t + 1) * length - 1) / 2;
    rule.weights[i] = norm / (slope * previous);
  }
  return rule;
}

}  // namespace gauze::internal
