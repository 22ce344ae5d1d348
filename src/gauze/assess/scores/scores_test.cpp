#include "gauze/assess/scores/scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/assess/scores/recommendation.h"
#include "gauze/random/seeded_random.h"

namespace gauze::assess {
namespace scores_test {

using ::testing::ElementsAre;

const double kNone = std::nan("");

// Table 4.6 of the thesis: its own rounded inputs give its scores within 0.02 (the inputs have three digits).
TEST(PublishedScores, ReproduceTheThesisFromItsOwnInputs) {
  const PublishedInputs inputs{
      .epsilons = {0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10},
      .k = {5, 3, 2, 5, 3, 5, 5, 3, 2, 3, 3},
      .tvd = {0.036, 0.023, 0.015, 0.008, 0.006, 0.004, 0.003, 0.002, 0.001, 0.001, 0.000},
      .equalised_odds = {{0.337, 0.266, 0.305, 0.324, 0.329, 0.315, 0.326, 0.341, 0.305, 0.354, 0.324},
                         {0.451, 0.258, 0.303, 0.374, 0.312, 0.313, 0.416, 0.281, 0.286, 0.319, 0.278}}};
  const double privacy[] = {0.964, 0.533, 0.308, 0.867, 0.435, 0.800, 0.760, 0.333, 0.100, 0.267, 0.236};
  const double utility[] = {0.000, 0.371, 0.598, 0.780, 0.848, 0.899, 0.930, 0.944, 0.971, 0.986, 1.000};
  const double fairness[] = {0.096, 1.000, 0.665, 0.371, 0.506, 0.582, 0.253, 0.513, 0.709, 0.341, 0.623};
  const double integrated[] = {0.414, 0.625, 0.502, 0.692, 0.580, 0.764, 0.659, 0.570, 0.544, 0.505, 0.581};
  const std::vector<Scores> scores = published_scores(inputs);
  ASSERT_EQ(scores.size(), 11U);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_NEAR(scores[i].privacy, privacy[i], 0.02) << inputs.epsilons[i];
    EXPECT_NEAR(scores[i].utility, utility[i], 0.02) << inputs.epsilons[i];
    EXPECT_NEAR(scores[i].fairness, fairness[i], 0.02) << inputs.epsilons[i];
    EXPECT_NEAR(integrate(scores[i], {0.4, 0.3, 0.3}), integrated[i], 0.02) << inputs.epsilons[i];
  }
  // Table 4.7: the winners under the four weightings.
  const ScoreTable table = [&] {
    ScoreTable result;
    for (const Scores& one : scores) result.push_back({one});
    return result;
  }();
  const double winners[] = {1, 1, 1, 0.2};
  const double values[] = {0.764, 0.776, 0.816, 0.781};
  for (std::size_t w = 0; w < kWeightings.size(); ++w) {
    const Choice choice = choose(table, kWeightings[w].weights);
    EXPECT_EQ(inputs.epsilons[choice.winner], winners[w]) << kWeightings[w].name;
    EXPECT_NEAR(integrate(scores[choice.winner], kWeightings[w].weights), values[w], 0.02);
  }
}

TEST(PublishedScores, WhereAllRunsAgreeTheFractionIsOne) {
  const auto scores = published_scores({.epsilons = {1, 2}, .k = {5, 5}, .tvd = {0.1, 0.1}, .equalised_odds = {}});
  EXPECT_DOUBLE_EQ(scores[0].privacy, 0.6 + 0.2);
  EXPECT_DOUBLE_EQ(scores[0].utility, 1);
  EXPECT_TRUE(std::isnan(scores[0].fairness));
}

TEST(Scores, PrivacyIsOneMinusWhatAnAttackerMayGain) {
  EXPECT_NEAR(membership_bound(1, 0), (std::exp(1) - 1) / (std::exp(1) + 1), 1e-15);
  EXPECT_NEAR(membership_bound(0, 0.1), 0.1, 1e-15);
  EXPECT_DOUBLE_EQ(privacy_score(1e9, 0), 0);
  EXPECT_GT(privacy_score(0.1, 0), privacy_score(0.2, 0));
}

TEST(Scores, AMissingFairnessLeavesTheOthersTheirProportion) {
  EXPECT_DOUBLE_EQ(integrate({1, 0, kNone}, {0.4, 0.4, 0.2}), 0.5);
  EXPECT_DOUBLE_EQ(integrate({1, 0.5, 0}, {0.4, 0.3, 0.3}), 0.55);
}

// The exact areas against a fine lattice of weights, for random candidates.
TEST(WeightSpace, IsTheShareOfWeightingsEachWins) {
  SeededRandom random(3);
  const auto uniform = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
  for (int trial = 0; trial < 40; ++trial) {
    const bool fair = trial % 3 != 0;
    std::vector<Scores> scores(2 + random.below(6));
    for (Scores& one : scores) one = {uniform(), uniform(), fair ? uniform() : kNone};
    const std::vector<double> shares = weight_space(scores);
    std::vector<double> counted(scores.size(), 0);
    constexpr int kSteps = 300;
    double all = 0;
    for (int a = 0; a < kSteps; ++a) {
      for (int b = 0; b < (fair ? kSteps - a : 1); ++b) {
        Weights weights{(a + 1.0 / 3) / kSteps, (b + 1.0 / 3) / kSteps, 0};
        weights.fairness = 1 - weights.privacy - weights.utility;
        if (!fair) weights = {(a + 0.5) / kSteps, 1 - (a + 0.5) / kSteps, 0};
        std::size_t best = 0;
        for (std::size_t i = 1; i < scores.size(); ++i)
          if (integrate(scores[i], weights) > integrate(scores[best], weights)) best = i;
        counted[best] += 1;
        all += 1;
      }
    }
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      EXPECT_NEAR(shares[i], counted[i] / all, 0.015);
      sum += shares[i];
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(WeightSpace, EqualCandidatesShareNothing) {
  const std::vector<Scores> scores = {{1, 0, 0}, {1, 0, 0}, {0, 1, 1}};
  const auto shares = weight_space(scores);
  EXPECT_NEAR(shares[0] + shares[2], 1, 1e-12);
  EXPECT_EQ(shares[1], 0);
}

TEST(ParetoFront, HoldsWhatNothingBeats) {
  const std::vector<Scores> scores = {{1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0.5}, {0.4, 0.5, 0.5}};
  EXPECT_THAT(pareto_front(scores), ElementsAre(0, 1, 2));
  const std::vector<Scores> without = {{1, 0, kNone}, {0.5, 0, kNone}};
  EXPECT_THAT(pareto_front(without), ElementsAre(0));
}

TEST(Recommendation, ClearOnlyWhenTheIntervalsPart) {
  // Candidate 0 wins 18 of 30: Wilson 0.42 to 0.75; candidate 1 wins 12: 0.25 to 0.58.
  ScoreTable close(2, std::vector<Scores>(30));
  for (std::size_t run = 0; run < 30; ++run) (run < 18 ? close[0] : close[1])[run].utility = 1;
  const Choice open = choose(close, {});
  EXPECT_EQ(open.winner, 0U);
  EXPECT_FALSE(open.clear);
  EXPECT_THAT(open.candidates, ElementsAre(0, 1));
  ScoreTable wide(2, std::vector<Scores>(30));
  for (std::size_t run = 0; run < 30; ++run) (run < 27 ? wide[1] : wide[0])[run].utility = 1;
  const Choice sure = choose(wide, {});
  EXPECT_EQ(sure.winner, 1U);
  EXPECT_EQ(sure.runner_up, 0U);
  EXPECT_TRUE(sure.clear);
  EXPECT_NEAR(sure.win_rate.mean, 0.9, 1e-12);
}

TEST(Recommendation, TiesGoToTheSmallerEpsilon) {
  const ScoreTable same(3, std::vector<Scores>(10, {0.5, 0.5, 0.5}));
  EXPECT_EQ(choose(same, {}).winner, 0U);
  EXPECT_NEAR(win_rates(same, {})[0].mean, 1, 1e-12);
}

}  // namespace scores_test
}  // namespace gauze::assess
