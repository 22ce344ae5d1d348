#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace published_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Pair = std::pair<std::size_t, std::string>;

// The example of the paper.
const char* const kSeed = "A B C D\nA B D\nA C D\nB C D\nA D\n";

// min_count 2: ABD is held by T1, T2, ACD by T1, T3. A and D are in both patterns; A occurs 4 times, D 5 times: D. ABD comes
// first; T1 holds both patterns, so D is marked there, and both fall to 1.
TEST(Psh, MarksDInTheFirstTransactionOfTheSeed) {
  const Database database = baskets(kSeed);
  const HidingOptions options{.algorithm = HidingAlgorithm::psh,
                              .level = HidingLevel::h1,
                              .mark_style = MarkStyle::anchored,
                              .as_published = true,
                              .min_count = 2};
  const HidingResult result = hidden(database, "A B D\nA C D\n", options);
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(1, "D")));
  EXPECT_GE(result.level, HidingLevel::h1);
}

TEST(Psh, TellsWhyItMarkedThat) {
  const Database database = baskets(kSeed);
  const HidingResult result = hidden(database, "A B D\nA C D\n",
                                     {.algorithm = HidingAlgorithm::psh,
                                      .level = HidingLevel::h1,
                                      .mark_style = MarkStyle::anchored,
                                      .as_published = true,
                                      .min_count = 2,
                                      .trace = true});
  ASSERT_EQ(result.trace.size(), 1U);
  const TraceStep& step = result.trace[0];
  EXPECT_EQ(database.names[step.victim], "D");
  EXPECT_EQ(step.pattern, 0U);
  EXPECT_EQ(step.support, 2U);
  using Shared = std::pair<Item, std::size_t>;
  EXPECT_THAT(step.shared, ElementsAre(Shared(0, 2), Shared(1, 1), Shared(2, 1), Shared(3, 2)))
      << "A 2, B 1, C 1, D 2";
  using Order = std::pair<std::size_t, std::size_t>;
  EXPECT_THAT(step.order, ElementsAre(Order(0, 2), Order(1, 1))) << "T1 holds two live patterns, T2 one";
  EXPECT_THAT(step.changed, ElementsAre(0U));
}

// Overlapping ABC (T1, T2, T3) and BCD (T2, T3, T4), min_count 2: B and C are in both, B is the more frequent (5 times to 4).
// ABC and BCD both have support 3: the first is chosen. T2 and T3 hold both: B is marked there; ABC and BCD fall to 1.
TEST(Psh, OverlappingPatternsByHand) {
  const Database database = baskets("A B C\nA B C D\nA B C D\nB C D\nB D\n");
  const HidingResult result = hidden(database, "A B C\nB C D\n",
                                     {.algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .min_count = 2});
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(2, "B"), Pair(3, "B")));
}

// Disjoint patterns AB (T1, T2, T3) and CD (T3, T4), min_count 2. All items are in one pattern each; the most frequent is A
// (4 times). AB has support 3: rows by conflict are T3 (both patterns), T1, T2; A goes in T3 and T1. Then C and D are left with
// frequencies 2 and 3: D is marked in T3.
TEST(Psh, DisjointPatternsByHand) {
  const Database database = baskets("A B\nA B\nA B C D\nC D\nA D\n");
  const HidingResult result =
      hidden(database, "A B\nC D\n", {.algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .min_count = 2});
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(3, "A"), Pair(1, "A"), Pair(3, "D")));
}

// A alone (5 rows) and AB nested in it (3 rows), min_count 2: A is in both; A itself has the larger support; the rows that hold
// both come first. Four marks leave one A, and AB falls on the way.
TEST(Psh, NestedAndSingleItems) {
  const Database database = baskets("A\nA B\nA B\nA B\nA\n");
  const HidingResult result =
      hidden(database, "A B\nA\n", {.algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .min_count = 2});
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(2, "A"), Pair(3, "A"), Pair(4, "A"), Pair(1, "A")));
}

// A pattern that is hidden from the start counts in the first choice as published, and not otherwise: with min_count 2, XB and
// XC are too rare, yet they make X as shared as B. As published the tie goes by frequency.
TEST(Psh, PatternsHiddenFromTheStartCountOnlyAsPublished) {
  const Database database = baskets("A B\nA B\nA\nB C\nA D\n");
  HidingOptions options{.algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .min_count = 2};
  const HidingResult sound = hidden(database, "A B\nB C\n", options);
  EXPECT_THAT(edits_of(sound, database), ElementsAre(Pair(1, "A"))) << "A is more frequent than B";
  ASSERT_EQ(sound.warnings.size(), 1U);
  EXPECT_EQ(sound.warnings[0].code, "below_from_start");
  EXPECT_THAT(sound.warnings[0].message, HasSubstr("line 2: nothing to hide: below the threshold"));
  options.as_published = true;
  options.mark_style = MarkStyle::anchored;
  EXPECT_THAT(edits_of(hidden(database, "A B\nB C\n", options), database), ElementsAre(Pair(1, "B")))
      << "B is in two patterns";
}

