#include "gauze/assess/scores/requirements.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gauze::assess {
namespace requirements_test {

TEST(Requirement, IsAFigureASignAndANumber) {
  const auto tvd = Requirement::parse("tvd<=0.05");
  ASSERT_TRUE(tvd);
  EXPECT_EQ(tvd->figure, "tvd");
  EXPECT_TRUE(tvd->at_most);
  EXPECT_EQ(tvd->bound, 0.05);
  const auto accuracy = Requirement::parse("accuracy >= 7.8e-1");
  ASSERT_TRUE(accuracy);
  EXPECT_EQ(accuracy->figure, "utility.models.logistic.accuracy");
  EXPECT_FALSE(accuracy->at_most);
  EXPECT_EQ(accuracy->bound, 0.78);
  EXPECT_EQ(Requirement::parse("eod.home town<=0.1")->figure, "fairness.home town.eod_max");
  EXPECT_EQ(Requirement::parse("a<b<=1")->figure, "a<b") << "a column may be called so";
  for (const char* wrong : {"", "tvd", "tvd<0.1", "tvd=0.1", "<=0.1", "tvd<=", "tvd<=five", "tvd=<1", "tvd<=nan"})
    EXPECT_FALSE(Requirement::parse(wrong)) << wrong;
}

TEST(Requirement, IsMetAtItsBoundAndNeverByWhatIsNotScored) {
  const Requirement most = *Requirement::parse("tvd<=0.5");
  const Requirement least = *Requirement::parse("utility.score>=0.5");
  EXPECT_TRUE(most.met(0.5) && most.met(-1) && !most.met(0.5000001) && !most.met(std::nan("")));
  EXPECT_TRUE(least.met(0.5) && least.met(2) && !least.met(0.4999) && !least.met(std::nan("")));
}

// 0.05^(1/n) >= c: n = ln 0.05 / ln c, rounded up.
TEST(Requirements, TheFewestRepetitionsFollowFromTheCertainty) {
  EXPECT_EQ(repetitions_for(0.9), 29U);
  EXPECT_EQ(repetitions_for(0.95), 59U);
  EXPECT_EQ(repetitions_for(0.99), 299U);
  EXPECT_EQ(repetitions_for(0.01), 1U);
}

TEST(Requirements, AllMustBeMetInTheSameRun) {
  const std::vector<Requirement> both = {*Requirement::parse("a<=1"), *Requirement::parse("b>=1")};
  const Confirmation one = confirm(both, {{0, 0, 5, 5}, {2, 0, 2, 0}});
  EXPECT_EQ(one.hits, 1U);
  EXPECT_EQ(one.runs, 4U);
  EXPECT_EQ(one.share(), 0.25);
  EXPECT_NEAR(one.low, 1 - std::pow(0.95, 0.25), 1e-6) << "P[X >= 1] = 5 %";
  const Confirmation all = confirm({both[0]}, {std::vector<double>(59, 0)});
  EXPECT_NEAR(all.low, std::pow(0.05, 1.0 / 59), 1e-6);
}

TEST(Requirements, EveryLargerOneMustPass) {
  const auto list = [](std::vector<double> lows) {
    std::vector<Confirmation> made;
    for (const double low : lows) made.push_back({.hits = 0, .runs = 1, .low = low});
    return made;
  };
  EXPECT_EQ(first_passing(list({0.1, 0.95, 0.2, 0.91, 0.9}), 0.9), 3U) << "the second passes by chance";
  EXPECT_EQ(first_passing(list({0.95, 0.95}), 0.9), 0U);
  EXPECT_EQ(first_passing(list({0.95, 0.85}), 0.9), 2U);
  EXPECT_EQ(first_passing({}, 0.9), 0U);
}

}  // namespace requirements_test
}  // namespace gauze::assess
