#include "gauze/models/internal/logistic_loss.h"

#include <gtest/gtest.h>

namespace gauze::models::internal {
namespace logistic_loss_test {

using Wide = long double;

TEST(LogisticLoss, AgreesWithTheDefinitionInMoreDigits) {
  for (int i = -100; i <= 100; ++i) {
    const double score = 0.37 * i;
    const double positive = 3;
    const double negative = 0.25;
    const Wide p = 1 / (1 + std::exp(-static_cast<Wide>(score)));
    const Wide q = 1 / (1 + std::exp(static_cast<Wide>(score)));
    const LossSlope slope = loss_slope(score, positive, negative);
    EXPECT_NEAR(sigmoid(score), static_cast<double>(p), 1e-15);
    EXPECT_NEAR(slope.gradient, static_cast<double>(negative * p - positive * q), 1e-15);
    EXPECT_NEAR(slope.curvature / static_cast<double>((positive + negative) * p * q), 1, 1e-14);
    const Wide loss = -positive * std::log(p) - negative * std::log(q);
    EXPECT_NEAR(logistic_loss(score, positive, negative) / static_cast<double>(loss), 1, 1e-14);
  }
}

TEST(LogisticLoss, TheSlopesAreTheDerivatives) {
  const double step = 1e-5;
  for (const double score : {-7.0, -0.3, 0.0, 0.4, 6.0}) {
    const auto loss = [](double at) { return logistic_loss(at, 2, 5); };
    const auto gradient = [](double at) { return loss_slope(at, 2, 5).gradient; };
    const LossSlope slope = loss_slope(score, 2, 5);
    EXPECT_NEAR(slope.gradient, (loss(score + step) - loss(score - step)) / (2 * step), 1e-8);
    EXPECT_NEAR(slope.curvature, (gradient(score + step) - gradient(score - step)) / (2 * step), 1e-8);
  }
}

TEST(LogisticLoss, SaturatesWithoutOverflow) {
  EXPECT_EQ(sigmoid(1e308), 1);
  EXPECT_EQ(sigmoid(-1e308), 0);
  EXPECT_EQ(logistic_loss(1e6, 1, 0), 0);
  EXPECT_EQ(logistic_loss(1e6, 0, 1), 1e6);
  EXPECT_EQ(loss_slope(-1e6, 1, 0).gradient, -1);
  EXPECT_EQ(loss_slope(-1e6, 0, 1).gradient, 0);
  EXPECT_EQ(loss_slope(1e6, 1, 1).curvature, 0);
}

TEST(LogOdds, AreThoseOfTheRatioWhateverTheSize) {
  EXPECT_DOUBLE_EQ(log_odds(3, 1), std::log(3.0));
  EXPECT_EQ(log_odds(7, 7), 0);
  EXPECT_NEAR(log_odds(1e300, 1e-300), 600 * std::log(10.0), 1e-10);
  EXPECT_NEAR(log_odds(5e-324, 1), -1074 * std::log(2.0), 1e-10);
  EXPECT_EQ(log_odds(0.3 * 1024, 0.7 * 1024), log_odds(0.3, 0.7));
}

TEST(LogOdds, OfOneOutcomeAreSmoothedByHalfARowEach) {
  EXPECT_NEAR(sigmoid(smoothed_log_odds(9, 0)), 0.95, 1e-15);
  EXPECT_NEAR(sigmoid(smoothed_log_odds(0, 4)), 0.1, 1e-15);
  EXPECT_EQ(smoothed_log_odds(0, 0), 0);
}

TEST(PowerOfTwoBelow, IsAtMostTheNumberAndMoreThanItsHalf) {
  for (const double value : {1e-290, 0.3, 1.0, 1.999, 2.0, 3e7, 1e300}) {
    const double power = power_of_two_below(value);
    EXPECT_LE(power, value);
    EXPECT_GT(2 * power, value);
    int exponent = 0;
    EXPECT_EQ(std::frexp(power, &exponent), 0.5);
  }
}

}  // namespace logistic_loss_test
}  // namespace gauze::models::internal
