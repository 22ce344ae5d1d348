// The sums behind the figures of integer noise, and the sums behind clamped statistics.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "gauze/mechanisms/internal/discrete_gaussian_sum.h"
#include "gauze/mechanisms/internal/fixed_point_sum.h"
#include "gauze/mechanisms/internal/parameters.h"

namespace gauze::internal {
namespace exact_sums_test {

long double weight(long double sigma, long double x) { return std::exp(-x * x / (2 * sigma * sigma)); }

// Poisson's summation formula: the sum over the integers is sigma sqrt(2 pi) times that of the transform.
TEST(DiscreteGaussianSum, TotalIsTheSumOfTheTransformToo) {
  for (const double sigma : {0.05, 0.3, 0.4, 1.0, 7.5, 300.0}) {
    const long double s = sigma, pi = std::numbers::pi_v<long double>;
    long double transformed = 1;
    for (int k = 1; k < 200; ++k) transformed += 2 * std::exp(-2 * pi * pi * s * s * k * k);
    const double expected = static_cast<double>(s * std::sqrt(2 * pi) * transformed);
    const Interval total = discrete_gaussian_total(Rational(sigma), 128);
    EXPECT_NEAR(total.middle() / expected, 1, 1e-15) << sigma;
    EXPECT_LE(total.high() - total.low(), 1e-15 * expected);
  }
}

TEST(DiscreteGaussianSum, TailIsTheSumOfItsTerms) {
  for (const double sigma : {0.2, 1.0, 3.7, 60.0}) {
    long double total = 1;
    for (int x = 1; x < 40 * sigma + 20; ++x) total += 2 * weight(sigma, x);
    for (const std::int64_t m : {1, 2, 5, 17, 100}) {
      long double tail = 0;
      for (auto x = m + static_cast<std::int64_t>(40 * sigma + 20); x >= m; --x)
        tail += weight(sigma, static_cast<long double>(x));
      const double expected = static_cast<double>(tail / total);
      const Interval p = discrete_gaussian_tail(Rational(sigma), m, 128);
      if (expected < 1e-300) continue;
      EXPECT_NEAR(p.middle() / expected, 1, 1e-14) << sigma << " " << m;
    }
  }
}

TEST(DiscreteGaussianSum, LongTailsAreEnclosedByTheNormalOnes) {
  // So wide that integers are as good as reals: the tail from m - 1/2 of the normal law, within 1 / sigma^2.
  for (const double sigma : {1e5, 1e9}) {
    for (const double z : {0.1, 1.0, 6.0}) {
      const auto m = static_cast<std::int64_t>(z * sigma);
      const double normal = std::erfc((static_cast<double>(m) - 0.5) / sigma / std::numbers::sqrt2) / 2;
      const Interval p = discrete_gaussian_tail(Rational(sigma), m, 128);
      EXPECT_LE(p.low(), normal * (1 + 1e-9));
      EXPECT_GE(p.high(), normal * (1 - 1e-9));
      EXPECT_NEAR(p.middle() / normal, 1, 1e-9) << sigma << " " << z;
    }
  }
}

TEST(DiscreteGaussianSum, VarianceIsRoundedUpAndNoMore) {
  for (const double sigma : {0.1, 0.5, 1.0, 4.2, 250.0}) {
    long double total = 1, squares = 0;
    for (int x = 1; x < 40 * sigma + 20; ++x) {
      total += 2 * weight(sigma, x);
      squares += 2 * weight(sigma, x) * x * x;
    }
    const double variance = discrete_gaussian_variance(Rational(sigma)),
                 expected = static_cast<double>(squares / total);
    EXPECT_GE(variance, expected * (1 - 1e-15)) << sigma;
    EXPECT_LE(variance, expected * (1 + 1e-12)) << sigma;
  }
}

/// One number by the definition, in exact fractions: scaled, clamped, to the nearest (even on ties).
std::int64_t by_definition(double value, const FixedPoint& how) {
  double scaled = value * how.scale;
  if (std::isnan(scaled)) scaled = how.if_nan;
  scaled = std::clamp(scaled, how.lower, how.upper);
  return static_cast<std::int64_t>(std::nearbyint(scaled));
}

TEST(FixedPointSum, IsTheSumOfTheRoundedNumbersForAnyLength) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> usual(-3000, 3000);
  constexpr double kEdges[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, 1e300, -1e300, 5e-324, HUGE_VAL, -HUGE_VAL};
  const FixedPoint how{.scale = 4, .lower = -4001, .upper = 7999, .if_nan = 17};
  for (std::size_t length = 0; length < 200; ++length) {
    std::vector<double> values(length);
    std::int64_t expected = 0;
    for (double& value : values) {
      const auto choice = generator() % 16;
      value = choice < 11 ? kEdges[choice] : choice == 11 ? std::nan("") : usual(generator);
      expected += by_definition(value, how);
    }
    EXPECT_EQ(fixed_point_block_sum(values, how), expected) << length;
  }
}

TEST(FixedPointSum, ABlockOfTheLargestNumbersFits) {
  const FixedPoint how{.scale = 1, .lower = -0x1p50, .upper = 0x1p50, .if_nan = 0};
  const std::vector<double> highest(kFixedPointBlock, 1e300), lowest(kFixedPointBlock, -1e300);
  EXPECT_EQ(fixed_point_block_sum(highest, how), std::int64_t{1} << 62);
  EXPECT_EQ(fixed_point_block_sum(lowest, how), -(std::int64_t{1} << 62));
}

TEST(Parameters, TakeTheEndsOfTheirRangesAndNothingBeyond) {
  const Rational tiny = Rational::power_of_two(-1100), one(1), billion(1'000'000'000);
  for (const Rational& good : {one / billion, one, billion}) EXPECT_TRUE(check_epsilon(good));
  for (const Rational& bad : {Rational(0), -one, one / billion - tiny, billion + tiny, Rational(std::nan(""))})
    EXPECT_EQ(check_epsilon(bad).error().code, ErrorCode::invalid_parameter);
  EXPECT_TRUE(check_delta(Rational::parse("1e-300").value()));
  for (const char* bad : {"0", "1", "-0.1", "9e-301"}) EXPECT_FALSE(check_delta(Rational::parse(bad).value())) << bad;
  EXPECT_TRUE(check_integer_sensitivity(Rational::power_of_two(52)));
  EXPECT_FALSE(check_integer_sensitivity(Rational::power_of_two(52) + one));
  EXPECT_FALSE(check_integer_sensitivity(Rational(3, 2)));
  EXPECT_TRUE(check_granularity_bits(0) && check_granularity_bits(48));
  EXPECT_FALSE(check_granularity_bits(-1) || check_granularity_bits(49));
  EXPECT_TRUE(check_dimension(1) && check_dimension(std::int64_t{1} << 40));
  EXPECT_FALSE(check_dimension(0) || check_dimension((std::int64_t{1} << 40) + 1));
}

}  // namespace exact_sums_test
}  // namespace gauze::internal
