#include "gauze/patterns/hiding/hide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Database baskets(const std::string& text) { return BasketFile::parse(text, BasketFormat::dat)->database(); }

// The example of the paper.
const char* const kSeed = "A B C D\nA B D\nA C D\nB C D\nA D\n";

SensitiveList sensitive(const std::string& text, const Database& database) {
  auto list = parse_sensitive(text, database);
  EXPECT_TRUE(list) << list.error().message;
  return *list;
}

HidingResult hidden(const Database& database, const std::string& patterns, HidingOptions options) {
  options.min_support =
      Rational(static_cast<std::int64_t>(options.min_count)) / Rational(static_cast<std::int64_t>(database.rows()));
  Progress progress;
  auto result = hide(database, sensitive(patterns, database), options, progress);
  EXPECT_TRUE(result) << result.error().message;
  return *std::move(result);
}

std::vector<std::pair<std::size_t, std::string>> edits_of(const HidingResult& result, const Database& database) {
  std::vector<std::pair<std::size_t, std::string>> list;
  for (const Edit& edit : result.edits) list.emplace_back(edit.row + 1, database.names[edit.item]);
  return list;
}

// min_count 2: ABD is held by T1, T2, ACD by T1, T3. A and D are in both patterns; A occurs 4 times, D 5 times: D. ABD comes
// first; T1 holds both patterns, so D is marked there, and both fall to 1.
TEST(Psh, MarksDInTheFirstTransactionOfTheSeed) {
  const Database database = baskets(kSeed);
  const HidingOptions options{
      .algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .as_published = true, .min_count = 2};
  const HidingResult result = hidden(database, "A B D\nA C D\n", options);
  EXPECT_THAT(edits_of(result, database), ElementsAre(std::pair<std::size_t, std::string>(1, "D")));
  EXPECT_GE(result.level, HidingLevel::h1);
}

// Disjoint patterns AB (T1, T2, T3) and CD (T3, T4), min_count 2. All items are in one pattern each; the most frequent is A
// (4 times). AB has support 3: rows by conflict are T3 (both patterns), T1, T2; A goes in T3 and T1. Then C and D are left with
// frequencies 2 and 3: D is marked in T3.
TEST(Psh, DisjointPatternsByHand) {
  const Database database = baskets("A B\nA B\nA B C D\nC D\nA D\n");
  const HidingResult result =
      hidden(database, "A B\nC D\n", {.algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .min_count = 2});
  using Pair = std::pair<std::size_t, std::string>;
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(3, "A"), Pair(1, "A"), Pair(3, "D")));
}

// A alone (5 rows) and AB nested in it (3 rows), min_count 2: A is in both; A itself has the larger support; the rows that hold
// both come first. Four marks leave one A, and AB falls on the way.
TEST(Psh, NestedAndSingleItems) {
  const Database database = baskets("A\nA B\nA B\nA B\nA\n");
  const HidingResult result =
      hidden(database, "A B\nA\n", {.algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .min_count = 2});
  using Pair = std::pair<std::size_t, std::string>;
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(2, "A"), Pair(3, "A"), Pair(4, "A"), Pair(1, "A")));
}

// A pattern that is hidden from the start counts in the first choice as published, and not otherwise: with min_count 2, XB and
// XC are too rare, yet they make X as shared as B. As published the tie goes by frequency.
TEST(Psh, PatternsHiddenFromTheStartCountOnlyAsPublished) {
  const Database database = baskets("A B\nA B\nA\nB C\nA D\n");
  HidingOptions options{.algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .min_count = 2};
  const HidingResult sound = hidden(database, "A B\nB C\n", options);
  using Pair = std::pair<std::size_t, std::string>;
  EXPECT_THAT(edits_of(sound, database), ElementsAre(Pair(1, "A"))) << "A is more frequent than B";
  EXPECT_THAT(sound.notices, ElementsAre(HasSubstr("line 2: hidden from the start")));
  options.as_published = true;
  EXPECT_THAT(edits_of(hidden(database, "A B\nB C\n", options), database), ElementsAre(Pair(1, "B")))
      << "B is in two patterns";
}

TEST(HidingLevels, FollowTheirDefinitions) {
  const HidingThreshold threshold{5, Rational(1, 20), 0};  // 5 of 100
  EXPECT_EQ(level_of({5, 0, 0}, threshold, 100), HidingLevel::none);
  EXPECT_EQ(level_of({4, 30, 30}, threshold, 100), HidingLevel::h1) << "4 of the 70 rows without marks is 5.7 %";
  EXPECT_EQ(level_of({3, 30, 30}, threshold, 100), HidingLevel::h2) << "3 of 70 is 4.3 %";
  EXPECT_EQ(level_of({3, 1, 50}, threshold, 100), HidingLevel::h1) << "rows with any mark count as well";
  EXPECT_EQ(level_of({3, 1, 1}, threshold, 100), HidingLevel::h3);
  EXPECT_EQ(level_of({0, 100, 100}, threshold, 100), HidingLevel::h1) << "nothing is left to judge by";
  EXPECT_EQ(level_of({4, 0, 0}, {5, Rational(1, 20), 1}, 100), HidingLevel::none) << "a margin asks for more";
}

/// A small generator for tests.
struct Draws {
  std::uint64_t state = 1234567;
  std::uint64_t below(std::uint64_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % bound;
  }
};

