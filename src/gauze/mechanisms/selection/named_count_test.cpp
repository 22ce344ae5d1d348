#include "gauze/mechanisms/selection/named_count.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace gauze {
namespace named_count_test {

using Noise = NamedCount::Noise;

/// P[Z = z]
double mass(Noise noise, double spread, double z) {
  if (noise == Noise::discrete_laplace) {
    const double q = std::exp(-1 / spread);
    return (1 - q) / (1 + q) * std::pow(q, std::abs(z));
  }
  const auto tail = [&](double x) { return 0.5 * std::erfc(x / (spread * std::sqrt(2.0))); };
  return tail(std::abs(z) - 0.5) - tail(std::abs(z) + 0.5);
}

// Exactly, over all outcomes: whatever the true number, the interval of a group that was named misses with at most 5 %.
TEST(NamedCount, MissesInAtMostFivePercentOfWhatIsNamed) {
  for (const Noise noise : {Noise::discrete_laplace, Noise::rounded_gaussian})
    for (const double spread : {0.4, 1.0, 3.0, 10.0})
      for (const double least : {1.0, 5.0}) {
        const double threshold = least + std::ceil(10 * spread);
        const NamedCount count(
            {.noise = noise, .spread = spread, .threshold = threshold, .least = least, .miss = 0.05});
        std::map<double, NamedCount::Interval> of;
        for (double y = threshold; y <= threshold + 60 * spread + 10; ++y) of[y] = count.interval(y);
        double worst = 0;
        double worst_plain = 0;
        for (double n = least; n < threshold + 15 * spread; ++n) {
          double named = 0;
          double missed = 0;
          double plain = 0;
          for (const auto& [y, found] : of) {
            named += mass(noise, spread, y - n);
            missed += n < found.low || n > found.high ? mass(noise, spread, y - n) : 0;
            plain += std::abs(y - n) > std::ceil(3 * spread) ? mass(noise, spread, y - n) : 0;
          }
          worst = std::max(worst, missed / named);
          worst_plain = std::max(worst_plain, plain / named);
        }
        EXPECT_LE(worst, 0.05 + 1e-9) << spread << ' ' << least;
        EXPECT_GT(worst_plain, 0.99) << "a small group that is named lies far above its true number";
      }
}

TEST(NamedCount, FarAboveTheThresholdIsAnyCount) {
  const NamedCount count({.spread = 10, .threshold = 150, .least = 1, .miss = 0.05});
  const NamedCount::Interval far = count.interval(5000);
  EXPECT_NEAR(5000 - far.low, 10 * std::log(20.0), 1.5);
  EXPECT_NEAR(far.high - 5000, 10 * std::log(20.0), 1.5);
  EXPECT_EQ(count.interval(150).low, 1) << "it may be any number that can be named";
  EXPECT_LT(count.interval(150).high, 180);
  const NamedCount normal(
      {.noise = Noise::rounded_gaussian, .spread = 10, .threshold = 60, .least = 1, .miss = 0.05});
  EXPECT_NEAR(5000 - normal.interval(5000).low, 19.6, 1.5);
  EXPECT_NEAR(normal.interval(5000).high - 5000, 19.6, 1.5);
}

TEST(NamedCount, HoldsWhatWasSeenWhereverItLies) {
  for (const Noise noise : {Noise::discrete_laplace, Noise::rounded_gaussian})
    for (const double spread : {1e-3, 1.0, 1e6, 1e12})
      for (const double noisy : {20.0, 21.0, 1e6, 1e15}) {
        const auto interval =
            NamedCount({.noise = noise, .spread = spread, .threshold = 20, .least = 1, .miss = 0.01}).interval(noisy);
        EXPECT_LE(interval.low, noisy);
        EXPECT_GE(interval.high, noisy);
        EXPECT_GE(interval.low, 1);
        EXPECT_TRUE(std::isfinite(interval.high));
      }
}

}  // namespace named_count_test
}  // namespace gauze
