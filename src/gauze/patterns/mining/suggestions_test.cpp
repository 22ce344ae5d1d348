#include "gauze/patterns/mining/suggestions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "gauze/patterns/hiding/sensitive_patterns.h"

namespace gauze::patterns {
namespace suggestions_test {

/// A small generator for tests.
struct Draws {
  std::uint64_t state = 0x2545F4914F6CDD1D;
  std::uint64_t below(std::uint64_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % bound;
  }
};

/// P[at least s rows hold all items], s = 0, 1, ..., by going through all ways to place them.
std::vector<double> tails(std::uint64_t rows, const std::vector<std::uint64_t>& frequencies) {
  std::map<std::uint64_t, double> sets = {{(std::uint64_t{1} << rows) - 1, 1}};  // rows that hold all so far: ways
  for (const std::uint64_t frequency : frequencies) {
    std::map<std::uint64_t, double> next;
    for (const auto& [set, ways] : sets)
      for (std::uint64_t mask = 0; mask < std::uint64_t{1} << rows; ++mask)
        if (static_cast<std::uint64_t>(std::popcount(mask)) == frequency) next[set & mask] += ways;
    sets = std::move(next);
  }
  double all = 0;
  std::vector<double> at_least(rows + 1, 0);
  for (const auto& [set, ways] : sets) {
    all += ways;
    for (int s = 0; s <= std::popcount(set); ++s) at_least[static_cast<std::size_t>(s)] += ways;
  }
  for (double& one : at_least) one /= all;
  return at_least;
}

TEST(Suggestions, ChanceOfPairsIsExactAndOfLargerSetsNeverTooSmall) {
  for (std::uint64_t rows = 1; rows <= 7; ++rows) {
    for (std::uint64_t a = 1; a <= rows; ++a) {
      for (std::uint64_t b = a; b <= rows; ++b) {
        const auto pair = tails(rows, {a, b});
        for (std::uint64_t s = 0; s <= a; ++s)
          EXPECT_NEAR(std::exp(log_chance(rows, std::vector<std::uint64_t>{a, b}, s)), pair[s], 1e-12);
        for (std::uint64_t c = b; c <= rows; ++c) {
          const auto triple = tails(rows, {a, b, c});
          for (std::uint64_t s = 0; s <= a; ++s)
            EXPECT_GE(std::exp(log_chance(rows, std::vector<std::uint64_t>{a, b, c}, s)), triple[s] * (1 - 1e-12))
                << rows << ' ' << a << ' ' << b << ' ' << c << ' ' << s;
        }
      }
    }
  }
  // Two items in one row each, of a million: they meet once in a million.
  EXPECT_NEAR(std::exp(log_chance(1'000'000, std::vector<std::uint64_t>{1, 1}, 1)), 1e-6, 1e-12);
  EXPECT_LT(log_chance(1'000'000, std::vector<std::uint64_t>{1000, 1000}, 1000), -7000);
}

Database random_baskets(Draws& draws, std::size_t items, std::size_t rows, bool planted) {
  Database database;
  for (std::size_t i = 0; i < items; ++i) database.names.push_back("i" + std::to_string(i));
  std::vector<Item> none;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Item> row;
    for (Item i = 0; i < items; ++i)
      if (draws.below(100) < 5 + 3 * (i % 10)) row.push_back(i);
    if (planted && draws.below(20) == 0) row.insert(row.end(), {3, 7});
    database.add_row(row, none);
  }
  return database;
}

SuggestOptions loose() {
  SuggestOptions options;
  options.mining.min_count = 5;
  options.mining.max_size = 4;
  options.min_confidence = 0;
  return options;
}

TEST(Suggestions, IndependentItemsRaiseNoFalseAlarm) {
  // Under the null any set is called significant with probability at most 0.05 a data set: with 20 of them, 6 alarms or more
  // have probability below 4e-4 (and the seed is fixed).
  Draws draws;
  Progress progress;
  int alarms = 0;
  std::uint64_t candidates = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const auto found = suggest_patterns(random_baskets(draws, 30, 600, false), loose(), progress);
    ASSERT_TRUE(found);
    alarms += found->significant > 0 ? 1 : 0;
    candidates += found->candidates.size();
  }
  EXPECT_LT(alarms, 6);
  EXPECT_GT(candidates, 1000U) << "interest above 1 alone is common";
}