TEST(Hide, EveryAlgorithmReachesTheLevelAndTouchesNothingElse) {
  Draws draws;
  Progress progress;
  int reached = 0;
  for (int trial = 0; trial < 150; ++trial) {
    Database database;
    const std::size_t items = 4 + draws.below(4);
    for (std::size_t i = 0; i < items; ++i) database.names.push_back(std::string(1, static_cast<char>('a' + i)));
    for (std::uint64_t r = 0; r < 20 + draws.below(30); ++r) {
      std::vector<Item> row;
      std::vector<Item> none;
      for (Item i = 0; i < items; ++i)
        if (draws.below(100) < 55) row.push_back(i);
      database.add_row(row, none);
    }
    std::string patterns;
    for (int p = 0; p < 3; ++p) {
      const auto a = draws.below(items);
      patterns += database.names[a] + " " + database.names[(a + 1 + draws.below(items - 1)) % items] + "\n";
    }
    for (std::size_t a = 0; a < kAlgorithmWords.size(); ++a) {
      for (const auto& [level, operation] :
           {std::pair(HidingLevel::h1, Operation::mark), std::pair(HidingLevel::h2, Operation::mark),
            std::pair(HidingLevel::h3, Operation::remove)}) {
        HidingOptions options;
        options.algorithm = static_cast<HidingAlgorithm>(a);
        options.level = level;
        options.operation = operation;
        options.min_count = 4;
        options.min_support = Rational(4) / Rational(static_cast<std::int64_t>(database.rows()));
        const SensitiveList list = sensitive(patterns, database);
        const auto result = hide(database, list, options, progress);
        if (!result) {
          EXPECT_EQ(result.error().code, ErrorCode::infeasible);
          continue;
        }
        ++reached;
        EXPECT_GE(result->level, level) << kAlgorithmWords[a];
        // By definition, on the released transactions.
        for (const SensitivePattern& one : list.patterns)
          EXPECT_LT(supports(result->released, std::vector<Itemset>{one.items}).at(0), 4U);
        // Nothing is added, and only items of the patterns are taken.
        EXPECT_EQ(result->released.items.size() + result->edits.size(), database.items.size());
        for (const Edit& edit : result->edits) {
          const bool concerned =
              std::any_of(list.patterns.begin(), list.patterns.end(), [&](const SensitivePattern& one) {
                return std::binary_search(one.items.begin(), one.items.end(), edit.item);
              });
          EXPECT_TRUE(concerned);
          EXPECT_FALSE(holds(result->released.row(edit.row), Itemset{edit.item}));
        }
        const auto again = hide(database, list, options, progress);
        EXPECT_EQ(again->edits, result->edits) << "the same input, the same output";
      }
    }
  }
  EXPECT_GT(reached, 1500);
}

// On random transactions the border loses no more of the other frequent sets than psh, in sum over 60 tables.
TEST(Hide, TheBorderSavesMoreThanPsh) {
  Draws draws;
  Progress progress;
  std::uint64_t lost[2] = {0, 0};
  for (int trial = 0; trial < 60; ++trial) {
    Database database;
    for (int i = 0; i < 9; ++i) database.names.push_back(std::string(1, static_cast<char>('a' + i)));
    for (int r = 0; r < 80; ++r) {
      std::vector<Item> row;
      std::vector<Item> none;
      for (Item i = 0; i < 9; ++i)
        if (draws.below(100) < 35) row.push_back(i);
      database.add_row(row, none);
    }
    const SensitiveList list = sensitive("a b\nc d\na e\n", database);
    for (const auto algorithm : {HidingAlgorithm::border, HidingAlgorithm::psh}) {
      HidingOptions options{
          .algorithm = algorithm, .level = HidingLevel::h1, .min_support = Rational(1, 10), .min_count = 8};
      const auto result = hide(database, list, options, progress);
      ASSERT_TRUE(result);
      MiningOptions mining;
      mining.min_count = 8;
      const auto count = [&](const Database& some) {
        std::uint64_t sets = 0;
        const auto sink = [&](std::span<const Item> set, std::uint64_t) {
          for (const SensitivePattern& one : list.patterns)
            if (holds(set, one.items)) return true;
          ++sets;
          return true;
        };
        EXPECT_TRUE(mine_itemsets(some, mining, sink, progress));
        return sets;
      };
      lost[algorithm == HidingAlgorithm::psh ? 1 : 0] += count(database) - count(result->released);
    }
  }
  EXPECT_LT(lost[0], lost[1]);
}

TEST(Hide, MarksAloneCannotReachH3) {
  const Database database = baskets(kSeed);
  Progress progress;
  HidingOptions options{.level = HidingLevel::h3, .min_support = Rational(2, 5), .min_count = 2};
  EXPECT_EQ(hide(database, sensitive("A B\n", database), options, progress).error().code,
            ErrorCode::invalid_parameter);
}

TEST(SensitivePatterns, AreReadWithTheirThresholds) {
  const Database database = baskets("A B\n");
  const SensitiveList list = sensitive("# a remark\nA B @ 0.02\nB => A\n\nA, \"B\"\nA Z\n", database);
  ASSERT_EQ(list.patterns.size(), 1U);
  EXPECT_EQ(list.patterns[0].min_support, *Rational::parse("0.02"));
  EXPECT_EQ(list.notices.size(), 3U) << "two more with the same items, one with an item that does not occur";
  for (const char* bad : {"A @ 2\n", "A => \n", "\"A\n", "=> A\n", "A,,B\n"})
    EXPECT_THAT(parse_sensitive(bad, database).error().message, HasSubstr("line 1")) << bad;
}

}  // namespace
}  // namespace gauze::patterns
