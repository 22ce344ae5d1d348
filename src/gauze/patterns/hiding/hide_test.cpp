#include "gauze/patterns/hiding/hide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/mining/miner.h"
#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace hide_test {

using ::testing::HasSubstr;

// The example of the paper.
const char* const kSeed = "A B C D\nA B D\nA C D\nB C D\nA D\n";

TEST(Hide, EveryAlgorithmReachesTheLevelAndTouchesNothingElse) {
  SeededRandom random(1234567);
  Progress progress;
  int reached = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const std::size_t items = 4 + random.below(4);
    const Database database = random_baskets(random, items, 20 + random.below(30), 55);
    std::string patterns;
    for (int p = 0; p < 3; ++p) {
      const auto a = random.below(items);
      patterns += database.names[a] + " " + database.names[(a + 1 + random.below(items - 1)) % items] + "\n";
    }
    for (const auto& [algorithm, name] : kAlgorithmWords) {
      if (algorithm == HidingAlgorithm::exact) continue;  // exact_test.cpp
      for (const auto& [level, change, anonymous] :
           {std::tuple(HidingLevel::h1, ChangeKind::mark, false),
            std::tuple(HidingLevel::h2, ChangeKind::mark, false), std::tuple(HidingLevel::h1, ChangeKind::mark, true),
            std::tuple(HidingLevel::h2, ChangeKind::both, false),
            std::tuple(HidingLevel::h3, ChangeKind::both, false),
            std::tuple(HidingLevel::h3, ChangeKind::remove, false)}) {
        HidingOptions options;
        options.algorithm = algorithm;
        options.level = level;
        options.change = change;
        options.mark_style = anonymous ? MarkStyle::anonymous : MarkStyle::anchored;
        options.min_count = 4;
        options.min_support = Rational(4) / Rational(static_cast<std::int64_t>(database.rows()));
        const SensitiveList list = sensitive(patterns, database);
        const auto result = hide(database, list, options, progress);
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->level >= level, result->stuck.empty()) << name;
        if (!result->stuck.empty()) continue;
        ++reached;
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
  EXPECT_GT(reached, 6000);
}

// On random transactions the border loses no more of the other frequent sets than psh, in sum over 60 tables.
TEST(Hide, TheBorderSavesMoreThanPsh) {
  SeededRandom random(1234567);
  Progress progress;
  std::uint64_t lost[2] = {0, 0};
  for (int trial = 0; trial < 60; ++trial) {
    const Database database = random_baskets(random, 9, 80, 35);
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

TEST(Hide, WhereSetsAreTooManyTheBorderProtectsSome) {
  SeededRandom random(9);
  const Database database = random_baskets(random, 9, 80, 50);
  HidingOptions options{.level = HidingLevel::h1, .min_count = 8};
  const HidingResult whole = hidden(database, "a b\nc d\n", options);
  EXPECT_TRUE(whole.warnings.empty());
  options.protected_sets = 10;
  const HidingResult part = hidden(database, "a b\nc d\n", options);
  EXPECT_TRUE(part.stuck.empty());
  EXPECT_GE(part.level, HidingLevel::h1);
  ASSERT_FALSE(part.warnings.empty());
  EXPECT_EQ(part.warnings.front().code, kPartProtected);
  EXPECT_EQ(hidden(database, "a b\nc d\n", options).edits, part.edits) << "the same input, the same output";
}

TEST(Hide, RulesAreHiddenByTheirConfidenceWhereThatIsLess) {
  // A in 10 rows, 8 of them with B; min_count 2: by support 7 changes, by confidence below 0.5 only 4.
  std::string text;
  for (int i = 0; i < 8; ++i) text += "A B\n";
  const Database database = baskets(text + "A\nA\nB\nC\n");
  HidingOptions options{.level = HidingLevel::h1, .change = ChangeKind::remove, .min_count = 2};
  EXPECT_EQ(hidden(database, "A => B\n", options).edits.size(), 7U);
  options.min_confidence = Rational(1, 2);
  for (const auto algorithm : {HidingAlgorithm::border, HidingAlgorithm::psh}) {
    options.algorithm = algorithm;
    const HidingResult result = hidden(database, "A => B\n", options);
    EXPECT_GE(result.level, HidingLevel::h1);
    if (algorithm != HidingAlgorithm::border) continue;
    EXPECT_EQ(result.edits.size(), 4U) << "4 of 10 is below a half";
    for (const Edit& edit : result.edits) EXPECT_EQ(database.names[edit.item], "B");
  }
}

TEST(Hide, AnonymousMarksAreJudgedAsSuch) {
  const Database database = baskets("A B\nA B\nA B\nA B\nA C\nB C\nC\nC\nC\nC\nC\nC\n");
  HidingOptions options{.level = HidingLevel::h1, .mark_style = MarkStyle::anonymous, .min_count = 2};
  const HidingResult result = hidden(database, "A B\n", options);
  EXPECT_EQ(result.patterns[0].after.definite, 1U);
  EXPECT_EQ(result.patterns[0].after.undetermined, 3U);
  EXPECT_TRUE(result.released.marks.empty());
  EXPECT_EQ(std::accumulate(result.released.anonymous.begin(), result.released.anonymous.end(), 0U), 3U);
}

TEST(Hide, DecoysGoWhereARowHoldsTheRest) {
  SeededRandom random(3);
  std::uint64_t all = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Database database = random_baskets(random, 5, 60, 50);
    HidingOptions options{
        .level = HidingLevel::h2, .mark_style = MarkStyle::anchored, .min_count = 8, .decoys = 0.5, .seed = 4};
    const HidingResult result = hidden(database, "a b\nb c d\n", options);
    EXPECT_GE(result.level, HidingLevel::h2);
    std::uint64_t decoys = 0;
    for (const Edit& edit : result.edits) {
      if (edit.operation != Operation::decoy) continue;
      ++decoys;
      EXPECT_FALSE(holds(database.row(edit.row), Itemset{edit.item}));
      bool helps = false;
      for (const HiddenPattern& one : result.patterns) {
        Itemset rest = one.pattern.items;
        if (std::erase(rest, edit.item) > 0) helps = helps || holds(database.row(edit.row), rest);
      }
      EXPECT_TRUE(helps);
      EXPECT_TRUE(std::binary_search(result.released.marks_of(edit.row).begin(),
                                     result.released.marks_of(edit.row).end(), edit.item));
    }
    EXPECT_EQ(decoys, result.decoys.placed);
    all += decoys;
    EXPECT_LE(result.decoys.placed, std::min(result.decoys.wanted, result.decoys.possible));
  }
  EXPECT_GT(all, 100U);
}

// Every row with A has B: a mark on B could have no decoy, one on A has the rows with B alone. A costs another set.
TEST(Hide, TheItemThatCanHaveDecoysIsChosen) {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "A B\n";
  for (int i = 0; i < 20; ++i) text += "B\n";
  for (int i = 0; i < 30; ++i) text += "C\n";
  const Database database = baskets(text);
  HidingOptions options{.level = HidingLevel::h1, .min_count = 6, .decoys = 1, .seed = 1};
  const HidingResult result = hidden(database, "A B\n", options);
  EXPECT_EQ(result.decoys.placed, result.decoys.wanted);
  for (const Edit& edit : result.edits) EXPECT_EQ(database.names[edit.item], "A");
}

TEST(Hide, ARandomMarginLeavesNoPileBelowTheThreshold) {
  SeededRandom random(3);
  const Database database = random_baskets(random, 6, 300, 60);
  HidingOptions options{.level = HidingLevel::h1, .min_count = 50, .random_margin = 30, .seed = 9};
  const HidingResult result = hidden(database, "a b\nc d\ne f\na f\n", options);
  std::set<std::uint64_t> supports;
  for (const HiddenPattern& one : result.patterns) {
    EXPECT_LT(one.after.definite + one.threshold.margin, 50U);
    supports.insert(one.after.definite);
  }
  EXPECT_GT(supports.size(), 2U);
}

TEST(Hide, TheObjectiveDecidesWhatIsSpared) {
  SeededRandom random(11);
  std::array<std::uint64_t, 3> marks{};
  std::array<std::uint64_t, 3> rows{};
  const std::array<HidingObjective, 3> objectives = {HidingObjective{1, 0, 0}, HidingObjective{0, 1, 0},
                                                     HidingObjective{0, 0, 1}};
  for (int trial = 0; trial < 40; ++trial) {
    const Database database = random_baskets(random, 8, 80, 45);
    for (std::size_t i = 0; i < 3; ++i) {
      const HidingResult result =
          hidden(database, "a b\na c\nd e\n", {.level = HidingLevel::h1, .min_count = 8, .objective = objectives[i]});
      std::set<std::size_t> touched;
      for (const Edit& edit : result.edits) touched.insert(edit.row);
      marks[i] += result.edits.size();
      rows[i] += touched.size();
    }
  }
  EXPECT_LT(marks[1], marks[0]);
  EXPECT_LT(rows[2], rows[0]);
}

TEST(Hide, WhatCannotBeReachedIsToldAndTheRestIsHidden) {
  // All rows hold A: whoever leaves out unknown rows has none left, or finds it in all others.
  const Database database = baskets("A C D\nA C D\nA C D\nA\nA\nA\n");
  const HidingResult result =
      hidden(database, "A\nC D\n", {.level = HidingLevel::h2, .mark_style = MarkStyle::anchored, .min_count = 2});
  EXPECT_EQ(result.stuck, std::vector<std::size_t>{0});
  EXPECT_GE(result.patterns[1].level, HidingLevel::h2);
  EXPECT_LT(result.level, HidingLevel::h2);
}

TEST(Hide, NestedPatternsAreTold) {
  const HidingResult result = hidden(baskets(kSeed), "A D\nA B D\n", {.min_count = 2});
  EXPECT_EQ(result.warnings.at(0).code, "nested_pattern");
  EXPECT_THAT(result.warnings.at(0).message, HasSubstr("line 2: holds the pattern of line 1"));
}

TEST(Hide, MarksAloneCannotReachH3) {
  const Database database = baskets(kSeed);
  Progress progress;
  HidingOptions options{.level = HidingLevel::h3, .min_support = Rational(2, 5), .min_count = 2};
  EXPECT_EQ(hide(database, sensitive("A B\n", database), options, progress).error().code,
            ErrorCode::invalid_parameter);
}

// Very frequent patterns, where greedy choices may do worse than a simple rule: the border takes the better one.
TEST(Hide, TheBorderLosesNoMoreThanTheRulesItLooksAt) {
  SeededRandom random(31);
  Progress progress;
  for (int trial = 0; trial < 40; ++trial) {
    const Database database = random_baskets(random, 8, 60, 55);
    const SensitiveList list = sensitive("a b\nb c d\na e\n", database);
    const auto lost = [&](HidingAlgorithm algorithm) {
      HidingOptions options{
          .algorithm = algorithm, .level = HidingLevel::h1, .min_support = Rational(1, 10), .min_count = 6};
      const auto result = hide(database, list, options, progress);
      EXPECT_TRUE(result && result->stuck.empty());
      std::uint64_t count = 0;
      for (std::uint32_t mask = 1; mask < 256; ++mask) {
        Itemset set;
        for (Item i = 0; i < 8; ++i)
          if ((mask >> i & 1) != 0) set.push_back(i);
        bool must_vanish = false;
        for (const SensitivePattern& one : list.patterns) must_vanish = must_vanish || holds(set, one.items);
        const std::vector<Itemset> sets = {set};
        count += !must_vanish && supports(database, sets)[0] >= 6 && supports(result->released, sets)[0] < 6 ? 1 : 0;
      }
      return count;
    };
    const std::uint64_t border = lost(HidingAlgorithm::border);
    for (const auto other : {HidingAlgorithm::psh, HidingAlgorithm::minfia, HidingAlgorithm::gih})
      EXPECT_LE(border, lost(other)) << trial;
  }
}

TEST(Hide, H3ClosesRowsThatWereOpenBefore) {
  const Database database = baskets("A ?B\nA ?B\nA ?B\nA B\nA B\nA B\nC\nC\nC\nC\n");
  for (const auto& [algorithm, name] : kAlgorithmWords) {
    if (algorithm == HidingAlgorithm::exact) continue;  // it takes no files with marks
    const HidingResult result =
        hidden(database, "A B\n",
               {.algorithm = algorithm, .level = HidingLevel::h3, .change = ChangeKind::remove, .min_count = 3});
    EXPECT_EQ(result.level, HidingLevel::h3) << name;
  }
}

TEST(Hide, DecoysAreAsManyAsWanted) {
  SeededRandom random(41);
  for (int trial = 0; trial < 30; ++trial) {
    const Database database = random_baskets(random, 6, 200, 40);
    const HidingResult result =
        hidden(database, "a b\nc d\n", {.level = HidingLevel::h2, .min_count = 20, .decoys = 1, .seed = 1});
    EXPECT_GE(result.level, HidingLevel::h2);
    const auto decoys = std::count_if(result.edits.begin(), result.edits.end(),
                                      [](const Edit& edit) { return edit.operation == Operation::decoy; });
    EXPECT_EQ(static_cast<std::uint64_t>(decoys), result.decoys.placed);
    if (result.decoys.possible >= 2 * result.decoys.wanted) {
      EXPECT_GE(2 * result.decoys.placed + 1, result.edits.size()) << trial;
    }
  }
}

// As published, patterns hidden from the start count among those that a transaction holds, too: T2 holds A D and D E.
TEST(Psh, ConflictsCountAllPatternsAsPublished) {
  const Database database = baskets("A D\nA D E\nF\n");
  HidingOptions options{.algorithm = HidingAlgorithm::psh,
                        .level = HidingLevel::h1,
                        .mark_style = MarkStyle::anchored,
                        .as_published = true,
                        .min_count = 2};
  const HidingResult result = hidden(database, "A D\nD E\n", options);
  ASSERT_EQ(result.edits.size(), 1U);
  EXPECT_EQ(result.edits[0].row, 1U);
}

// The stricter of two thresholds counts.
TEST(Hide, ThePatternTwiceWithDifferentThresholds) {
  const Database database = baskets("A B\nA B\nA B\nA C\nA D\nB D\nD\nD\nD\nD\n");
  const HidingResult result = hidden(database, "A B\nA B @ 0.2\n", {.level = HidingLevel::h1, .min_count = 5});
  EXPECT_EQ(result.patterns.size(), 2U);
  EXPECT_EQ(result.edits.size(), 2U) << "3 transactions are to be fewer than 2";
}

}  // namespace hide_test
}  // namespace gauze::patterns
