#include "gauze/models/internal/cholesky.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gauze::models::internal {
namespace {

constexpr std::size_t kPanel = 4;             ///< pivots whose effect on the rows below is applied in one pass
constexpr double kSmallestPivot = 1e-14;      ///< of the diagonal entry that the pivot comes from
constexpr double kSmallestEntry = 0x1p-1000;  ///< for a diagonal entry of zero

/// target[i..n) -= factor * source[i..n)
void subtract(double* target, const double* source, double factor, std::size_t from, std::size_t n) {
  for (std::size_t j = from; j < n; ++j) target[j] -= factor * source[j];
}

}  // namespace

void factor_cholesky(std::span<double> matrix, std::size_t n) {
  double* const a = matrix.data();
  std::vector<double> smallest(n);
  for (std::size_t i = 0; i < n; ++i) smallest[i] = std::max(kSmallestPivot * a[i * n + i], kSmallestEntry);
  for (std::size_t begin = 0; begin < n; begin += kPanel) {
    const std::size_t end = std::min(begin + kPanel, n);
    for (std::size_t k = begin; k < end; ++k) {
      double* const row = a + k * n;
      for (std::size_t m = begin; m < k; ++m) {
        if (const double factor = a[m * n + k]; factor != 0) subtract(row, a + m * n, factor, k, n);
      }
      row[k] = std::sqrt(std::max(row[k], smallest[k]));
      const double inverse = 1 / row[k];
      for (std::size_t j = k + 1; j < n; ++j) row[j] *= inverse;
    }
    if (end - begin < kPanel) break;
    const double* const r0 = a + begin * n;
    const double* const r1 = r0 + n;
    const double* const r2 = r1 + n;
    const double* const r3 = r2 + n;
    for (std::size_t i = end; i < n; ++i) {
      const double f0 = r0[i];
      const double f1 = r1[i];
      const double f2 = r2[i];
      const double f3 = r3[i];
      if (f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0) continue;
      double* const row = a + i * n;
      for (std::size_t j = i; j < n; ++j) row[j] -= (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
    }
  }
}

void solve_cholesky(std::span<const double> factor, std::size_t n, std::span<double> b) {
  const double* const u = factor.data();
  for (std::size_t i = 0; i < n; ++i) {
    b[i] /= u[i * n + i];
    subtract(b.data(), u + i * n, b[i], i + 1, n);
  }
  for (std::size_t i = n; i-- > 0;) {
    double sum = b[i];
    for (std::size_t j = i + 1; j < n; ++j) sum -= u[i * n + j] * b[j];
    b[i] = sum / u[i * n + i];
  }
}

}  // namespace gauze::models::internal
