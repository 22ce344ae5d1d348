#include "gauze/accounting/conversions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/mechanisms/noise/gaussian_calibration.h"

namespace gauze {
namespace conversions_test {

/// Proposition 12 of Canonne, Kamath, Steinke by brute force over orders.
double zcdp_delta_by_hand(double rho, double epsilon) {
  double best = 1;
  for (double a = 1.0005; a < 5000; a *= 1.0005) {
    const double log_delta = (a - 1) * (a * rho - epsilon) - std::log(a - 1) + a * std::log1p(-1 / a);
    best = std::min(best, std::exp(log_delta));
  }
  return best;
}

TEST(ZcdpConversion, TakesTheBestOrder) {
  for (const double rho : {1e-4, 0.01, 0.5, 3.0}) {
    for (const double delta : {1e-12, 1e-6, 1e-2}) {
      const double epsilon = epsilon_of_zcdp(Rational(rho), Rational(delta)).to_double();
      EXPECT_LE(zcdp_delta_by_hand(rho, epsilon), delta * (1 + 1e-3)) << rho << " " << delta;
      if (epsilon == 0) continue;
      EXPECT_GE(zcdp_delta_by_hand(rho, epsilon * 0.99), delta) << rho << " " << delta;
      EXPECT_LT(epsilon, rho + 2 * std::sqrt(rho * std::log(1 / delta)));
    }
  }
}

TEST(ZcdpConversion, BudgetAndCostAreInverseAndRoundTheSafeWay) {
  for (const double epsilon : {0.01, 1.0, 20.0}) {
    for (const double delta : {1e-15, 1e-6}) {
      const Rational rho = rho_budget(Rational(epsilon), Rational(delta));
      EXPECT_LE(epsilon_of_zcdp(rho, Rational(delta)), Rational(epsilon) * Rational(1 + 1e-12));
      EXPECT_GT(epsilon_of_zcdp(rho * Rational(1.0001), Rational(delta)), Rational(epsilon));
    }
  }
  EXPECT_EQ(epsilon_of_zcdp(Rational(0), Rational(1e-6)), Rational(0));
}

TEST(RdpConversion, IsTheFormula) {
  const double expected = 0.5 + std::log(1 - 1.0 / 8) - std::log(8 * 1e-5) / 7;
  EXPECT_NEAR(epsilon_of_rdp(Rational(0.5), 8, Rational(1e-5)).to_double(), expected, 1e-12);
  EXPECT_NEAR(rdp_budget(Rational(expected), Rational(1e-5), 8).to_double(), 0.5, 1e-12);
  EXPECT_EQ(rdp_budget(Rational(0.01), Rational(1e-5), 2), Rational(0));
  EXPECT_EQ(epsilon_of_rdp(Rational(0), Rational(1000), Rational(0.9)), Rational(0));
}

TEST(GdpConversion, IsTheGaussianMechanism) {
  for (const double mu : {0.1, 1.0, 5.0}) {
    const Rational epsilon = epsilon_of_gdp(Rational(mu), Rational(1e-6));
    EXPECT_TRUE(gaussian_delta(epsilon, Rational(1) / Rational(mu)).certainly_at_most(Rational(1e-6)));
    EXPECT_NEAR(mu_budget(epsilon, Rational(1e-6)).to_double(), mu, 1e-9);
  }
  EXPECT_EQ(epsilon_of_gdp(Rational(1e-8), Rational(0.1)), Rational(0));
}

}  // namespace conversions_test
}  // namespace gauze