// To the letter every listed pattern counts when V is counted first, also one with items that no transaction has.
TEST(Psh, AsPublishedPatternsOfAbsentItemsCount) {
  const Database database = baskets("1 3\n1 3\n3\n");
  HidingOptions options{.algorithm = HidingAlgorithm::psh, .level = HidingLevel::h1, .min_count = 2};
  options.mark_style = MarkStyle::anchored;
  EXPECT_THAT(edits_of(hidden(database, "2 4\n1 3\n1 2\n", options), database), ElementsAre(Pair(1, "3")))
      << "the more frequent item of the only pattern that there is";
  options.as_published = true;
  options.trace = true;
  const HidingResult result = hidden(database, "2 4\n1 3\n1 2\n", options);
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(1, "1")))
      << "1 and 2 are in two patterns, 1 is more frequent";
  using Shared = std::pair<Item, std::size_t>;
  EXPECT_THAT(result.trace.at(0).shared, ElementsAre(Shared(0, 2), Shared(1, 1)));
  EXPECT_THAT(edits_of(hidden(database, "2 4\n1 3\n1 2\n2 5\n", options), database), ElementsAre(Pair(1, "3")))
      << "2 is in three: nothing to mark, and all infrequent patterns are dropped before the next choice";
}

// min_count 2, AB in T1, T2, T3, so two changes; T1 and T3 hold BC, too, and come after T2. A is the rarest item of AB (3 times,
// B 4 times) and the rarest of BC is C (2): one change, T1, which holds one pattern by now, before T3.
TEST(MinFia, TakesTheRarestItemWhereConflictsAreFewest) {
  const Database database = baskets("A B C\nA B\nA B C\nB\n");
  HidingOptions options{.algorithm = HidingAlgorithm::minfia, .level = HidingLevel::h1, .min_count = 2};
  EXPECT_THAT(edits_of(hidden(database, "A B\nB C\n", options), database),
              ElementsAre(Pair(2, "A"), Pair(1, "A"), Pair(1, "C")));
  options.algorithm = HidingAlgorithm::maxfia;  // B in T2, and in T1, which hides BC on the way
  EXPECT_THAT(edits_of(hidden(database, "A B\nB C\n", options), database), ElementsAre(Pair(2, "B"), Pair(1, "B")));
}

// min_count 2. T1 weighs 2 / 2^2 (B is in both patterns), T2 1 / 2, T3 2 / 2^3, T4 1 / 2^2. T1 comes first and loses B; then T2,
// whose A and B are as frequent (3 times): A, and AB is hidden. T3 holds one live pattern now, 1 / 2^3: T4 comes before it and
// loses B, which is as frequent as C.
TEST(Fhsar, TakesTheHeaviestTransaction) {
  const Database database = baskets("A B C\nA B\nA B C D\nB C D\n");
  const HidingResult result =
      hidden(database, "A B\nB C\n", {.algorithm = HidingAlgorithm::fhsar, .level = HidingLevel::h1, .min_count = 2});
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(1, "B"), Pair(2, "A"), Pair(4, "B")));
}

// 3 / 2^4 is less than 1 / 2^2 but more than 1 / 2^3: lengths count as powers of two, also where a double would be 0.
TEST(Fhsar, WeighsLongTransactionsExactly) {
  std::string longer;
  for (int i = 0; i < 1200; ++i) longer += " i" + std::to_string(i);
  const Database database = baskets("A B" + longer + " x\nA B" + longer + "\nA B" + longer + " y\n");
  const HidingResult result =
      hidden(database, "A B\n", {.algorithm = HidingAlgorithm::fhsar, .level = HidingLevel::h1, .min_count = 3});
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(2, "A")));
}

// AB (4 rows) and AC (2 rows) share A: one group, victim A. min_count 2: rows of AB by conflicts: T1, T2 (both), T3, T4; three
// marks; AC falls on the way.
TEST(Iga, TakesOneItemForAGroup) {
  const Database database = baskets("A B C\nA B C\nA B\nA B\nB\nB C\n");
  const HidingResult result =
      hidden(database, "A B\nA C\n", {.algorithm = HidingAlgorithm::iga, .level = HidingLevel::h1, .min_count = 2});
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(1, "A"), Pair(2, "A"), Pair(3, "A")));
}

// Windows of 4 rows, half of the rows is too many: in each window AB may stay in 1 row. The first window holds it 3 times: the
// two shortest rows (T2, T4) lose B, the more frequent of both; the second holds it once: nothing.
TEST(Swa, WorksWindowByWindow) {
  const Database database = baskets("A B C\nA B\nB\nA B\nA B\nB C\nB\nC\n");
  HidingOptions options{.algorithm = HidingAlgorithm::swa, .level = HidingLevel::h1, .min_count = 4, .window = 4};
  const HidingResult result = hidden(database, "A B\n", options);
  EXPECT_THAT(edits_of(result, database), ElementsAre(Pair(2, "B"), Pair(4, "B")));
}

TEST(Swa, AnyWindowReachesTheLevel) {
  SeededRandom random(5);
  for (const std::size_t window : {1U, 2U, 7U, 30U, 1000U}) {
    for (const HidingLevel level : {HidingLevel::h1, HidingLevel::h2}) {
      const Database database = random_baskets(random, 6, 60, 60);
      const HidingResult result =
          hidden(database, "a b\nb c\n",
                 {.algorithm = HidingAlgorithm::swa, .level = level, .min_count = 8, .margin = 2, .window = window});
      EXPECT_GE(result.level, level) << window;
    }
  }
}

}  // namespace published_test
}  // namespace gauze::patterns
