#include "gauze/mechanisms/internal/quadrature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace gauze::internal {
namespace quadrature_test {

double applied(const Quadrature& rule, const std::function<double(double)>& f) {
  double sum = 0;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) sum += rule.weights[k] * f(rule.nodes[k]);
  return sum;
}

TEST(GaussLegendre, IntegratesPolynomialsUpToItsDegreeAndNoFurther) {
  for (const std::size_t n : {1U, 2U, 5U, 12U}) {
    for (std::size_t power = 0; power < 2 * n; ++power) {
      const auto f = [=](double x) { return std::pow(x, static_cast<double>(power)); };
      EXPECT_NEAR(applied(gauss_legendre(n), f), 1 / static_cast<double>(power + 1), 1e-14) << n << " " << power;
    }
  }
  const auto quartic = [](double x) { return x * x * x * x; };
  EXPECT_GT(std::abs(applied(gauss_legendre(2), quartic) - 0.2), 1e-3);
}

TEST(GaussSum, AddsUpPolynomialsUpToItsDegree) {
  for (const std::size_t n : {1U, 3U, 12U}) {
    for (const std::int64_t points : {48, 49, 200, 4097}) {
      const Quadrature rule = gauss_sum(n, points);
      for (std::size_t power = 0; power < 2 * n; ++power) {
        const auto f = [=](double v) {
          return std::pow((2 * v + 1) / static_cast<double>(points) - 0.9, static_cast<double>(power));
        };
        double expected = 0;
        for (std::int64_t v = 0; v < points; ++v) expected += f(static_cast<double>(v));
        EXPECT_NEAR(applied(rule, f) / expected, 1, 1e-12) << n << " of " << points << " to the " << power;
      }
    }
  }
}

TEST(GaussSum, AddsUpExponentialsOfAnyNumberOfTerms) {
  for (const std::int64_t points : {1'000LL, 1'000'000LL, 1'000'000'000'000LL}) {
    // Sum of r^v for v below n, r = e^(-1/n): a geometric series.
    const auto n = static_cast<double>(points);
    const double expected = std::expm1(-1.0) / std::expm1(-1 / n);
    EXPECT_NEAR(applied(gauss_sum(12, points), [=](double v) { return std::exp(-v / n); }) / expected, 1, 1e-14);
  }
}

TEST(GaussSum, StaysBetweenTheFirstAndTheLast) {
  for (std::int64_t points = 48; points < 400; ++points) {
    const Quadrature rule = gauss_sum(12, points);
    for (std::size_t k = 0; k < 12; ++k) {
      EXPECT_GE(rule.nodes[k], 0);
      EXPECT_LE(rule.nodes[k], static_cast<double>(points - 1));
      EXPECT_GT(rule.weights[k], 0);
      EXPECT_TRUE(k == 0 || rule.nodes[k] > rule.nodes[k - 1]) << points;
    }
  }
}

}  // namespace quadrature_test
}  // namespace gauze::internal
