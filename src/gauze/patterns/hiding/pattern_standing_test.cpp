#include "gauze/patterns/hiding/pattern_standing.h"

#include <gtest/gtest.h>

#include <functional>

#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace pattern_standing_test {

TEST(HidingLevels, FollowTheirDefinitions) {
  const HidingThreshold threshold{5, Rational(1, 20)};  // 5 of 100
  EXPECT_EQ(level_of({5}, threshold, 100), HidingLevel::none);
  EXPECT_EQ(level_of({4, 30, 30}, threshold, 100), HidingLevel::h1) << "4 of the 70 rows without marks is 5.7 %";
  EXPECT_EQ(level_of({3, 30, 30}, threshold, 100), HidingLevel::h2) << "3 of 70 is 4.3 %";
  EXPECT_EQ(level_of({3, 1, 50}, threshold, 100), HidingLevel::h1) << "rows with any mark count as well";
  EXPECT_EQ(level_of({3, 1, 1}, threshold, 100), HidingLevel::h3);
  EXPECT_EQ(level_of({0, 100, 100}, threshold, 100), HidingLevel::h1) << "nothing is left to judge by";
  EXPECT_EQ(level_of({4, 0, 0}, {5, Rational(1, 20), 1}, 100), HidingLevel::none) << "a margin asks for more";
}

/// Calls the body with every way to fill the marks of the transactions in; anonymous ones stand for any absent item.
void for_completions(const Database& database, std::size_t row, std::vector<Itemset>& rows,
                     const std::function<void(const std::vector<Itemset>&)>& body) {
  if (row == database.rows()) {
    body(rows);
    return;
  }
  const auto items = database.row(row);
  const auto marks = database.marks_of(row);
  std::vector<Item> absent;
  for (Item item = 0; item < database.names.size(); ++item)
    if (!std::binary_search(items.begin(), items.end(), item) &&
        !std::binary_search(marks.begin(), marks.end(), item))
      absent.push_back(item);
  for (std::uint64_t there = 0; there < std::uint64_t{1} << marks.size(); ++there) {
    for (std::uint64_t hidden = 0; hidden < std::uint64_t{1} << absent.size(); ++hidden) {
      if (static_cast<std::uint32_t>(__builtin_popcountll(hidden)) > database.anonymous_of(row)) continue;
      Itemset filled(items.begin(), items.end());
      for (std::size_t i = 0; i < marks.size(); ++i)
        if ((there >> i & 1) != 0) filled.push_back(marks[i]);
      for (std::size_t i = 0; i < absent.size(); ++i)
        if ((hidden >> i & 1) != 0) filled.push_back(absent[i]);
      std::sort(filled.begin(), filled.end());
      rows.push_back(filled);
      for_completions(database, row + 1, rows, body);
      rows.pop_back();
    }
  }
}

// H3 against its definition: no way to fill the marks in lets the pattern be found, be it a set or a rule.
TEST(HidingLevels, H3HoldsForEveryCompletion) {
  SeededRandom random(7);
  int reached = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const bool anonymous = trial % 2 == 1;
    const Database database = random_baskets(random, 3, 4, 50, anonymous ? 5 : 25, anonymous ? 30 : 0);
    const PatternShape shape = trial % 4 < 2 ? PatternShape{{0, 1}, {}} : PatternShape{{0, 1}, {0}};
    HidingThreshold threshold{2, Rational(1, 2), 0, {}};
    if (!shape.left.empty()) threshold.confidence = Rational(2, 3);
    bool found = false;
    std::vector<Itemset> rows;
    for_completions(database, 0, rows, [&](const std::vector<Itemset>& filled) {
      std::int64_t both = 0;
      std::int64_t left = 0;
      for (const Itemset& row : filled) {
        both += holds(row, shape.items) ? 1 : 0;
        left += holds(row, shape.left) ? 1 : 0;
      }
      found =
          found || (both >= 2 && (!threshold.confidence || Rational(both) >= *threshold.confidence * Rational(left)));
    });
    const PatternStanding standing = standings_in(database, std::vector{shape})[0];
    // Nobody finds it: only a reader who leaves rows out may, which H2 is about, and which H3 takes in.
    const HidingLevel level = level_of(standing, threshold, 4);
    EXPECT_TRUE(found ? level < HidingLevel::h3 : level == HidingLevel::h3 || level == HidingLevel::h1) << trial;
    reached += level == HidingLevel::h3 ? 1 : 0;
  }
  EXPECT_GT(reached, 50);
}

