#include "gauze/mechanisms/noise/snapping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gauze/base/testing/watched.h"
#include "gauze/mechanisms/testing/distribution_checks.h"

namespace gauze {
namespace snapping_test {

TEST(SnappingMechanism, StaysOnItsGridAndInsideItsBound) {
  const auto mechanism = SnappingMechanism::make({.epsilon = Rational(1, 2), .sensitivity = 3, .bound = 100});
  ASSERT_TRUE(mechanism);
  EXPECT_EQ(mechanism->grid().exponent(), 3);  // the scale is just above 6
  for (int i = 0; i < 2000; ++i) {
    const GridValue value = mechanism->release(SecureRandom::of_thread(), Rational(90));
    EXPECT_EQ(value.exponent, 3);
    EXPECT_LE(std::abs(value.to_double()), 96);
  }
}

TEST(SnappingMechanism, EpsilonIncludesWhatTheLogarithmLeaks) {
  const auto mechanism = SnappingMechanism::make({.epsilon = 1, .bound = 1'000'000});
  const Rational& scale = mechanism->scale();
  EXPECT_LT(mechanism->nominal_epsilon(), Rational(1));
  const Rational total =
      mechanism->nominal_epsilon() + Rational::power_of_two(-48) * (mechanism->bound() / scale + Rational(2));
  EXPECT_EQ(total, Rational(1));
}

// 100,000 draws, chi-square over the multiples of the grid: false alarm 1e-6; a scale that is 10 % off is caught in >
// 99 %.
TEST(SnappingMechanism, FollowsTheRoundedLaplaceLaw) {
  const auto mechanism = SnappingMechanism::make({.epsilon = 1, .bound = 1000});
  const double c = std::ldexp(1.0, mechanism->grid().exponent()) / mechanism->scale().to_double();
  std::vector<std::int64_t> samples;
  for (int i = 0; i < watched_less(100'000); ++i) {
    samples.push_back(static_cast<std::int64_t>(mechanism->release(SecureRandom::of_thread(), Rational(0)).units));
  }
  std::map<std::int64_t, double> expected;
  for (std::int64_t k = -20; k <= 20; ++k) {
    const double m = std::abs(static_cast<double>(k));
    expected[k] = k == 0 ? 1 - std::exp(-c / 2) : (std::exp(-(m - 0.5) * c) - std::exp(-(m + 0.5) * c)) / 2;
  }
  EXPECT_FALSE(testing::chi_square(expected, samples).alarms());
  double variance = 0;
  for (const auto& [k, p] : expected) variance += p * static_cast<double>(k * k);
  EXPECT_NEAR(mechanism->variance(), std::ldexp(variance, 2 * mechanism->grid().exponent()), 1e-6);
}

TEST(SnappingMechanism, RefusesABoundItCannotKeep) {
  EXPECT_FALSE(SnappingMechanism::make({.epsilon = 1}));
  EXPECT_FALSE(SnappingMechanism::make({.epsilon = 1, .bound = Rational(1, 10)}));
  EXPECT_FALSE(SnappingMechanism::make({.epsilon = 1, .bound = 1e20}));
  EXPECT_FALSE(SnappingMechanism::make({.epsilon = 1, .bound = -5}));
}

TEST(SnappingMechanism, ClampsValuesAndTakesNaNAsZero) {
  const auto mechanism = SnappingMechanism::make({.epsilon = 50, .bound = 10});
  EXPECT_NEAR(mechanism->release(SecureRandom::of_thread(), Rational(1e9)).to_double(), 10, 2);
  EXPECT_NEAR(mechanism->release(SecureRandom::of_thread(), Rational(std::nan(""))).to_double(), 0, 2);
}

}  // namespace snapping_test
}  // namespace gauze
