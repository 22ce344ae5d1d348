#include "gauze/mechanisms/aggregates/bounded_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gauze/mechanisms/aggregates/bounded_statistics.h"
#include "gauze/mechanisms/internal/fixed_point_sum.h"

namespace gauze {
namespace bounded_sum_test {

/// Numbers as they come: ordinary, tiny, huge, infinite, undefined.
std::vector<double> wild_numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal(0, 40);
  std::vector<double> values(count);
  for (double& value : values) {
    switch (generator() % 12) {
      case 0:
        value = std::nan("");
        break;
      case 1:
        value = HUGE_VAL;
        break;
      case 2:
        value = -1e308;
        break;
      case 3:
        value = 5e-324;
        break;
      case 4:
        value = -0.0;
        break;
      default:
        value = normal(generator);
    }
  }
  return values;
}

BoundedSum sum_of(std::span<const double> values, const BoundedSum::Options& options) {
  BoundedSum sum = *BoundedSum::make(options);
  sum.add(values);
  return sum;
}

TEST(BoundedSum, EqualsTheSumOfClampedFractions) {
  const auto values = wild_numbers(5000, 1);
  const BoundedSum sum = sum_of(values, {.lower = -10.3, .upper = 77.7, .nan_as = 3});
  const Rational granule = Rational::power_of_two(sum.exact().exponent);
  Rational expected(0);
  for (double value : values) {
    if (std::isnan(value)) value = 3;
    Rational clamped = std::isinf(value) ? sum.upper() : Rational(value);
    clamped = std::clamp(clamped, sum.lower(), sum.upper());
    expected += clamped;
  }
  // Each number is at most half a granule off.
  const Rational error = sum.exact().to_rational() - expected;
  EXPECT_LE(error, granule * Rational(2500));
  EXPECT_GE(error, granule * Rational(-2500));
}

TEST(BoundedSum, IsTheSameForEveryOrderAndEverySplit) {
  auto values = wild_numbers(20'011, 2);
  const BoundedSum::Options options{.lower = -1e-3, .upper = 1e9};
  const GridValue whole = sum_of(values, options).exact();
  std::mt19937_64 generator(3);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(values.begin(), values.end(), generator);
    BoundedSum parts = *BoundedSum::make(options);
    std::size_t begin = 0;
    while (begin < values.size()) {
      const std::size_t length = std::min<std::size_t>(values.size() - begin, 1 + generator() % 3000);
      ASSERT_TRUE(parts.merge(sum_of(std::span(values).subspan(begin, length), options)));
      begin += length;
    }
    EXPECT_TRUE(parts.exact().units == whole.units);
  }
}

TEST(BoundedSum, VectorCodeEqualsOneByOne) {
  const FixedPoint how{.scale = 1024, .lower = -5000, .upper = 9000, .if_nan = 17};
  const auto values = wild_numbers(1003, 4);
  std::int64_t expected = 0;
  for (const double value : values) {
    double y = value * how.scale;
    y = std::isnan(y) ? how.if_nan : std::clamp(y, how.lower, how.upper);
    expected += static_cast<std::int64_t>(std::nearbyint(y));
  }
  EXPECT_EQ(internal::fixed_point_block_sum(values, how), expected);
}

TEST(BoundedSum, SumsBillionsWithoutOverflow) {
  BoundedSum sum = *BoundedSum::make({.lower = -1e80, .upper = 1e80});
  const std::vector<double> values(100'000, 1e80);
  for (int i = 0; i < 20; ++i) sum.add(values);
  EXPECT_NEAR(sum.exact().to_double() / 2e86, 1, 1e-12);
}

TEST(BoundedSum, SensitivityFollowsUnitAndAdjacency) {
  const auto sensitivity = [](double lower, double upper, Neighbours neighbours, std::int64_t rows) {
    return BoundedSum::make({.lower = lower, .upper = upper, .neighbours = neighbours, .max_rows_per_unit = rows})
        ->sensitivity()
        .to_double();
  };
  EXPECT_EQ(sensitivity(-2, 8, Neighbours::add_remove, 1), 8);
  EXPECT_EQ(sensitivity(-9, 8, Neighbours::add_remove, 1), 9);
  EXPECT_EQ(sensitivity(2, 8, Neighbours::replace_one, 1), 6);
  EXPECT_EQ(sensitivity(2, 8, Neighbours::add_remove, 3), 24);
  // Several rows a unit: it may also have none, so what it replaces may be nothing.
  EXPECT_EQ(sensitivity(2, 8, Neighbours::replace_one, 3), 24);
  EXPECT_EQ(sensitivity(-2, 8, Neighbours::replace_one, 3), 30);
}

TEST(BoundedSum, BoundsAreNeverWidenedByTheGranule) {
  const BoundedSum sum = *BoundedSum::make({.lower = -0.1, .upper = 1.0 / 3});
  EXPECT_GE(sum.lower(), Rational(-0.1));
  EXPECT_LE(sum.upper(), Rational(1.0 / 3));
}

TEST(BoundedSum, RefusesMissingOrAbsurdBounds) {
  const auto refuses = [](double lower, double upper) { return !BoundedSum::make({.lower = lower, .upper = upper}); };
  EXPECT_TRUE(refuses(0, 0));
  EXPECT_TRUE(refuses(1, -1));
  EXPECT_TRUE(refuses(std::nan(""), 1));
  EXPECT_TRUE(refuses(0, HUGE_VAL));
  EXPECT_TRUE(refuses(-1e300, 1e300));
  EXPECT_TRUE(refuses(1e15, 1e15 + 0.125));
  EXPECT_FALSE(refuses(1e6, 1e6 + 1));
}

TEST(BoundedSum, OnlyEqualSumsMerge) {
  BoundedSum a = *BoundedSum::make({.lower = 0, .upper = 1});
  EXPECT_FALSE(a.merge(*BoundedSum::make({.lower = 0, .upper = 2})));
  EXPECT_FALSE(a.merge(*BoundedSum::make({.lower = 0, .upper = 1, .max_rows_per_unit = 100})));
  EXPECT_FALSE(a.merge(*BoundedSum::make({.lower = 0, .upper = 1, .neighbours = Neighbours::replace_one})));
  EXPECT_TRUE(a.merge(*BoundedSum::make({.lower = 0, .upper = 1})));
}

TEST(BoundedStatistics, OnlyEqualOnesMerge) {
  PrivateCount count = *PrivateCount::make({});
  EXPECT_FALSE(count.merge(*PrivateCount::make({.max_rows_per_unit = 2})));
  BoundedMean mean = *BoundedMean::make({.lower = 0, .upper = 10});
  EXPECT_FALSE(mean.merge(*BoundedMean::make({.lower = 100, .upper = 110})));
  BoundedVariance variance = *BoundedVariance::make({.lower = 0, .upper = 10});
  EXPECT_FALSE(variance.merge(*BoundedVariance::make({.lower = 100, .upper = 110})));
  EXPECT_TRUE(variance.merge(*BoundedVariance::make({.lower = 0, .upper = 10})));
}

TEST(PrivateCount, IsPublicOnlyUnderReplaceOneWithOneRow) {
  auto open = *PrivateCount::make({.neighbours = Neighbours::replace_one});
  open.add(41);
  EXPECT_EQ(open.release(SecureRandom::of_thread(), 1)->to_double(), 41);
  EXPECT_EQ(PrivateCount::make({.max_rows_per_unit = 3})->sensitivity(), Rational(3));
  EXPECT_EQ(PrivateCount::make({.neighbours = Neighbours::replace_one, .max_rows_per_unit = 3})->sensitivity(),
            Rational(3));
}

TEST(BoundedMean, IsNearTheTruthAndInsideItsBounds) {
  std::vector<double> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 100);
  BoundedMean mean = *BoundedMean::make({.lower = 0, .upper = 100});
  mean.add(values);
  // Noise of scale 50 / 0.5 on the sum, divided by 100,000 rows: 0.03 is 30 scales.
  EXPECT_NEAR(*mean.release(SecureRandom::of_thread(), 1), 49.5, 0.03);
  const BoundedMean empty = *BoundedMean::make({.lower = 5, .upper = 6});
  for (int i = 0; i < 200; ++i) {
    const double value = *empty.release(SecureRandom::of_thread(), Rational(1, 100));
    EXPECT_GE(value, 5);
    EXPECT_LE(value, 6);
  }
}

TEST(BoundedVariance, IsNearTheTruthAndInsideItsBounds) {
  std::vector<double> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 10 : 30;
  BoundedVariance variance = *BoundedVariance::make({.lower = 0, .upper = 50});
  variance.add(values);
  EXPECT_NEAR(*variance.release(SecureRandom::of_thread(), 3), 100, 1);
  const BoundedVariance empty = *BoundedVariance::make({.lower = 0, .upper = 50});
  for (int i = 0; i < 200; ++i) {
    const double value = *empty.release(SecureRandom::of_thread(), Rational(1, 100));
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 625);
  }
}

