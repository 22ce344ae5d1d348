#pragma once

#include <cstdint>

#include "gauze/base/interval.h"

namespace gauze::internal {

/// Sums of f(x) = exp(-x^2 / (2 sigma^2)) over integers, enclosed.

/// Sum over all integers.
[[nodiscard]] Interval discrete_gaussian_total(const Rational& sigma, mpfr_prec_t precision);

/// P[X >= m] for m >= 1, X discrete Gaussian. Up to about 8,000 terms are added one by one; longer sums are enclosed
/// by integrals, within z^2 / (8 sigma^2) relative at m = z sigma.
[[nodiscard]] Interval discrete_gaussian_tail(const Rational& sigma, std::int64_t m, mpfr_prec_t precision);

/// Variance of X, rounded up.
[[nodiscard]] double discrete_gaussian_variance(const Rational& sigma);

}  // namespace gauze::internal
