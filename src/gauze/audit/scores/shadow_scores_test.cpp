#include "gauze/audit/scores/shadow_scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/audit/figures/roc.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace shadow_scores_test {

/// Model by model the scores and memberships of all records.
ShadowScores table_of(const std::vector<std::vector<double>>& values, const std::vector<std::vector<int>>& member) {
  ShadowScores scores{.records = values.front().size(), .models = values.size()};
  for (const auto& row : values) scores.values.insert(scores.values.end(), row.begin(), row.end());
  for (const auto& row : member)
    for (const int one : row) scores.member.push_back(static_cast<std::int8_t>(one));
  return scores;
}

double log_normal(double x, double mean, double deviation) {
  return -(x - mean) * (x - mean) / (2 * deviation * deviation) - std::log(deviation);
}

TEST(Lira, IsTheRatioOfTwoNormals) {
  // target first; record 0 was in models 1 and 2, out of 3 and 4
  const ShadowScores scores = table_of({{1.5}, {2}, {4}, {0}, {1}}, {{1}, {1}, {1}, {0}, {0}});
  const double expected = log_normal(1.5, 3, 1) - log_normal(1.5, 0.5, 0.5);
  EXPECT_NEAR(lira_scores(scores, 0, ShadowVariance::each)[0], expected, 1e-12);
  EXPECT_NEAR(lira_scores(scores, 0, ShadowVariance::shared)[0], expected, 1e-12)
      << "one record: its own is the shared one";
  EXPECT_NEAR(lira_offline_scores(scores, 0, ShadowVariance::each)[0], (1.5 - 0.5) / 0.5, 1e-12);
}

TEST(Lira, SharesDeviationsWhereFewModelsKnowARecord) {
  // two records, spreads 1 and 3 inside, 0.5 and 1.5 outside
  const ShadowScores scores =
      table_of({{1, 1}, {2, 0}, {4, 6}, {0, 0}, {1, 3}}, {{1, 0}, {1, 1}, {1, 1}, {0, 0}, {0, 0}});
  const double in = std::sqrt((2 * 1.0 + 2 * 9.0) / 4);
  const double out = std::sqrt((2 * 0.25 + 2 * 2.25) / 4);
  const std::vector<double> found = lira_scores(scores, 0, ShadowVariance::automatic);
  EXPECT_NEAR(found[0], log_normal(1, 3, in) - log_normal(1, 0.5, out), 1e-12);
  EXPECT_NEAR(found[1], log_normal(1, 3, in) - log_normal(1, 1.5, out), 1e-12);
}

TEST(Lira, TakesAMissingSideFromTheOther) {
  // record 1 is in every shadow: mu_out = mu_in - d, d = 2 from record 0
  const ShadowScores scores =
      table_of({{0, 7}, {3, 5}, {5, 7}, {2, 6}, {2, 6}}, {{0, 1}, {1, 1}, {1, 1}, {0, 1}, {0, 1}});
  const auto offline = lira_offline_scores(scores, 0, ShadowVariance::shared);
  // outside only record 0 has models, and they agree: the deviation is 0, the score too
  EXPECT_EQ(offline[0], 0);
  const ShadowScores spread =
      table_of({{0, 7}, {3, 5}, {5, 7}, {1, 6}, {3, 6}}, {{0, 1}, {1, 1}, {1, 1}, {0, 1}, {0, 1}});
  EXPECT_NEAR(lira_offline_scores(spread, 0, ShadowVariance::shared)[1], (7 - (6 - 2)) / 1.0, 1e-12);
}

TEST(Lira, IsFiniteForInfiniteLogitsAndAbsentForAbsentRecords) {
  const ShadowScores scores = table_of({{HUGE_VAL, 1, 0}, {4, 2, 0}, {HUGE_VAL, 3, 0}, {0, -HUGE_VAL, 0}, {1, 0, 0}},
                                       {{1, 0, -1}, {1, 1, 1}, {1, 1, 0}, {0, 0, 1}, {0, 0, 0}});
  for (const auto& found : {lira_scores(scores, 0, ShadowVariance::automatic),
                            lira_offline_scores(scores, 0, ShadowVariance::automatic)}) {
    EXPECT_TRUE(std::isfinite(found[0]));
    EXPECT_TRUE(std::isfinite(found[1]));
    EXPECT_TRUE(std::isnan(found[2]));
  }
}

TEST(Rmia, IsTheShareOfOtherRecordsThatAreBeaten) {
  SeededRandom random(5);
  for (int run = 0; run < 100; ++run) {
    ShadowScores scores{.records = 12, .models = 1 + 1 + random.below(4)};
    for (std::size_t i = 0; i < scores.records * scores.models; ++i) {
      scores.values.push_back(static_cast<double>(random.below(5)) / 4);
      scores.member.push_back(static_cast<std::int8_t>(random.below(2)));
    }
    const RmiaOptions options{.gamma = random.below(2) == 0 ? 1.0 : 2.0};
    const std::vector<double> found = rmia_scores(scores, 0, options);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < scores.records; ++i) {
      double sums[2] = {};
      double counts[2] = {};
      for (std::size_t m = 1; m < scores.models; ++m) {
        sums[scores.is_member(m, i)] += scores.value(m, i);
        ++counts[scores.is_member(m, i)];
      }
      const double p = counts[1] == 0   ? ((1 + options.a) * sums[0] / counts[0] + 1 - options.a) / 2
                       : counts[0] == 0 ? sums[1] / counts[1]
                                        : (sums[1] / counts[1] + sums[0] / counts[0]) / 2;
      ratios.push_back(scores.value(0, i) == p ? 1 : scores.value(0, i) / p);
    }
    for (std::size_t i = 0; i < scores.records; ++i) {
      double beaten = 0;
      for (std::size_t z = 0; z < scores.records; ++z)
        if (z != i && (ratios[i] == ratios[z] ? 1 : ratios[i] / ratios[z]) >= options.gamma) ++beaten;
      EXPECT_DOUBLE_EQ(found[i], beaten / 11) << run;
    }
  }
}

/// A model that learnt nothing: scores have nothing to do with membership.
TEST(Rmia, FindsNothingInAModelThatLearntNothing) {
  SeededRandom random(6);
  ShadowScores scores{.records = 4'000, .models = 5};
  for (std::size_t i = 0; i < scores.records * scores.models; ++i) {
    scores.values.push_back(random.below(2) == 0 ? 0.4 : 0.6);
    scores.member.push_back(static_cast<std::int8_t>(random.below(2)));
  }
  for (const auto& found : {rmia_scores(scores, 0, {}), lira_scores(scores, 0, ShadowVariance::automatic)}) {
    std::vector<double> in;
    std::vector<double> out;
    for (std::size_t i = 0; i < found.size(); ++i) (scores.is_member(0, i) == 1 ? in : out).push_back(found[i]);
    // the deviation of an AUC of 2,000 and 2,000 scores is at most 0.0092: six of them
    EXPECT_NEAR(*area_under_curve(in, out), 0.5, 0.055);
  }
}

}  // namespace shadow_scores_test
}  // namespace gauze::audit
