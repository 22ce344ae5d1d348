#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gauze::internal {

/// Places and weights: the sum of weight * f(node) stands for an integral or a longer sum.
struct Quadrature {
  std::vector<double> nodes;
  std::vector<double> weights;
};

/// For the integral over [0, 1], by Gauss and Legendre: exact for polynomials of degree 2n - 1.
[[nodiscard]] Quadrature gauss_legendre(std::size_t n);

/// For the sum over the whole numbers 0 to points - 1, by Gauss with Chebyshev's discrete polynomials: exact for
/// polynomials of degree 2n - 1, and all nodes between the first and the last. `points` must be at least 4n.
[[nodiscard]] Quadrature gauss_sum(std::size_t n, std::int64_t points);

}  // namespace gauze::internal
