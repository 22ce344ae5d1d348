#include "gauze/statistics/kolmogorov_smirnov.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gauze {
namespace kolmogorov_smirnov_test {

TEST(KolmogorovGap, LooksAtBothSidesOfEveryStep) {
  const auto uniform = [](double x) { return x; };
  EXPECT_DOUBLE_EQ(kolmogorov_gap(std::vector<double>{0.5}, uniform), 0.5);
  EXPECT_DOUBLE_EQ(kolmogorov_gap(std::vector<double>{0.9, 0.1}, uniform), 0.4);
  EXPECT_NEAR(kolmogorov_gap(std::vector<double>{0.125, 0.375, 0.625, 0.875}, uniform), 0.125, 1e-15);
}

TEST(KolmogorovGap, JumpsOfTheLawAreNoGap) {
  const auto coin = [](double x) { return x < 0 ? 0.0 : x < 1 ? 0.5 : 1.0; };
  const auto below = [](double x) { return x <= 0 ? 0.0 : x <= 1 ? 0.5 : 1.0; };
  EXPECT_DOUBLE_EQ(kolmogorov_gap(std::vector<double>{0, 1, 0, 1}, coin, below), 0);
  EXPECT_DOUBLE_EQ(kolmogorov_gap(std::vector<double>{0, 0, 0, 1}, coin, below), 0.25);
}

TEST(KolmogorovPValue, IsMassartsBound) {
  EXPECT_DOUBLE_EQ(kolmogorov_p_value(0.1, 200), 2 * std::exp(-4));
  EXPECT_EQ(kolmogorov_p_value(0, 200), 1);
}

TEST(TwoSamples, GapAndItsChance) {
  const std::vector<double> low = {1, 2, 3, 4};
  const std::vector<double> high = {3, 4, 5, 6};
  EXPECT_DOUBLE_EQ(two_sample_gap(low, high), 0.5);
  EXPECT_DOUBLE_EQ(two_sample_gap(low, low), 0);
  // The limit law at 1.3581 is 5 %, at 1.6276 1 % (Smirnov's table).
  const double root = std::sqrt(1000.0 * 1000.0 / 2000.0);
  EXPECT_NEAR(two_sample_p_value(1.3581 / root, 1000, 1000), 0.05, 1e-4);
  EXPECT_NEAR(two_sample_p_value(1.6276 / root, 1000, 1000), 0.01, 1e-4);
  EXPECT_EQ(two_sample_p_value(0, 10, 10), 1);
}

}  // namespace kolmogorov_smirnov_test
}  // namespace gauze