TEST(Suggestions, APlantedPairIsFoundFirst) {
  Draws draws;
  Progress progress;
  const auto found = suggest_patterns(random_baskets(draws, 30, 2000, true), loose(), progress);
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->candidates.empty());
  EXPECT_EQ(found->candidates[0].items, (Itemset{3, 7}));
  EXPECT_TRUE(found->candidates[0].significant);
  EXPECT_LT(found->candidates[0].p_value, 1e-8);
  EXPECT_GE(found->candidates[0].p_corrected, found->candidates[0].p_value);
  SuggestOptions options = loose();
  options.top = 1;
  options.significant_only = true;
  const auto one = suggest_patterns(random_baskets(draws, 30, 2000, true), options, progress);
  EXPECT_EQ(one->candidates.size(), 1U);
}

TEST(Suggestions, AreWhatTheDefinitionSays) {
  Draws draws;
  Progress progress;
  for (int trial = 0; trial < 60; ++trial) {
    const Database database = random_baskets(draws, 6, 5 + draws.below(30), false);
    SuggestOptions options;
    options.mining.min_count = 1 + draws.below(3);
    options.min_confidence = Rational(static_cast<std::int64_t>(draws.below(5)), 4);
    options.min_interest = Rational(static_cast<std::int64_t>(2 + draws.below(3)), 2);
    std::map<Itemset, double> expected;  // set: confidence of its strongest rule
    const auto support_of = [&](const Itemset& set) { return supports(database, std::vector<Itemset>{set})[0]; };
    for (std::uint64_t mask = 1; mask < 64; ++mask) {
      Itemset set;
      for (Item i = 0; i < 6; ++i)
        if ((mask >> i & 1) != 0) set.push_back(i);
      const std::uint64_t support = support_of(set);
      if (set.size() < 2 || support < options.mining.min_count) continue;
      Rational interest = static_cast<std::int64_t>(support);
      for (std::size_t i = 1; i < set.size(); ++i)
        interest = interest * Rational(static_cast<std::int64_t>(database.rows()));
      for (const Item item : set) interest = interest / Rational(static_cast<std::int64_t>(support_of({item})));
      std::uint64_t least = support_of({set[0]});  // of all left sides
      for (std::uint64_t split = 1; split + 1 < std::uint64_t{1} << set.size(); ++split) {
        Itemset left;
        for (std::size_t i = 0; i < set.size(); ++i)
          if ((split >> i & 1) != 0) left.push_back(set[i]);
        least = std::min(least, support_of(left));
      }
      const Rational confidence =
          Rational(static_cast<std::int64_t>(support)) / Rational(static_cast<std::int64_t>(least));
      if (interest > options.min_interest && confidence >= options.min_confidence)
        expected[set] = confidence.to_double();
    }
    const auto found = suggest_patterns(database, options, progress);
    ASSERT_TRUE(found);
    std::map<Itemset, double> given;
    for (const Suggestion& one : found->candidates) {
      given[one.items] = one.confidence;
      EXPECT_EQ(one.support, support_of(one.items));
      Itemset both = one.if_items;
      both.insert(both.end(), one.then_items.begin(), one.then_items.end());
      std::sort(both.begin(), both.end());
      EXPECT_EQ(both, one.items);
    }
    EXPECT_EQ(given, expected);
  }
}

TEST(Suggestions, LinesAreReadBack) {
  Database database;
  database.names = {"a", "whole milk", "x, y", "q\"t", "#1", "牛奶"};
  std::vector<Item> none;
  std::vector<Item> row = {0, 1, 2, 3, 4, 5};
  database.add_row(row, none);
  for (const auto& [left, right] : std::vector<std::pair<Itemset, Itemset>>{
           {{0}, {5}}, {{4}, {0}}, {{0, 5}, {4}}, {{1}, {0}}, {{0, 1}, {5}}, {{2}, {3}}, {{0, 2, 3}, {1}}}) {
    Suggestion one;
    one.if_items = left;
    one.then_items = right;
    one.items = left;
    one.items.insert(one.items.end(), right.begin(), right.end());
    std::sort(one.items.begin(), one.items.end());
    const auto read = parse_sensitive(sensitive_line(database, one), database);
    ASSERT_TRUE(read) << read.error().message << ": " << sensitive_line(database, one);
    ASSERT_EQ(read->patterns.size(), 1U) << sensitive_line(database, one);
    EXPECT_EQ(read->patterns[0].items, one.items) << sensitive_line(database, one);
  }
}

TEST(Suggestions, RefusesThresholdsThatAreNone) {
  Progress progress;
  const Database database;
  SuggestOptions options;
  options.min_confidence = 2;
  EXPECT_FALSE(suggest_patterns(database, options, progress));
  options = {};
  options.significance = 0;
  EXPECT_FALSE(suggest_patterns(database, options, progress));
  options = {};
  options.min_interest = -1;
  EXPECT_FALSE(suggest_patterns(database, options, progress));
  EXPECT_TRUE(suggest_patterns(database, {}, progress)->candidates.empty());
}

}  // namespace suggestions_test
}  // namespace gauze::patterns
