#pragma once

namespace gauze::internal {

/// The Renyi divergence of order > 1 of the Poisson-sampled Gaussian mechanism (the larger direction: Mironov, Talwar, Zhang
/// 2019), ratio = sigma / sensitivity, rate in (0, 1): by the trapezoidal rule, which converges exponentially for this
/// integrand, right within 1e-12 relative and rounded up by as much.
[[nodiscard]] double sampled_gaussian_renyi(double ratio, double rate, double order);

}  // namespace gauze::internal