TEST(BoundedStatistics, PartsTogetherSpendEpsilonAndNoMore) {
  // The same draws, part by part, each with the share of epsilon that docs/proofs/bounded-sum.md gives it.
  const std::vector<double> distances = {-5, 1, 2, 5}, values = {0, 6, 7, 10}, squares = {25, 1, 4, 25};
  for (const Neighbours neighbours : {Neighbours::add_remove, Neighbours::replace_one}) {
    const BoundedSum::Options options{.lower = 0, .upper = 10, .neighbours = neighbours};
    const BoundedSum sum = sum_of(distances, {.lower = -5, .upper = 5, .neighbours = neighbours});
    const BoundedSum square_sum = sum_of(squares, {.lower = 0, .upper = 25, .neighbours = neighbours});
    PrivateCount count = *PrivateCount::make({.neighbours = neighbours});
    count.add(4);
    const int counts = neighbours == Neighbours::add_remove ? 1 : 0;  // else the count is public
    const Rational epsilon = 40;

    BoundedMean mean = *BoundedMean::make(options);
    mean.add(values);
    SeededRandom a(1), b(1);
    const Rational half = epsilon / Rational(1 + counts);
    const double noisy_sum = sum.simulate(b, half)->to_double();
    EXPECT_DOUBLE_EQ(*mean.simulate(a, epsilon), 5 + noisy_sum / count.simulate(b, half)->to_double());

    BoundedVariance variance = *BoundedVariance::make(options);
    variance.add(values);
    SeededRandom c(2), d(2);
    const Rational third = epsilon / Rational(2 + counts);
    const double noisy_squares = square_sum.simulate(d, third)->to_double();
    const double noisy_distances = sum.simulate(d, third)->to_double();
    const double n = count.simulate(d, third)->to_double();
    EXPECT_DOUBLE_EQ(*variance.simulate(c, epsilon), noisy_squares / n - noisy_distances / n * (noisy_distances / n));
  }
}

TEST(BoundedStatistics, SplitAndMergeGiveTheSameAnswer) {
  const auto values = wild_numbers(9000, 5);
  const BoundedSum::Options options{.lower = -20, .upper = 50};
  BoundedVariance whole = *BoundedVariance::make(options), left = whole, right = whole;
  whole.add(values);
  left.add(std::span(values).first(1234));
  right.add(std::span(values).subspan(1234));
  ASSERT_TRUE(right.merge(left));
  SeededRandom a(1), b(1);
  EXPECT_EQ(*whole.simulate(a, 1), *right.simulate(b, 1));
}

}  // namespace bounded_sum_test
}  // namespace gauze
