#include "gauze/anonymize/classes/class_grouping.h"

#include <gtest/gtest.h>

#include <map>

#include "gauze/anonymize/testing/random_records.h"

namespace gauze::anonymize {
namespace class_grouping_test {

/// Holds slots and sizes against a map from the generalised values.
void expect_classes(const Records& records, const Levels& levels) {
  const ClassGrouping grouping(records);
  ClassGrouping::Scratch scratch;
  grouping.group(levels, scratch);
  std::map<std::vector<std::uint32_t>, std::uint64_t> sizes;
  std::map<std::vector<std::uint32_t>, std::uint32_t> slots;
  auto key = [&](std::size_t tuple) {
    std::vector<std::uint32_t> values;
    for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi)
      values.push_back(records.quasi[quasi].hierarchy->code(levels[quasi], records.ground[quasi][tuple]));
    return values;
  };
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple) sizes[key(tuple)] += records.counts[tuple];
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple) {
    ASSERT_LT(scratch.slot[tuple], scratch.slots);
    EXPECT_EQ(scratch.size[scratch.slot[tuple]], sizes[key(tuple)]);
    const auto [known, is_new] = slots.emplace(key(tuple), scratch.slot[tuple]);
    EXPECT_EQ(known->second, scratch.slot[tuple]);
  }
  std::size_t used = 0;
  for (std::size_t slot = 0; slot < scratch.slots; ++slot) used += scratch.size[slot] > 0 ? 1 : 0;
  EXPECT_EQ(used, sizes.size());
  EXPECT_GE(grouping.domain(levels), static_cast<double>(sizes.size()));
}

TEST(ClassGrouping, EqualsAMapOnSmallDomains) {
  std::mt19937_64 random(41);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const Records records = testing::group(testing::random_table({.rows = 200, .quasi = 5}, random));
    Levels levels;
    for (const QuasiIdentifier& quasi : records.quasi)
      levels.push_back(static_cast<std::uint8_t>(random() % static_cast<std::uint64_t>(quasi.hierarchy->levels())));
    expect_classes(records, levels);
  }
}

TEST(ClassGrouping, EqualsAMapWhenKeysAreHashed) {
  std::mt19937_64 random(42);
  for (int repetition = 0; repetition < 5; ++repetition) {
    const Records records = testing::group(
        testing::random_table({.rows = 2000, .quasi = 6, .most_values = 100, .most_levels = 3}, random));
    expect_classes(records, Levels(6, 0));
  }
}

// 19^3 and 24^3 keys of up to 2,000 tuples: more than are counted by key, fewer than are hashed.
TEST(ClassGrouping, EqualsAMapWhenKeysAreNumbered) {
  std::mt19937_64 random(44);
  for (const std::uint32_t values : {19U, 24U}) {
    testing::PlainTable table;
    for (int quasi = 0; quasi < 3; ++quasi)
      table.quasi.push_back({"q" + std::to_string(quasi), testing::random_hierarchy(values, 2, random), 1, {}});
    for (int row = 0; row < 2200; ++row) {
      auto& ground = table.ground.emplace_back();
      for (int quasi = 0; quasi < 3; ++quasi) ground.push_back(static_cast<std::uint32_t>(random() % values));
    }
    table.values.resize(table.ground.size());
    expect_classes(testing::group(table), Levels(3, 0));
  }
}

TEST(ClassGrouping, CountsGroundValuesOfTuples) {
  std::mt19937_64 random(45);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const Records records =
        testing::group(testing::random_table({.rows = 300, .quasi = 5, .most_values = 12}, random));
    std::vector<std::uint32_t> tuples;
    std::vector<std::vector<std::uint64_t>> expected;
    for (const QuasiIdentifier& quasi : records.quasi) expected.emplace_back(quasi.hierarchy->size(), 0);
    auto counted = expected;
    for (std::uint32_t tuple = 0; tuple < records.size(); ++tuple) {
      if (random() % 3 != 0) continue;
      tuples.push_back(tuple);
      for (std::size_t quasi = 0; quasi < expected.size(); ++quasi)
        expected[quasi][records.ground[quasi][tuple]] += records.counts[tuple];
    }
    ClassGrouping(records).count_ground(tuples, counted);
    EXPECT_EQ(counted, expected);
  }
}

TEST(ClassGrouping, FoldsKeysThatNeedMoreThan64Bits) {
  std::mt19937_64 random(43);
  testing::PlainTable table;
  for (int quasi = 0; quasi < 30; ++quasi)
    table.quasi.push_back({"q", testing::random_hierarchy(200, 2, random), 1, {}});
  // Few distinct tuples, with all 200 values of each column in use: 200^30 is far beyond 64 bits.
  for (std::uint32_t row = 0; row < 600; ++row) {
    std::vector<std::uint32_t> ground;
    for (std::uint32_t quasi = 0; quasi < 30; ++quasi) ground.push_back((row % 200 + quasi) % 200);
    if (row >= 400) ground[29] = row % 7;
    table.ground.push_back(ground);
    table.values.emplace_back();
  }
  const Records records = testing::group(table);
  ASSERT_GT(ClassGrouping(records).domain(Levels(30, 0)), 0x1p64);
  expect_classes(records, Levels(30, 0));
}

TEST(ClassGrouping, WorksWithoutRecords) {
  testing::PlainTable table;
  std::mt19937_64 random(44);
  table.quasi.push_back({"q", testing::random_hierarchy(3, 2, random), 1, {}});
  const Records records = testing::group(table);
  const ClassGrouping grouping(records);
  ClassGrouping::Scratch scratch;
  grouping.group({0}, scratch);
  EXPECT_TRUE(scratch.slot.empty());
}

}  // namespace class_grouping_test
}  // namespace gauze::anonymize