// H1 and H2 for sets and rules, written down anew from their definitions, for anchored marks.
TEST(HidingLevels, H2AgainstItsDefinition) {
  SeededRandom random(8);
  std::array<int, 4> seen{};
  for (int trial = 0; trial < 3000; ++trial) {
    const Database database = random_baskets(random, 3, 12, 45, 15);
    const PatternShape shape = trial % 2 == 0 ? PatternShape{{0, 1}, {}} : PatternShape{{0, 1}, {0}};
    HidingThreshold threshold{4, Rational(1, 3), 0, {}};
    if (!shape.left.empty()) threshold.confidence = Rational(3, 5);
    // Leaves out rows, and looks for the pattern in the others.
    const auto finds = [&](const std::function<bool(std::size_t)>& leaves_out, bool& empty) {
      std::int64_t rows = 0;
      std::int64_t both = 0;
      std::int64_t left = 0;
      for (std::size_t r = 0; r < database.rows(); ++r) {
        if (leaves_out(r)) continue;
        ++rows;
        both += holds(database.row(r), shape.items) ? 1 : 0;
        left += holds(database.row(r), Itemset{0}) ? 1 : 0;
      }
      empty = rows == 0;
      return Rational(both) >= Rational(1, 3) * Rational(rows) &&
             (!threshold.confidence || Rational(both) >= *threshold.confidence * Rational(left));
    };
    const auto open = [&](std::size_t r, Item item) {
      const auto marks = database.marks_of(r);
      return std::binary_search(marks.begin(), marks.end(), item);
    };
    const auto has = [&](std::size_t r, Item item) { return holds(database.row(r), Itemset{item}); };
    const auto any_mark = [&](std::size_t r) { return open(r, 0) || open(r, 1); };
    const auto undetermined = [&](std::size_t r) {
      return any_mark(r) && (open(r, 0) || has(r, 0)) && (open(r, 1) || has(r, 1));
    };
    bool none = false;
    bool no_determined = false;
    bool no_unmarked = false;
    const bool h1 = !finds([](std::size_t) { return false; }, none);
    const bool h2 = h1 && !finds(undetermined, no_determined) && !finds(any_mark, no_unmarked);
    const PatternStanding standing = standings_in(database, std::vector{shape})[0];
    const HidingLevel level = level_of(standing, threshold, database.rows());
    EXPECT_EQ(level >= HidingLevel::h1, h1) << trial;
    EXPECT_EQ(level >= HidingLevel::h2, h2 && !no_determined && !no_unmarked) << trial;
    ++seen[static_cast<std::size_t>(level)];
  }
  for (const int count : seen) EXPECT_GT(count, 30);
}

TEST(HidingThresholds, CountAndShareFollowFromEachOther) {
  EXPECT_EQ(HidingThreshold::of_count(7, 25).share, Rational(28, 100));
  EXPECT_EQ(HidingThreshold::of_share(Rational(28, 100), 25).count, 7U);
  EXPECT_EQ(HidingThreshold::of_share(Rational(29, 100), 25).count, 8U) << "at least this share";
  EXPECT_EQ(HidingThreshold::of_count(3, 0).share, Rational(1)) << "of no transactions";
}

TEST(HidingLevels, HaveNames) {
  EXPECT_EQ(word_of(kLevelWords, HidingLevel::none), "none");
  EXPECT_EQ(word_of(kLevelWords, HidingLevel::h3), "H3");
}

}  // namespace pattern_standing_test
}  // namespace gauze::patterns
