#include "gauze/statistics/student.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "gauze/statistics/estimate.h"

namespace gauze {
namespace student_test {

TEST(Student, QuantilesAreThoseOfTheTables) {
  // two-sided 95 % of printed tables
  const std::array<std::pair<std::size_t, double>, 6> known = {
      {{1, 12.7062}, {2, 4.30265}, {3, 3.18245}, {4, 2.77645}, {9, 2.26216}, {60, 2.00030}}};
  for (const auto& [degrees, quantile] : known)
    EXPECT_NEAR(student_quantile(0.95, degrees), quantile, 6e-5 * quantile) << degrees;
  EXPECT_NEAR(student_quantile(0.99, 5), 4.03214, 5e-5);
}

TEST(Student, SmallCasesHaveClosedForms) {
  for (const double t : {0.0, 0.3, 1.0, 5.0, 80.0}) {
    EXPECT_NEAR(student_within(t, 1), 2 / std::numbers::pi * std::atan(t), 1e-14);
    EXPECT_NEAR(student_within(t, 2), t / std::sqrt(2 + t * t), 1e-14);
  }
}

TEST(Student, MeansOfFewValuesHaveTheirSpreadAndOfMoreTheirInterval) {
  const auto few = estimate_mean(std::array{3.0, 1.0, 2.0});
  EXPECT_DOUBLE_EQ(few->mean, 2);
  EXPECT_DOUBLE_EQ(few->low, 1);
  EXPECT_DOUBLE_EQ(few->high, 3);
  const auto more = estimate_mean(std::array{1.0, 2.0, 3.0, 4.0, 5.0});
  EXPECT_DOUBLE_EQ(more->mean, 3);
  EXPECT_NEAR(more->high - 3, 2.77645 * std::sqrt(2.5 / 5), 1e-4);
  EXPECT_NEAR(3 - more->low, 2.77645 * std::sqrt(2.5 / 5), 1e-4);
  EXPECT_FALSE(estimate_mean(std::array{std::nan("")}));
}

}  // namespace student_test
}  // namespace gauze
