#include "gauze/patterns/audit/attacks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace attacks_test {

using ::testing::ElementsAre;

// AB in 4 of 10 rows; hidden below 3 by three marks on B, one of which is a decoy where there was none.
class Attack : public ::testing::Test {
 protected:
  Database original_ = baskets("A B\nA B\nA B\nA B\nA C\nA C\nB\nB\nC\nC\n");
  Database released_ = *align(original_, baskets("A ?B\nA ?B\nA B\nA B\nA C ?B\nA C\nB\nB\nC\nC\n"));
  std::vector<AuditedPattern> patterns_ = {{{{0, 1}, {}}, {3, Rational(3, 10), 0, {}}}};
  Progress progress_;
};

TEST_F(Attack, FillingInFindsThePatternAgain) {
  const AttackReport report = *attack(original_, released_, patterns_, 3, progress_);
  EXPECT_EQ(report.fill.marks, 3U);
  EXPECT_EQ(report.fill.true_marks, 2U) << "one is a decoy";
  EXPECT_THAT(report.fill.found, ElementsAre(true));
  EXPECT_EQ(report.fill.suspects, 1U) << "only AB becomes frequent by filling in: BC is in one row then";
  EXPECT_EQ(report.fill.suspects_listed, 1U);
  EXPECT_EQ(report.added, 0U);
}

TEST_F(Attack, LeavingOutUnknownRows) {
  // 2 of the 7 rows that are not unknown for AB is 28.6 %, below 30 %.
  EXPECT_THAT(attack(original_, released_, patterns_, 3, progress_)->ignore.found_undetermined, ElementsAre(false));
  patterns_[0].threshold.share = Rational(28, 100);
  EXPECT_THAT(attack(original_, released_, patterns_, 3, progress_)->ignore.found_undetermined, ElementsAre(true));
}

TEST_F(Attack, ThePileJustBelowTheThreshold) {
  const AttackReport report = *attack(original_, released_, patterns_, 3, progress_);
  EXPECT_EQ(report.pile.from, 2U);
  EXPECT_EQ(report.pile.below, 3U);
  EXPECT_EQ(report.pile.sets_before, 1U) << "AC";
  EXPECT_EQ(report.pile.sets, 2U) << "AB and AC";
  EXPECT_EQ(report.pile.listed, 1U);
}

TEST_F(Attack, ItemsThatWereAddedAreTold) {
  const Database added = *align(original_, baskets("A B C\nA B\nA B\nA B\nA C\nA C\nB\nB\nC\nC\n"));
  EXPECT_EQ(attack(original_, added, patterns_, 3, progress_)->added, 1U);
}

TEST(AlignedRelease, RefusesOtherFiles) {
  const Database original = baskets("A B\nB\n");
  EXPECT_EQ(align(original, baskets("A B\n")).error().code, ErrorCode::bad_data);
  EXPECT_EQ(align(original, baskets("A B\nZ\n")).error().code, ErrorCode::bad_data);
  EXPECT_EQ(align(original, baskets("B A\nB\n"))->items, original.items)
      << "the order of first appearance does not matter";
}

}  // namespace attacks_test
}  // namespace gauze::patterns
