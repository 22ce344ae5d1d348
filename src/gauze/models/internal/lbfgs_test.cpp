#include "gauze/models/internal/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gauze/models/models_testing.h"

namespace gauze::models::internal {
namespace lbfgs_test {

TEST(Lbfgs, FindsTheBottomOfAQuadraticOfWildlyDifferentScales) {
  std::mt19937_64 random(1);
  const std::size_t n = 40;
  std::vector<double> bottom(n), scale(n);
  for (std::size_t j = 0; j < n; ++j)
    bottom[j] = 10 * uniform(random) - 5, scale[j] = std::pow(10, 8 * uniform(random));
  const auto quadratic = [&](std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    for (std::size_t j = 0; j < n; ++j) {
      value += scale[j] * (x[j] - bottom[j]) * (x[j] - bottom[j]) / 2;
      gradient[j] = scale[j] * (x[j] - bottom[j]);
    }
    return value;
  };
  std::vector<double> curvature = scale;
  for (double& each : curvature) each *= 0.3 + uniform(random);  // known only about
  std::vector<double> x(n, 0);
  const LbfgsOutcome outcome = minimize_lbfgs(quadratic, curvature, 200, 1e-10, x);
  EXPECT_TRUE(outcome.converged);
  EXPECT_LT(outcome.iterations, 60);
  EXPECT_LT(largest_gap(x, bottom), 1e-8);
}

/// log(cosh(x - 3)) summed with a coupling: convex, not quadratic, flat far out.
double valley(std::span<const double> x, std::span<double> gradient) {
  double value = 0;
  for (std::size_t j = 0; j < x.size(); ++j) gradient[j] = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    value += std::log(std::cosh(x[j] - 3));
    gradient[j] += std::tanh(x[j] - 3);
    if (j > 0) {
      const double apart = x[j] - x[j - 1];
      value += apart * apart / 2;
      gradient[j] += apart;
      gradient[j - 1] -= apart;
    }
  }
  return value;
}

TEST(Lbfgs, FindsTheBottomOfAValleyThatIsNotQuadratic) {
  std::vector<double> x = {-40, 12, 0, 3, 77};
  const std::vector<double> curvature(x.size(), 1e-3);  // so wrong that first steps must be halved
  const LbfgsOutcome outcome = minimize_lbfgs(valley, curvature, 500, 1e-9, x);
  EXPECT_TRUE(outcome.converged);
  for (const double each : x) EXPECT_NEAR(each, 3, 1e-9);
}

TEST(Lbfgs, TheValueNeverIncreasesBetweenIterations) {
  double before = INFINITY;
  for (int iterations = 1; iterations < 15; ++iterations) {
    std::vector<double> x = {-40, 12, 0, 3, 77}, gradient(5);
    (void)minimize_lbfgs(valley, std::vector<double>(5, 1.0), iterations, 1e-12, x);
    const double value = valley(x, gradient);
    EXPECT_LE(value, before * (1 + 1e-12) + 1e-300);
    before = value;
  }
}

TEST(Lbfgs, SaysWhenIterationsWereTooFew) {
  std::vector<double> x = {-40, 12, 0};
  const LbfgsOutcome outcome = minimize_lbfgs(valley, std::vector<double>(3, 1.0), 2, 1e-12, x);
  EXPECT_FALSE(outcome.converged);
  EXPECT_EQ(outcome.iterations, 2);
}

}  // namespace lbfgs_test
}  // namespace gauze::models::internal
