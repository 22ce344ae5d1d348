#include "gauze/patterns/audit/attacks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/mining/miner.h"
#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace {

using testing::ElementsAre;

// AB in 4 of 10 rows; hidden below 3 by three marks on B, one of which is a decoy where there was none.
class Attack : public testing::Test {
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

// What a reader gains who leaves out unknown rows, against its definition, on random releases.
TEST(HidingMetrics, GainsOfReadersWhoLeaveRowsOut) {
  SeededRandom random(17);
  Progress progress;
  std::uint64_t gained = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Database original = random_baskets(random, 5, 30, 45);
    Database released;
    released.names = original.names;
    for (std::size_t r = 0; r < original.rows(); ++r) {
      std::vector<Item> items;
      std::vector<Item> marks;
      for (const Item item : original.row(r)) (random.below(4) == 0 ? marks : items).push_back(item);
      released.add_row(items, marks, trial % 2 == 0 ? 0 : static_cast<std::uint32_t>(random.below(2)));
    }
    const Rational share(1, 3);
    const HidingMetrics metrics = *measure_hiding(original, released, {{0, 1}}, 10, share, progress);
    std::uint64_t found = 0;
    std::uint64_t artifactual = 0;
    for (std::uint32_t mask = 1; mask < 32; ++mask) {
      Itemset set;
      for (Item i = 0; i < 5; ++i)
        if ((mask >> i & 1) != 0) set.push_back(i);
      const PatternStanding after = standings_in(released, std::vector{PatternShape{set, {}}})[0];
      const std::uint64_t rows = released.rows() - after.undetermined;
      if (after.definite == 0 || 3 * after.definite < rows) continue;
      ++found;
      artifactual += supports(original, std::vector<Itemset>{set})[0] < 10 ? 1 : 0;
    }
    EXPECT_EQ(metrics.found_ignoring, found) << trial;
    EXPECT_EQ(metrics.artifactual_ignoring, artifactual) << trial;
    EXPECT_EQ(metrics.artifactual_definite, 0U) << "nothing is added";
    gained += artifactual;
  }
  EXPECT_GT(gained, 5U);
}

// Losses over the band against enumeration.
TEST(HidingMetrics, LossesOverTheBand) {
  SeededRandom random(18);
  Progress progress;
  const Database original = random_baskets(random, 6, 60, 50);
  Database released = original;
  released.items.clear();
  released.starts = {0};
  released.mark_starts = {0};
  for (std::size_t r = 0; r < original.rows(); ++r) {
    std::vector<Item> items;
    std::vector<Item> marks;
    for (const Item item : original.row(r))
      if (item != 0 || r % 3 != 0) items.push_back(item);
    released.add_row(items, marks);
  }
  const HidingMetrics metrics = *measure_hiding(original, released, {{0, 1}}, 10, Rational(1, 6), progress);
  for (const BandMetrics& band : metrics.bands) {
    BandMetrics expected;
    for (std::uint32_t mask = 1; mask < 64; ++mask) {
      Itemset set;
      for (Item i = 0; i < 6; ++i)
        if ((mask >> i & 1) != 0) set.push_back(i);
      if (set == Itemset{0, 1} || supports(original, std::vector<Itemset>{set})[0] < band.min_count) continue;
      const std::uint64_t lost = supports(released, std::vector<Itemset>{set})[0] < band.min_count ? 1 : 0;
      expected.literal_total += 1;
      expected.literal_lost += lost;
      if (holds(set, Itemset{0, 1})) continue;
      expected.ideal_total += 1;
      expected.ideal_lost += lost;
    }
    EXPECT_EQ(band.literal_total, expected.literal_total);
    EXPECT_EQ(band.literal_lost, expected.literal_lost);
    EXPECT_EQ(band.ideal_total, expected.ideal_total);
    EXPECT_EQ(band.ideal_lost, expected.ideal_lost);
  }
  EXPECT_GT(metrics.bands.front().ideal_lost, 0U);
}

}  // namespace
}  // namespace gauze::patterns
