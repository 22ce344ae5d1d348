#include "gauze/mechanisms/noise/gaussian_calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"

namespace gauze {
namespace gaussian_calibration_test {

/// The condition of Balle and Wang in long doubles, for parameters where nothing cancels badly.
long double delta_by_hand(long double epsilon, long double ratio) {
  const auto phi = [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; };
  return phi(1 / (2 * ratio) - epsilon * ratio) - std::exp(epsilon) * phi(-1 / (2 * ratio) - epsilon * ratio);
}

TEST(GaussianCalibration, AgreesWithTheFormulaInPlainArithmetic) {
  for (const double epsilon : {0.1, 1.0, 5.0}) {
    for (const double ratio : {0.3, 1.0, 4.0}) {
      const double expected = static_cast<double>(delta_by_hand(epsilon, ratio));
      EXPECT_NEAR(gaussian_delta(Rational(epsilon), Rational(ratio)).middle(), expected, 1e-15);
    }
  }
}

TEST(GaussianCalibration, DecidesTheFarTailAsAllDigitsDo) {
  for (const double epsilon : {1e-6, 1.0, 40.0}) {
    for (const double delta : {1e-300, 1e-150, 1e-6}) {
      const Rational ratio = calibrate_gaussian(Rational(epsilon), Rational(delta));
      for (const double factor : {0.9, 1 - 0x1p-48, 1 - 0x1p-51, 1.0, 1 + 0x1p-50, 1.1}) {
        const Rational near = ratio * Rational(factor);
        EXPECT_EQ(gaussian_delta_is_at_most(Rational(delta), Rational(epsilon), near),
                  gaussian_delta(Rational(epsilon), near, 400).certainly_at_most(Rational(delta)))
            << epsilon << " " << delta << " " << factor;
      }
    }
  }
}

TEST(GaussianCalibration, NeverMissesTheTargetAndWastesNothing) {
  for (const double epsilon : {1e-9, 0.5, 10.0, 300.0}) {
    for (const double delta : {1e-100, 1e-5, 0.99}) {
      const Rational ratio = calibrate_gaussian(Rational(epsilon), Rational(delta));
      EXPECT_TRUE(gaussian_delta(Rational(epsilon), ratio).certainly_at_most(Rational(delta)));
      const Rational less = ratio * Rational(1 - 1e-12);
      EXPECT_FALSE(gaussian_delta(Rational(epsilon), less, 640).certainly_at_most(Rational(delta)))
          << epsilon << " " << delta;
    }
  }
}

TEST(GaussianCalibration, KnowsThePublishedValues) {
  // Computed independently from the condition with 50 digits.
  EXPECT_NEAR(calibrate_gaussian(1, Rational(1e-5)).to_double(), 3.7306316348164, 1e-11);
  // The classical formula sqrt(2 ln(1.25 / delta)) / epsilon gives 4.84.
  EXPECT_LT(calibrate_gaussian(1, Rational(1e-5)).to_double(), std::sqrt(2 * std::log(1.25e5)));
}

TEST(DiscreteGaussianCalibration, TheContinuousConditionOverspends) {
  const auto overspending = [](double epsilon, double delta) {
    const Rational sigma = calibrate_gaussian(Rational(epsilon), Rational(delta));
    return discrete_gaussian_delta(Rational(epsilon), sigma, 1).middle() / delta;
  };
  EXPECT_NEAR(overspending(1, 1e-5), 1.035, 0.001);
  EXPECT_NEAR(overspending(8, 1e-6), 3.01, 0.01);
}

TEST(DiscreteGaussianCalibration, NeverMissesTheTarget) {
  for (const double epsilon : {0.05, 1.0, 2.7, 8.0}) {
    for (const double delta : {1e-12, 1e-6, 1e-3, 0.4}) {
      for (const int sensitivity : {1, 2, 7}) {
        if (is_watched() && sensitivity != 2) continue;
        const Rational sigma = calibrate_discrete_gaussian(Rational(epsilon), Rational(delta), sensitivity);
        EXPECT_TRUE(
            discrete_gaussian_delta(Rational(epsilon), sigma, sensitivity, 400).certainly_at_most(Rational(delta)))
            << epsilon << " " << delta << " " << sensitivity;
        // Never much worse than the continuous mechanism.
        const Rational continuous = calibrate_gaussian(Rational(epsilon), Rational(delta)) * Rational(sensitivity);
        EXPECT_LT(sigma, continuous * Rational(1.6) + Rational(0.2));
      }
    }
  }
}

TEST(DiscreteGaussianDelta, IsNotMonotoneInSigma) {
  // Why the calibrated value itself must be checked.
  bool rises = false;
  double previous = 1;
  for (double sigma = 0.4; sigma < 0.8; sigma += 0.002) {
    const double delta = discrete_gaussian_delta(8, Rational(sigma), 1).middle();
    rises = rises || delta > previous * 1.0001;
    previous = delta;
  }
  EXPECT_TRUE(rises);
}

}  // namespace gaussian_calibration_test
}  // namespace gauze
