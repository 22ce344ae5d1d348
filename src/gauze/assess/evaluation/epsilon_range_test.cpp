#include "gauze/assess/evaluation/epsilon_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/assess/evaluation/evaluation.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::assess {
namespace epsilon_range_test {

/// Distances of an exact law: min(most, scale / epsilon) + floor.
std::vector<Probe> probes_of(double scale, double most, double floor) {
  std::vector<Probe> probes;
  for (int i = -24; i <= 18; ++i) {
    const double epsilon = std::pow(10, i / 3.0);
    probes.push_back({epsilon, std::min(most, scale / epsilon) + floor});
  }
  return probes;
}

TEST(EpsilonRange, SpansFromNothingLeftToNothingGained) {
  for (const double scale : {1e-5, 0.01, 3.0}) {
    const auto epsilons = span_epsilons(probes_of(scale, 0.9, 0));
    ASSERT_EQ(epsilons.size(), 11U);
    EXPECT_NEAR(std::log10(epsilons.front().to_double()), std::log10(scale / 0.5), 0.12);
    EXPECT_NEAR(std::log10(epsilons.back().to_double()), std::log10(scale / 0.002), 0.25);
    for (std::size_t i = 1; i < 11; ++i) EXPECT_LT(epsilons[i - 1], epsilons[i]);
    const double step = epsilons[1].to_double() / epsilons[0].to_double();
    EXPECT_NEAR(epsilons[10].to_double() / epsilons[9].to_double() / step, 1, 0.15) << "logarithmic, two digits";
  }
}

TEST(EpsilonRange, WhatIsLostWithoutNoiseIsNoReasonToGoOn) {
  const auto epsilons = span_epsilons(probes_of(0.01, 0.5, 0.3));
  EXPECT_NEAR(std::log10(epsilons.back().to_double()), std::log10(0.01 / 0.002), 0.25);
}

TEST(EpsilonRange, WhereHalfIsNeverLostTheLargestLossIsTheEnd) {
  const auto epsilons = span_epsilons(probes_of(0.01, 0.2, 0));
  EXPECT_NEAR(std::log10(epsilons.front().to_double()), std::log10(0.01 / 0.2), 0.25);
}

TEST(EpsilonRange, AlwaysGivesElevenThatRise) {
  for (const std::vector<Probe>& probes : {std::vector<Probe>{{1, 0.4}},
                                           {{1, 0}, {10, 0}},
                                           {{1, 1}, {10, 1}},
                                           {{1, 0.1}, {1.001, 0}},
                                           {{1, 0}, {2, 0.7}}}) {
    const auto epsilons = span_epsilons(probes);
    ASSERT_EQ(epsilons.size(), 11U);
    for (std::size_t i = 1; i < 11; ++i) EXPECT_LT(epsilons[i - 1], epsilons[i]);
  }
}

Evaluation of_town(std::uint64_t people, const char* more = "") {
  auto policy = schema::parse_policy(std::string(R"(
version: 1
columns:
  town: {role: quasi, values: [a, b, c, d]}
privacy: {k: 1}
release: {levels: {town: 0}, mode: )") +
                                     more + R"(}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)");
  EXPECT_TRUE(policy) << policy.error().message;
  EvaluationSetting setting;
  setting.policy = *policy;
  setting.repetitions = 20;
  table::MemoryTable::Rows rows;
  for (std::uint64_t i = 0; i < people; ++i) rows.push_back({std::string(1, static_cast<char>('a' + i % 4))});
  table::MemoryTable table({"town"}, std::move(rows));
  Progress progress;
  auto evaluation = Evaluation::run(table, setting, true, progress);
  EXPECT_TRUE(evaluation) << evaluation.error().message;
  return *std::move(evaluation);
}

// With 100 times the people the same loss is reached at a hundredth of epsilon.
TEST(EpsilonRange, FollowsTheSizeOfTheTable) {
  const Evaluation small = of_town(200, "grid");
  const Evaluation large = of_town(20'000, "grid");
  EXPECT_TRUE(small.setting().epsilons_found);
  const double ratio = small.setting().epsilons.front().to_double() / large.setting().epsilons.front().to_double();
  EXPECT_NEAR(std::log10(ratio), 2, 0.3);
  const auto distance = [](const Evaluation& one, std::size_t e) {
    return one.runs()->estimate_of(e, {"tvd"})->mean;
  };
  for (const Evaluation* one : {&small, &large}) {
    EXPECT_GT(distance(*one, 0), 0.25);
    EXPECT_LT(distance(*one, 10), 0.01);
    EXPECT_NE(one->choice().winner, 0U) << "the smallest is one at which nothing is left";
  }
}

TEST(EpsilonRange, EveryModeHasOne) {
  EXPECT_EQ(of_town(500, "select").setting().epsilons.size(), 11U);
  EXPECT_EQ(of_town(500, "grid, kind: records").setting().epsilons.size(), 11U);
  EXPECT_EQ(of_town(500, "grid, cut: 20").setting().epsilons.size(), 11U);
}

}  // namespace epsilon_range_test
}  // namespace gauze::assess
