#include "gauze/patterns/audit/hiding_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/audit/audit_json.h"
#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace hiding_metrics_test {

/// Some items are left out of a row, and where `puts_in` some others put in.
Database altered(const Database& original, SeededRandom& random, bool puts_in) {
  Database released;
  released.names = original.names;
  for (std::size_t r = 0; r < original.rows(); ++r) {
    std::vector<Item> items;
    std::vector<Item> marks;
    for (const Item item : original.row(r))
      if (random.below(8) != 0) items.push_back(item);
    if (puts_in) items.push_back(static_cast<Item>(random.below(original.names.size())));
    released.add_row(items, marks);
  }
  return released;
}

std::vector<Itemset> random_patterns(SeededRandom& random, std::size_t items, std::size_t count) {
  std::vector<Itemset> patterns;
  while (patterns.size() < count) {
    Itemset one;
    for (Item i = 0; i < items; ++i)
      if (random.below(items) < 2) one.push_back(i);
    if (!one.empty()) patterns.push_back(one);
  }
  return patterns;
}

double mean_of(const SetShare& share) {
  return share.part ? static_cast<double>(*share.part) / static_cast<double>(std::max<std::uint64_t>(*share.total, 1))
                    : share.sampled->mean;
}

// Nested and overlapping patterns, some of them listed twice, some infrequent.
TEST(HidingMetrics, CountsAreThoseOfTheLists) {
  SeededRandom random(4);
  Progress progress;
  MeasuringLimits none_held;
  none_held.most_listed_sets = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Database original = random_baskets(random, 9, 60, 55);
    const Database released = altered(original, random, false);
    std::vector<Itemset> patterns = random_patterns(random, 9, random.below(7));
    if (trial % 3 == 0 && !patterns.empty()) patterns.push_back(patterns.front());
    const Rational share(1, 10);
    const HidingMetrics lists = measure_hiding(original, released, patterns, 6, share, progress).value();
    const HidingMetrics counts = measure_hiding(original, released, patterns, 6, share, progress, none_held).value();
    ASSERT_EQ(lists.bands.size(), counts.bands.size());
    for (std::size_t i = 0; i < lists.bands.size(); ++i) {
      EXPECT_EQ(counts.bands[i].literal.total, lists.bands[i].literal.total) << trial;
      EXPECT_EQ(counts.bands[i].literal.part, lists.bands[i].literal.part) << trial;
      EXPECT_EQ(counts.bands[i].ideal.total, lists.bands[i].ideal.total) << trial;
      EXPECT_EQ(counts.bands[i].ideal.part, lists.bands[i].ideal.part) << trial;
    }
    EXPECT_EQ(counts.artifactual.total, lists.artifactual.total);
    EXPECT_EQ(counts.artifactual.part, 0U);
    EXPECT_TRUE(counts.complete());
    EXPECT_TRUE(counts.warnings().empty());
  }
}

// With as many draws as there are sets the estimate is the share itself.
TEST(HidingMetrics, WhereItemsWerePutInSharesAreEstimates) {
  SeededRandom random(5);
  Progress progress;
  MeasuringLimits none_held;
  none_held.most_listed_sets = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Database original = random_baskets(random, 9, 60, 55);
    const Database released = altered(original, random, true);
    const std::vector<Itemset> patterns = random_patterns(random, 9, 3);
    const Rational share(1, 10);
    const HidingMetrics lists = measure_hiding(original, released, patterns, 6, share, progress).value();
    const HidingMetrics drawn = measure_hiding(original, released, patterns, 6, share, progress, none_held).value();
    for (std::size_t i = 0; i < lists.bands.size(); ++i) {
      EXPECT_EQ(drawn.bands[i].ideal.total, lists.bands[i].ideal.total);
      EXPECT_FALSE(drawn.bands[i].literal.part) << "never an estimate as a figure";
      EXPECT_DOUBLE_EQ(mean_of(drawn.bands[i].literal), mean_of(lists.bands[i].literal));
      if (*lists.bands[i].ideal.total > 0) {
        EXPECT_DOUBLE_EQ(mean_of(drawn.bands[i].ideal), mean_of(lists.bands[i].ideal));
      }
    }
    EXPECT_DOUBLE_EQ(mean_of(drawn.artifactual), mean_of(lists.artifactual));
    EXPECT_FALSE(drawn.complete());
    ASSERT_EQ(drawn.warnings().size(), 1U);
    EXPECT_EQ(drawn.warnings()[0].code, "sampled_figures");
  }
}

