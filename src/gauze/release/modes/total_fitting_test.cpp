#include "gauze/release/modes/total_fitting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "gauze/random/seeded_random.h"

namespace gauze::release {
namespace total_fitting_test {

using ::testing::ElementsAre;

std::int64_t sum_of(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

TEST(TotalFitting, CountsAndRemainderAlwaysAddUpToTheTotal) {
  SeededRandom random(3);
  for (int trial = 0; trial < 20'000; ++trial) {
    std::vector<std::int64_t> noisy(random.below(8));
    const auto floor = static_cast<std::int64_t>(random.below(6));
    for (auto& one : noisy) one = std::max<std::int64_t>(1, floor) + static_cast<std::int64_t>(random.below(30));
    const TotalFitting fitting{.total = static_cast<std::int64_t>(random.below(200)) - 20,
                               .floor = floor,
                               .spread = static_cast<double>(random.below(20))};
    const FittedCounts fitted = fit_to_total(noisy, fitting);
    EXPECT_EQ(sum_of(fitted.counts) + fitted.remainder, std::max<std::int64_t>(0, fitting.total));
    EXPECT_GE(fitted.remainder, 0);
    for (std::size_t i = 0; i < noisy.size(); ++i) {
      EXPECT_TRUE(fitted.counts[i] == 0 || fitted.counts[i] >= floor);
      for (std::size_t j = 0; j < noisy.size(); ++j) {
        EXPECT_TRUE(noisy[i] <= noisy[j] || fitted.counts[i] + 1 >= fitted.counts[j]) << "order is kept";
      }
    }
  }
}

TEST(TotalFitting, ASumAboveTheTotalIsLoweredEvenly) {
  EXPECT_THAT(fit_to_total({10, 20, 30}, {.total = 54}).counts, ElementsAre(8, 18, 28));
  EXPECT_THAT(fit_to_total({1, 20, 30}, {.total = 43}).counts, ElementsAre(0, 16, 27)) << "one has nothing to give";
}

TEST(TotalFitting, TheSmallestDropOutWhereTheFloorLeavesNoRoom) {
  EXPECT_THAT(fit_to_total({7, 9, 8}, {.total = 11, .floor = 5}).counts, ElementsAre(0, 6, 5));
  EXPECT_THAT(fit_to_total({7, 9, 8}, {.total = 4, .floor = 5}).counts, ElementsAre(0, 0, 0));
  EXPECT_EQ(fit_to_total({7, 9, 8}, {.total = 4, .floor = 5}).remainder, 4);
}

TEST(TotalFitting, WhatMayBeNothingGoesFirst) {
  const TotalFitting fitting{.total = 42, .floor = 5, .spread = 2, .doubtful = {false, true, true, true}};
  EXPECT_THAT(fit_to_total({40, 6, 5, 7}, fitting).counts, ElementsAre(42, 0, 0, 0)) << "not lowered for their sake";
}

TEST(TotalFitting, TheLargeDoNotPayForWhatIsMostLikelyNoise) {
  EXPECT_THAT(fit_to_total({40, 5, 5, 6}, {.total = 42, .floor = 5, .spread = 15}).counts, ElementsAre(37, 0, 0, 5));
  EXPECT_THAT(fit_to_total({40, 5, 5, 6}, {.total = 54, .floor = 5, .spread = 15}).counts, ElementsAre(39, 5, 5, 5))
      << "a small excess is no reason to drop a class";
}

TEST(TotalFitting, WhatNoiseExplainsIsSpreadAndTheRestIsARemainder) {
  const FittedCounts near = fit_to_total({10, 10}, {.total = 24, .floor = 5, .spread = 2});
  EXPECT_THAT(near.counts, ElementsAre(12, 12));
  EXPECT_EQ(near.remainder, 0);
  const FittedCounts far = fit_to_total({10, 10}, {.total = 124, .floor = 5, .spread = 2});
  EXPECT_THAT(far.counts, ElementsAre(12, 12));
  EXPECT_EQ(far.remainder, 100);
}

}  // namespace total_fitting_test
}  // namespace gauze::release
