#include "gauze/audit/bounds/independent_runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/random/seeded_random.h"
#include "gauze/statistics/binomial_interval.h"

namespace gauze::audit {
namespace independent_runs_test {

ErrorCode refusal(const EventCounts& counts, double delta, double risk) {
  const auto bound = independent_bound(counts, delta, risk);
  EXPECT_FALSE(bound);
  return bound ? ErrorCode::internal : bound.error().code;
}

// All of 1,000 and none of 1,000: both rates have a closed form, (risk / 2)^(1 / n).
TEST(IndependentBound, HasItsClosedFormWhereTheEventTellsTheSides) {
  const double end = std::pow(0.025, 1.0 / 1000);
  const auto bound = independent_bound({1000, 1000, 0, 1000}, 0, 0.05);
  ASSERT_TRUE(bound);
  EXPECT_NEAR(bound->tpr_lower, end, 1e-9);
  EXPECT_NEAR(bound->fpr_upper, 1 - end, 1e-9);
  EXPECT_NEAR(bound->epsilon_lower, std::log(end / (1 - end)), 1e-6);
  EXPECT_EQ(largest_bound(1000, 1000, 0, 0.05), bound->epsilon_lower);
  // 5,000 runs a side show at most 7.2.
  EXPECT_NEAR(largest_bound(5000, 5000, 0, 0.05), 7.2, 0.05);
}

TEST(IndependentBound, TakesTheBetterOfBothDirections) {
  const auto rare = independent_bound({300, 10'000, 10, 10'000}, 0, 0.05);
  const auto common = independent_bound({9'990, 10'000, 9'700, 10'000}, 0, 0.05);  // the mirror image
  ASSERT_TRUE(rare && common);
  EXPECT_GT(rare->epsilon_lower, 2);
  EXPECT_NEAR(rare->epsilon_lower, common->epsilon_lower, 1e-6);
}

TEST(IndependentBound, IsZeroWhereNothingIsProven) {
  EXPECT_EQ(independent_bound({500, 1000, 500, 1000}, 0, 0.05)->epsilon_lower, 0);
  EXPECT_EQ(independent_bound({0, 1000, 900, 1000}, 0, 0.05)->epsilon_lower, 0);
  EXPECT_EQ(independent_bound({1, 1, 0, 1}, 0, 0.05)->epsilon_lower, 0);
  EXPECT_EQ(independent_bound({400, 1000, 100, 1000}, 0.5, 0.05)->epsilon_lower, 0);
}

TEST(IndependentBound, FallsWithDeltaAndWithConfidence) {
  const EventCounts counts{400, 1000, 50, 1000};
  double last = 10;
  for (const double delta : {0.0, 0.01, 0.1, 0.3}) {
    const double bound = independent_bound(counts, delta, 0.05)->epsilon_lower;
    EXPECT_LT(bound, last);
    last = bound;
  }
  EXPECT_LT(independent_bound(counts, 0, 1e-6)->epsilon_lower, independent_bound(counts, 0, 0.05)->epsilon_lower);
}

TEST(IndependentBound, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal({2, 1, 0, 1}, 0, 0.05), ErrorCode::invalid_parameter);
  EXPECT_EQ(refusal({1, 1, 2, 1}, 0, 0.05), ErrorCode::invalid_parameter);
  EXPECT_EQ(refusal({0, 0, 0, 1}, 0, 0.05), ErrorCode::invalid_parameter);
  EXPECT_EQ(refusal({0, 1, 0, 0}, 0, 0.05), ErrorCode::invalid_parameter);
  EXPECT_EQ(refusal({1, 1, 0, 1}, 1, 0.05), ErrorCode::invalid_parameter);
  EXPECT_EQ(refusal({1, 1, 0, 1}, -0.1, 0.05), ErrorCode::invalid_parameter);
  EXPECT_EQ(refusal({1, 1, 0, 1}, std::nan(""), 0.05), ErrorCode::invalid_parameter);
  EXPECT_EQ(refusal({1, 1, 0, 1}, 0, 0), ErrorCode::invalid_parameter);
}

// Coverage: rates e^1 : 1, at which epsilon is 1 exactly. In 4,000 audits of 500 runs the bound at 20 % may exceed 1 in
// 800 + 4.9 deviations of them: alarms on a right bound with p <= 1e-6.
TEST(IndependentBound, ExceedsTheTruthInAtMostItsShare) {
  SeededRandom random(7);
  const auto hits = [&](double share) {
    std::uint64_t count = 0;
    for (int i = 0; i < 500; ++i) count += static_cast<double>(random.below(1U << 30U)) < share * 0x1p30 ? 1 : 0;
    return count;
  };
  constexpr int kAudits = 4'000;
  int wrong = 0;
  int shown = 0;
  for (int i = 0; i < kAudits; ++i) {
    const double bound = proven_bound({hits(0.2), 500, hits(0.2 / std::exp(1)), 500}, 0, 0.2).epsilon_lower;
    wrong += bound > 1 ? 1 : 0;
    shown += bound > 0.5 ? 1 : 0;
  }
  EXPECT_LE(wrong, 0.2 * kAudits + 4.9 * std::sqrt(0.2 * 0.8 * kAudits));
  EXPECT_GT(shown, kAudits / 2);  // it is not right by saying nothing
}

}  // namespace independent_runs_test
}  // namespace gauze::audit
