#include "gauze/audit/figures/membership_figures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace membership_figures_test {

std::vector<double> few_scores(SeededRandom& random, std::size_t count, std::uint64_t values) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t drawn = random.below(values);
    scores.push_back(drawn == 0 ? -HUGE_VAL : drawn == values - 1 ? HUGE_VAL : static_cast<double>(drawn));
  }
  return scores;
}

TEST(SortedScores, AreaAndRatesAreThoseOfAllPairsAndThresholds) {
  SeededRandom random(1);
  for (int run = 0; run < 300; ++run) {
    const std::vector<double> in = few_scores(random, 1 + random.below(40), 9);
    const std::vector<double> out = few_scores(random, 1 + random.below(40), 9);
    double won = 0;
    for (const double a : in)
      for (const double b : out) won += a > b ? 1 : a == b ? 0.5 : 0;
    const SortedScores sorted(in, out);
    EXPECT_DOUBLE_EQ(*sorted.area(), won / static_cast<double>(in.size() * out.size()));
    for (const Rational& share : {Rational(1, 100), Rational(1, 10), Rational(1, 4), Rational(1)}) {
      std::optional<double> best;
      if (share * Rational(static_cast<std::int64_t>(out.size())) >= Rational(1)) best = 0;
      for (const double threshold : in) {
        const auto reach = [&](const std::vector<double>& scores) {
          return std::count_if(scores.begin(), scores.end(), [&](double s) { return s >= threshold; });
        };
        if (best && Rational(reach(out)) <= share * Rational(static_cast<std::int64_t>(out.size())))
          best = std::max(*best, static_cast<double>(reach(in)) / static_cast<double>(in.size()));
      }
      EXPECT_EQ(sorted.rate_at(share), best);
    }
  }
}

TEST(SortedScores, BestThresholdIsThatOfTryingAll) {
  SeededRandom random(2);
  for (int run = 0; run < 300; ++run) {
    const std::vector<double> in = few_scores(random, 1 + random.below(30), 7);
    const std::vector<double> out = few_scores(random, 1 + random.below(30), 7);
    const SortedScores sorted(in, out);
    const auto advantage = [&](double threshold) {
      return sorted.members_from(threshold) - sorted.others_from(threshold);
    };
    double best = -1;
    for (const double score : in) best = std::max(best, advantage(score));
    EXPECT_DOUBLE_EQ(advantage(sorted.best_threshold()), best);
  }
}

TEST(MembershipFigures, OfEqualScoresSayNothing) {
  SeededRandom random(3);
  const std::vector<double> same(500, 0.25);
  const MembershipFigures figures = membership_figures(same, same, {Rational(1, 100)}, random);
  EXPECT_DOUBLE_EQ(*figures.auc, 0.5);
  EXPECT_DOUBLE_EQ(*figures.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(*figures.advantage, 0);
  EXPECT_DOUBLE_EQ(*figures.rates.front().tpr, 0);
}

TEST(MembershipFigures, AreAbsentWhereTheyCannotBeMeasured) {
  SeededRandom random(4);
  const std::vector<double> out(50, 0);
  const MembershipFigures one = membership_figures(std::vector<double>{1.0}, out, {Rational(1, 100)}, random);
  EXPECT_DOUBLE_EQ(*one.auc, 1);
  EXPECT_FALSE(one.accuracy || one.advantage);
  EXPECT_FALSE(one.rates.front().tpr) << "one hundredth of 50 is less than one";
  EXPECT_EQ(one.to_json().dump(), R"({"members":1,"nonmembers":50,"auc":1,"accuracy":null,"advantage":null,)"
                                  R"("tpr_at_fpr":[{"fpr":0.01,"tpr":null,"measurable":false}]})");
}

TEST(MembershipFigures, TheAdvantageUnderAClaimIsThatOfRandomisedResponse) {
  for (const double epsilon : {0.0, 0.1, 1.0, 5.0})
    EXPECT_NEAR(advantage_bound(epsilon, 0), std::tanh(epsilon / 2), 1e-15);
  EXPECT_NEAR(advantage_bound(1, 0.01), (std::exp(1) - 1 + 0.02) / (std::exp(1) + 1), 1e-15);
  EXPECT_EQ(advantage_bound(2'000, 0.5), 1);
}

}  // namespace membership_figures_test
}  // namespace gauze::audit
