#include "gauze/collect/plan/planner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace gauze::collect::planner_test {
namespace {

CollectionPlan plan(double epsilon, std::uint32_t size, Question question = Question::frequency) {
  PlanRequest request;
  request.question = question;
  request.epsilon_nano = static_cast<std::uint64_t>(std::llround(epsilon * 1e9));
  request.users = 1000;
  request.size = size;
  return *plan_collection(request);
}

std::map<std::string, PlannedMechanism> by_name(const CollectionPlan& plan) {
  std::map<std::string, PlannedMechanism> all;
  for (const PlannedMechanism& one : plan.alternatives) all.emplace(one.mechanism->name, one);
  return all;
}

// The textbook's variances at f = 0, times n (Wang, Blocki, Li, Jha 2017): laws in integers differ by less than 1e-7.
TEST(Planner, HasTheVariancesOfTheTextbook) {
  for (const double epsilon : {0.001, 0.5, 1.0, 4.0, 8.0, 16.0}) {
    constexpr std::uint32_t kSize = 100;
    const auto all = by_name(plan(epsilon, kSize));
    const double e = std::exp(epsilon);
    const double s = std::exp(epsilon / 2);
    const auto near = [&](const std::string& name, double expected, double tolerance = 1e-6) {
      EXPECT_NEAR(all.at(name).variance * 1000 / expected, 1, tolerance) << name << " at " << epsilon;
    };
    near("de", (kSize - 2 + e) / ((e - 1) * (e - 1)), 2e-6);
    near("oue", 4 * e / ((e - 1) * (e - 1)), 2e-6);
    near("sue", s / ((s - 1) * (s - 1)), 4e-6);
    near("blh", (e + 1) * (e + 1) / ((e - 1) * (e - 1)), 2e-6);
    near("hr", (e + 1) * (e + 1) / ((e - 1) * (e - 1)), 2e-6);
    near("she", 8 / (epsilon * epsilon), 1e-4);
  }
}

// `the` is cheaper than it says; every other law costs what it declares, within 1e-6 and never more.
TEST(Planner, CostsNeverExceedWhatIsDeclared) {
  for (const double epsilon : {0.001, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 15.999999999, 16.0}) {
    for (const Question question : {Question::frequency, Question::mean}) {
      for (const PlannedMechanism& one :
           plan(epsilon, question == Question::mean ? 0 : 1000, question).alternatives) {
        const double cost = static_cast<double>(one.cost_nano) * 1e-9;
        EXPECT_LE(one.cost_nano, static_cast<std::uint64_t>(std::llround(epsilon * 1e9))) << one.mechanism->name;
        EXPECT_GT(one.cost_nano, 0U) << one.mechanism->name;
        if (one.mechanism->name != "the") {
          EXPECT_NEAR(cost, epsilon, 1e-6) << one.mechanism->name;
        }
      }
    }
  }
}

TEST(Planner, ChoosesLeastVarianceAndThenFewestBytes) {
  EXPECT_EQ(plan(1, 3).chosen().mechanism->name, "de");
  EXPECT_EQ(plan(4, 40).chosen().mechanism->name, "de");  // ss would be the same with w = 1, in more bytes
  EXPECT_EQ(plan(1, 16).chosen().mechanism->name, "ss");
  // At a million values a bit a value does not fit into a report; hashing does, and is within 5 % of nothing else.
  EXPECT_EQ(plan(1, 1'000'000).chosen().mechanism->name, "olh");
  EXPECT_EQ(plan(0.5, 0, Question::mean).chosen().mechanism->name, "duchi");
  EXPECT_EQ(plan(2, 0, Question::mean).chosen().mechanism->name, "hybrid");
}

TEST(Planner, SaysWhyAMechanismIsNotAllowed) {
  const auto all = by_name(plan(4, 10));
  EXPECT_NE(all.at("olh").refusal.find("hash values"), std::string::npos);
  const auto many = by_name(plan(1, 1'000'000));
  EXPECT_NE(many.at("oue").refusal.find("32768"), std::string::npos);
  EXPECT_TRUE(many.at("hr").refusal.empty());
}

}  // namespace
}  // namespace gauze::collect::planner_test
