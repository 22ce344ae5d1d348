#pragma once

#include <cstddef>
#include <span>

namespace gauze::models::internal {

/// Factors the symmetric n x n matrix A = U^T U in place; row-major, only the upper triangle is read and written. A pivot
/// that rounding has made too small is replaced by a positive one: U^T U is then a matrix near A that is positive
/// definite for certain. Runs of zeros, as between the values of one categorical feature, are skipped.
void factor_cholesky(std::span<double> matrix, std::size_t n);

/// Solves U^T U x = b; b becomes x.
void solve_cholesky(std::span<const double> factor, std::size_t n, std::span<double> b);

}  // namespace gauze::models::internal