// 500 of some thousand sets: 20 intervals at 4 standard deviations and more (Wilson's 95 % widened) all hold.
TEST(HidingMetrics, DrawnSetsAreDrawnFromAllSets) {
  SeededRandom random(6);
  Progress progress;
  MeasuringLimits few_drawn;
  few_drawn.most_listed_sets = 0;
  few_drawn.most_unions = 0;
  few_drawn.drawn_sets = 500;
  for (int trial = 0; trial < 20; ++trial) {
    const Database original = random_baskets(random, 14, 80, 60);
    const Database released = altered(original, random, false);
    const std::vector<Itemset> patterns = {{0, 1}};
    const Rational share(1, 20);
    const HidingMetrics lists = measure_hiding(original, released, patterns, 4, share, progress).value();
    const HidingMetrics drawn = measure_hiding(original, released, patterns, 4, share, progress, few_drawn).value();
    ASSERT_GT(*lists.bands[0].literal.total, 3000U);
    EXPECT_EQ(drawn.bands[0].literal.part, lists.bands[0].literal.part) << "needs no unions";
    const SetShare& ideal = drawn.bands[0].ideal;
    EXPECT_FALSE(ideal.part);
    ASSERT_TRUE(ideal.sampled);
    EXPECT_NEAR(ideal.sampled->mean, mean_of(lists.bands[0].ideal), 1.1 * (ideal.sampled->high - ideal.sampled->low));
  }
}

TEST(HidingMetrics, WhatCannotBeCountedIsUnknown) {
  // 70 items that all rows hold: more sets than a number counts.
  Database database;
  std::vector<Item> none;
  for (Item i = 0; i < 70; ++i) database.names.push_back(std::to_string(i));
  for (int r = 0; r < 3; ++r) {
    std::vector<Item> row(70);
    for (Item i = 0; i < 70; ++i) row[i] = i;
    database.add_row(row, none);
  }
  Progress progress;
  const HidingMetrics metrics = measure_hiding(database, database, {{0, 1}}, 2, Rational(2, 3), progress).value();
  EXPECT_FALSE(metrics.complete());
  ASSERT_EQ(metrics.warnings().size(), 1U);
  EXPECT_EQ(metrics.warnings()[0].code, "incomplete_figures");
  Json object = Json::object();
  add_metrics(object, metrics);
  EXPECT_EQ(object.find("misses_cost")->dump(), R"({"literal":null,"ideal":null})");
  EXPECT_EQ(object.find("artifactual")->dump(), "0") << "nothing was put in";
  EXPECT_EQ(object.find("metrics_complete")->dump(), "false");
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
    EXPECT_EQ(metrics.artifactual.part, 0U) << "nothing is added";
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
    std::uint64_t literal_total = 0;
    std::uint64_t literal_lost = 0;
    std::uint64_t ideal_total = 0;
    std::uint64_t ideal_lost = 0;
    for (std::uint32_t mask = 1; mask < 64; ++mask) {
      Itemset set;
      for (Item i = 0; i < 6; ++i)
        if ((mask >> i & 1) != 0) set.push_back(i);
      if (set == Itemset{0, 1} || supports(original, std::vector<Itemset>{set})[0] < band.min_count) continue;
      const std::uint64_t lost = supports(released, std::vector<Itemset>{set})[0] < band.min_count ? 1 : 0;
      literal_total += 1;
      literal_lost += lost;
      if (holds(set, Itemset{0, 1})) continue;
      ideal_total += 1;
      ideal_lost += lost;
    }
    EXPECT_EQ(band.literal.total, literal_total);
    EXPECT_EQ(band.literal.part, literal_lost);
    EXPECT_EQ(band.ideal.total, ideal_total);
    EXPECT_EQ(band.ideal.part, ideal_lost);
  }
  EXPECT_GT(metrics.bands.front().ideal.part, 0U);
}

}  // namespace hiding_metrics_test
}  // namespace gauze::patterns
