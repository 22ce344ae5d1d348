#include "gauze/statistics/normal_quantile.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gauze::normal_quantile_test {
namespace {

TEST(NormalQuantile, HasTheValuesOfTables) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.025), -1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.9995), 3.290526731491926, 1e-12);
  EXPECT_NEAR(normal_quantile(1e-9), -5.997807015007687, 1e-13);
}

TEST(NormalQuantile, IsTheInverseOfTheDistribution) {
  for (double probability = 0.001; probability < 1; probability += 0.001)
    EXPECT_NEAR(std::erfc(-normal_quantile(probability) / std::sqrt(2.0)) / 2, probability, 1e-15);
}

}  // namespace
}  // namespace gauze::normal_quantile_test
