#include "gauze/mechanisms/selection/partition_selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gauze/base/testing/watched.h"

namespace gauze {
namespace partition_selection_test {

using Noise = PartitionSelection::Noise;

PartitionSelection make(Noise noise, double epsilon, double delta, std::int64_t m = 1, std::int64_t k = 1) {
  return *PartitionSelection::make(
      {.noise = noise, .epsilon = epsilon, .delta = delta, .max_partitions = m, .min_group = k});
}

TEST(PartitionSelection, LaplaceThresholdIsTheContinuousFormulaUpToTheGrid) {
  for (const auto& [epsilon, delta, m] : {std::tuple{1.0, 1e-5, 1}, {0.1, 1e-8, 1}, {2.0, 1e-6, 5}}) {
    const double share = -std::expm1(std::log1p(-delta) / m);
    const double expected = 1 - m / epsilon * std::log(2 * share);
    EXPECT_NEAR(make(Noise::laplace, epsilon, delta, m).threshold().to_double(), expected, 1e-9 * expected);
  }
}

TEST(PartitionSelection, GeometricThresholdUsesTheExactIntegerTail) {
  // The continuous formula rounded up gives 12 at epsilon 1, delta 1e-5, and would spend 1.22 delta.
  EXPECT_EQ(make(Noise::geometric, 1, 1e-5).threshold().to_double(), 13);
  const double r = std::exp(-1.0);
  const auto tail = [&](int m) { return std::pow(r, m) / (1 + r); };
  EXPECT_LE(tail(13 - 1), 1e-5);
  EXPECT_GT(tail(12 - 1), 1.2e-5);
}

TEST(PartitionSelection, GaussianSplitsDelta) {
  // sigma for (1, 5e-6), threshold 1 + sigma * z with P[Z >= z] = 5e-6.
  const PartitionSelection selection = make(Noise::gaussian, 1, 1e-5);
  EXPECT_NEAR(selection.keep_probability(1), 5e-6, 1e-9);
  EXPECT_NEAR(selection.threshold().to_double(), 18.156923496268, 1e-9);
  // M groups a person: sigma grows with sqrt(M), and z belongs to 1 - (1 - 5e-6)^(1/M). (scipy)
  EXPECT_NEAR(make(Noise::gaussian, 1, 1e-5, 3).threshold().to_double(), 32.277175335865, 1e-9);
  EXPECT_NEAR(make(Noise::gaussian, 1, 1e-5, 4).threshold().to_double(), 37.574074514919, 1e-9);
}

TEST(PartitionSelection, OptimalIsTheRecursion) {
  for (const auto& [total, total_delta, m] :
       {std::tuple{1.0, 1e-5, 1}, {0.2, 1e-3, 1}, {3.0, 1e-9, 1}, {0.5, 0.3, 1}, {2.0, 1e-4, 5}}) {
    const PartitionSelection selection = make(Noise::optimal, total, total_delta, m);
    const double epsilon = total / m;
    const double delta = -std::expm1(std::log1p(-total_delta) / m);
    double p = 0;
    std::int64_t first_certain = 0;
    for (std::int64_t n = 1; n < 400; ++n) {
      const double e = std::exp(epsilon);
      p = std::min({e * p + delta, 1 - (1 - p - delta) / e, 1.0});
      EXPECT_NEAR(selection.keep_probability(n), p, 1e-12) << n;
      if (p == 1 && first_certain == 0) first_certain = n;
    }
    EXPECT_EQ(selection.threshold().to_double(), static_cast<double>(first_certain));
  }
}

class AllNoises : public ::testing::TestWithParam<Noise> {};
std::string name_of(const ::testing::TestParamInfo<Noise>& noise) {
  constexpr const char* kNames[] = {"Laplace", "Gaussian", "Geometric", "Optimal"};
  return kNames[static_cast<int>(noise.param)];
}
INSTANTIATE_TEST_SUITE_P(All, AllNoises,
                         ::testing::Values(Noise::laplace, Noise::gaussian, Noise::geometric, Noise::optimal),
                         name_of);

TEST_P(AllNoises, TheInequalityHoldsBetweenNeighbouringCounts) {
  for (const std::int64_t k : {1, 4}) {
    for (const double epsilon : {0.3, 1.0}) {
      const double delta = 1e-4;
      const PartitionSelection selection = make(GetParam(), epsilon, delta, 1, k);
      for (std::int64_t n = 0; n < 150; ++n) {
        const double here = selection.keep_probability(n), more = selection.keep_probability(n + 1);
        const double e = std::exp(epsilon);
        const double slack = delta * (1 + 1e-9) + 1e-15;
        EXPECT_LE(here, e * more + slack);
        EXPECT_LE(more, e * here + slack) << n;
        EXPECT_LE(1 - here, e * (1 - more) + slack) << n;
        EXPECT_LE(1 - more, e * (1 - here) + slack);
      }
    }
  }
}

TEST_P(AllNoises, GroupsBelowTheMinimumAreNeverKept) {
  const PartitionSelection selection = make(GetParam(), 5, 0.5, 1, 10);
  EXPECT_EQ(selection.keep_probability(9), 0);
  for (int i = 0; i < 2000; ++i) ASSERT_FALSE(selection.release(SecureRandom::of_thread(), 9));
  EXPECT_GT(selection.keep_probability(1000), 0.999);
}

// 20,000 trials: 4.9 sigma is 0.0173; a keep probability that is off by 0.03 is caught in > 99.9 % of runs.
TEST_P(AllNoises, KeepAsOftenAsTheyState) {
  const PartitionSelection selection = make(GetParam(), 0.5, 1e-2);
  for (const std::int64_t users : {4, 9, 14}) {
    double kept = 0;
    const int runs = watched_less(20'000);
    for (int i = 0; i < runs; ++i) kept += selection.release(SecureRandom::of_thread(), users) ? 1 : 0;
    EXPECT_NEAR(kept / runs, selection.keep_probability(users), 0.0173 * std::sqrt(20'000.0 / runs));
  }
}

TEST_P(AllNoises, OptimalKeepsAtLeastAsOften) {
  const PartitionSelection best = make(Noise::optimal, 1, 1e-5);
  const PartitionSelection other = make(GetParam(), 1, 1e-5);
  for (std::int64_t n = 1; n < 60; ++n) EXPECT_GE(best.keep_probability(n), other.keep_probability(n) * (1 - 1e-9));
}

TEST(PartitionSelection, HoldsAtTheEndsOfTheParameterRange) {
  // Counts stay whole on the grid, whatever the noise, and no threshold is cut off.
  const PartitionSelection wide = make(Noise::gaussian, 1e-9, 1e-12, 1'000'000);
  EXPECT_LE(wide.threshold().exponent, 0);
  const PartitionSelection far = make(Noise::geometric, 2.23e-7, 1e-300, 1'000'000'000);
  EXPECT_NEAR(far.threshold().to_double() / (1e9 / 2.23e-7 * (std::log(0.5e9) + 300 * std::log(10.0))), 1, 1e-6);
}

TEST(PartitionSelection, OptimalHoldsAtTheLargestEpsilon) {
  for (const double delta : {1e-300, 1e-5, 0.9}) {
    const PartitionSelection selection = make(Noise::optimal, 1e9, delta);
    EXPECT_NEAR(selection.keep_probability(1) / delta, 1, 1e-12);
    EXPECT_EQ(selection.keep_probability(2), 1);
    EXPECT_LE(selection.threshold().to_double(), 3);
  }
}

TEST(PartitionSelection, ChecksItsParameters) {
  const auto refuses = [](PartitionSelection::Options options) { return !PartitionSelection::make(options); };
  EXPECT_TRUE(refuses({.epsilon = 1}));
  EXPECT_TRUE(refuses({.epsilon = 0, .delta = Rational(1e-5)}));
  EXPECT_TRUE(refuses({.epsilon = 1, .delta = 1}));
  EXPECT_TRUE(refuses({.epsilon = 1, .delta = Rational(1e-5), .max_partitions = 0}));
  EXPECT_TRUE(refuses({.epsilon = 1, .delta = Rational(1e-5), .min_group = 0}));
}

}  // namespace partition_selection_test
}  // namespace gauze
