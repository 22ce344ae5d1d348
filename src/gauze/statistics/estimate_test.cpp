#include "gauze/statistics/estimate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/statistics/chi_square.h"

namespace gauze {
namespace estimate_test {

TEST(Estimate, MeanSpreadAndTheMiddleOfTheRuns) {
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back(100 - i);
  const auto all = estimate(values);
  ASSERT_TRUE(all);
  EXPECT_DOUBLE_EQ(all->mean, 50);
  EXPECT_DOUBLE_EQ(all->low, 2.5);
  EXPECT_DOUBLE_EQ(all->high, 97.5);
  EXPECT_NEAR(all->sd, std::sqrt(101 * 102 / 12.0), 1e-9);
}

TEST(Estimate, UndefinedRunsDoNotCount) {
  const std::vector<double> values = {std::nan(""), 2, 4};
  EXPECT_DOUBLE_EQ(estimate(values)->mean, 3);
  EXPECT_FALSE(estimate(std::vector<double>{std::nan("")}));
  EXPECT_FALSE(estimate(std::vector<double>{}));
  EXPECT_EQ(to_json(std::nullopt).dump(), "null");
  EXPECT_EQ(estimate(std::vector<double>{7})->sd, 0);
}

TEST(Estimate, OrderChangesNoDigit) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(std::sin(i) / 3);
  const auto forwards = estimate(values);
  std::reverse(values.begin(), values.end());
  const auto backwards = estimate(values);
  EXPECT_EQ(forwards->mean, backwards->mean);
  EXPECT_EQ(forwards->sd, backwards->sd);
}

TEST(Estimate, SharesHaveWilsonsInterval) {
  const Estimate half = estimate_share(15, 30);
  EXPECT_NEAR(half.low, 0.3315, 1e-3);
  EXPECT_NEAR(half.high, 0.6685, 1e-3);
  const Estimate none = estimate_share(0, 30);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.1135, 1e-3);
  EXPECT_EQ(estimate_share(0, 0).high, 1);
}

// Closed forms: one degree is erfc(sqrt(x / 2)), two degrees exp(-x / 2), four exp(-x / 2)(1 + x / 2).
TEST(ChiSquareTail, AgreesWithClosedForms) {
  for (const double x : {0.01, 0.5, 1.0, 3.84, 10.0, 60.0, 300.0}) {
    EXPECT_NEAR(chi_square_tail(x, 1) / std::erfc(std::sqrt(x / 2)), 1, 1e-9) << x;
    EXPECT_NEAR(chi_square_tail(x, 2) / std::exp(-x / 2), 1, 1e-9) << x;
    EXPECT_NEAR(chi_square_tail(x, 4) / (std::exp(-x / 2) * (1 + x / 2)), 1, 1e-9) << x;
  }
  EXPECT_EQ(chi_square_tail(0, 3), 1);
  EXPECT_EQ(chi_square_tail(HUGE_VAL, 3), 0);
  EXPECT_NEAR(chi_square_tail(1000, 1000), 0.494, 1e-3);
}

}  // namespace estimate_test
}  // namespace gauze
