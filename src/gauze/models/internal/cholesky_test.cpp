#include "gauze/models/internal/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gauze/models/models_testing.h"

namespace gauze::models::internal {
namespace cholesky_test {

/// B^T B + ridge for random B with `rows` rows.
std::vector<double> random_definite(std::mt19937_64& random, std::size_t n, std::size_t rows, double ridge) {
  std::vector<double> b(rows * n);
  for (double& each : b) each = 2 * uniform(random) - 1;
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < rows; ++k) matrix[i * n + j] += b[k * n + i] * b[k * n + j];
    }
    matrix[i * n + i] += ridge;
  }
  return matrix;
}

TEST(Cholesky, SolvesWhatItFactored) {
  std::mt19937_64 random(1);
  for (std::size_t n = 1; n <= 23; ++n) {  // every remainder of the panels
    const std::vector<double> matrix = random_definite(random, n, n + 2, 0.1);
    std::vector<double> wanted(n), x(n, 0);
    for (double& each : wanted) each = 2 * uniform(random) - 1;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) x[i] += matrix[i * n + j] * wanted[j];
    }
    std::vector<double> factor = matrix;
    factor_cholesky(factor, n);
    solve_cholesky(factor, n, x);
    EXPECT_LT(largest_gap(x, wanted), 1e-10) << n;
  }
}

TEST(Cholesky, TheFactorTimesItsTransposeIsTheMatrix) {
  std::mt19937_64 random(2);
  const std::size_t n = 11;
  const std::vector<double> matrix = random_definite(random, n, n, 0.5);
  std::vector<double> factor = matrix;
  factor_cholesky(factor, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      double product = 0;
      for (std::size_t k = 0; k <= i; ++k) product += factor[k * n + i] * factor[k * n + j];
      EXPECT_NEAR(product, matrix[i * n + j], 1e-13);
    }
  }
}

TEST(Cholesky, ZerosOfADiagonalBlockAreKept) {
  // An arrow: diagonal, but for the last column. Nothing fills in.
  const std::size_t n = 9;
  std::vector<double> matrix(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 4, matrix[i * n + n - 1] = 1;
  matrix[n * n - 1] = 10;
  factor_cholesky(matrix, n);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    EXPECT_DOUBLE_EQ(matrix[i * n + i], 2);
    EXPECT_DOUBLE_EQ(matrix[i * n + n - 1], 0.5);
    for (std::size_t j = i + 1; j + 1 < n; ++j) EXPECT_EQ(matrix[i * n + j], 0);
  }
  EXPECT_DOUBLE_EQ(matrix[n * n - 1], std::sqrt(10 - 8 * 0.25));
}

TEST(Cholesky, SingularMatricesStillGiveFiniteStepsDownhill) {
  std::mt19937_64 random(3);
  const std::size_t n = 12;
  for (const std::size_t rank : {0U, 1U, 5U, 11U}) {
    std::vector<double> matrix = random_definite(random, n, rank, 0);
    factor_cholesky(matrix, n);
    std::vector<double> gradient(n);
    for (std::size_t i = 0; i < n; ++i) gradient[i] = 1e-3 * (uniform(random) - 0.5);
    std::vector<double> step = gradient;
    solve_cholesky(matrix, n, step);
    double slope = 0;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_FALSE(std::isnan(step[i]));
      slope += gradient[i] * step[i];
    }
    EXPECT_GT(slope, 0) << rank;
  }
}

}  // namespace cholesky_test
}  // namespace gauze::models::internal
