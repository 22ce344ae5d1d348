#include "gauze/audit/scores/score_audit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace score_audit_test {

struct Scores {
  std::vector<double> members;
  std::vector<double> others;
};

Scores shifted(std::size_t count, double shift, std::uint64_t seed) {
  SeededRandom random(seed);
  Scores scores;
  const auto about_normal = [&] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.below(1'000'000)) / 1e6;
    return sum;
  };
  for (std::size_t i = 0; i < count; ++i) {
    scores.members.push_back(about_normal() + shift);
    scores.others.push_back(about_normal());
  }
  return scores;
}

TEST(ScoreAudit, GivesNoBoundWhereNobodySaysWhyItWouldBeValid) {
  const Scores scores = shifted(2'000, 1, 1);
  ScoreRequest request{.claimed = {.epsilon = 1, .delta = 0}};
  const auto found = audit_scores(scores.members, scores.others, request);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->one_run || found->clopper_pearson || found->holds);
  ASSERT_EQ(found->warnings.size(), 1u);
  EXPECT_EQ(found->warnings[0].code, "no_bound");
  EXPECT_NEAR(*found->figures.auc, 0.76, 0.03);
}

TEST(ScoreAudit, FindsAClaimBrokenByEitherBound) {
  const Scores scores = shifted(2'000, 4, 2);
  ScoreRequest request{.origin = ScoreOrigin::fair_coins, .claimed = {.epsilon = 1, .delta = 0}};
  EXPECT_EQ(audit_scores(scores.members, scores.others, request)->holds, false);
  request.claimed.epsilon = 20;
  EXPECT_EQ(audit_scores(scores.members, scores.others, request)->holds, true);
  request.origin = ScoreOrigin::independent;
  EXPECT_EQ(audit_scores(scores.members, scores.others, request)->holds, true);
  request.claimed.epsilon = 1;
  const auto broken = audit_scores(scores.members, scores.others, request);
  EXPECT_EQ(broken->holds, false);
  EXPECT_NEAR(*broken->clopper_pearson->threshold, 2, 0.7);
  EXPECT_GT(broken->clopper_pearson->epsilon_lower, broken->alarm_lower);
}

TEST(ScoreAudit, SaysThatALargeDeltaCannotAlarm) {
  const Scores scores = shifted(500, 8, 3);
  const auto found = audit_scores(scores.members, scores.others,
                                  {.origin = ScoreOrigin::fair_coins, .claimed = {.epsilon = 1, .delta = 1e-5}});
  EXPECT_FALSE(found->holds);
  EXPECT_EQ(found->alarm_lower, 0);
  EXPECT_EQ(found->warnings[0].code, "cannot_alarm");
}

TEST(ScoreAudit, OneMemberIsTooFewForAThreshold) {
  const auto found = audit_scores(std::vector<double>{1.0}, std::vector<double>{0.0, 0.5},
                                  {.origin = ScoreOrigin::independent, .claimed = {.epsilon = 1, .delta = 0}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->clopper_pearson->epsilon_lower, 0);
  EXPECT_FALSE(found->clopper_pearson->threshold);
  EXPECT_EQ(found->holds, true);
}

TEST(ScoreAudit, NeedsBothKinds) {
  const std::vector<double> some = {1, 2};
  EXPECT_EQ(audit_scores(some, {}, {}).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(audit_scores({}, some, {}).error().code, ErrorCode::invalid_parameter);
}

TEST(ScoreAudit, SortedFilesGiveWhatShuffledOnesGive) {
  Scores scores = shifted(3'000, 0.5, 4);
  const auto before = audit_scores(scores.members, scores.others, {.origin = ScoreOrigin::fair_coins});
  std::sort(scores.members.begin(), scores.members.end());
  std::sort(scores.others.begin(), scores.others.end());
  const auto after = audit_scores(scores.members, scores.others, {.origin = ScoreOrigin::fair_coins});
  EXPECT_EQ(before->figures.auc, after->figures.auc);
  EXPECT_EQ(before->one_run->epsilon_lower, after->one_run->epsilon_lower);
  // halves are drawn anew from the same random words: the accuracy may differ by the luck of the halves alone
  EXPECT_NEAR(*before->figures.accuracy, *after->figures.accuracy, 0.02);
}

}  // namespace score_audit_test
}  // namespace gauze::audit
