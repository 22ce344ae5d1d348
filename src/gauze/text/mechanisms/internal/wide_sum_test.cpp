#include "gauze/text/mechanisms/internal/wide_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace gauze::text::internal {
namespace wide_sum_test {

double sum_of(const std::vector<double>& values) {
  WideSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

TEST(WideSum, IsTheSameInAnyOrderAndNearTheSumOfLongDoubles) {
  std::mt19937_64 random(1);
  std::vector<double> values;
  long double expected = 0;
  for (int i = 0; i < 10'000; ++i) {
    values.push_back(std::ldexp(1 + static_cast<double>(random() % 1000) / 1000, -static_cast<int>(random() % 180)));
    expected += values.back();
  }
  const double sum = sum_of(values);
  EXPECT_NEAR(sum / static_cast<double>(expected), 1, 1e-14);
  for (int i = 0; i < 10; ++i) {
    std::shuffle(values.begin(), values.end(), random);
    EXPECT_EQ(sum_of(values), sum);
  }
}

TEST(WideSum, KeepsSmallNumbersBesideLargeOnes) {
  EXPECT_EQ(sum_of({0x1p-180, 0x1p-180}), 0x1p-179);
  EXPECT_EQ(sum_of({0x1.8p30, 0x1p-20}), 0x1.8p30 + 0x1p-20);
  WideSum sum;
  sum.add(0x1p30);
  for (int i = 0; i < 1024; ++i) sum.add(0x1p-190);
  EXPECT_EQ(sum.value(), 0x1p30);
  EXPECT_EQ(sum_of(std::vector<double>(1U << 20, 0x1p-60)), 0x1p-40);
}

TEST(WideSum, TakesNothingForNothing) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({0, 0x1p-1070, 0x1p-300}), 0) << "below its unit";
  EXPECT_EQ(sum_of({1, 1, 1}), 3);
}

}  // namespace wide_sum_test
}  // namespace gauze::text::internal
