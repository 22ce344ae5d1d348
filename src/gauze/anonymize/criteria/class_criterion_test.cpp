#include "gauze/anonymize/criteria/class_criterion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gauze::anonymize {
namespace {

using namespace schema;  // the vocabulary of this file

Rational decimal(const char* text) { return *Rational::parse(text); }

SensitiveColumn column(std::vector<std::uint64_t> totals) {
  SensitiveColumn made;
  made.name = "s";
  made.totals = std::move(totals);
  for (std::uint32_t value = 0; value < made.totals.size(); ++value) {
    made.records += made.totals[value];
    made.order.push_back(value);
  }
  return made;
}

std::vector<ValueCount> values(const std::vector<std::uint64_t>& counts) {
  std::vector<ValueCount> list;
  for (std::uint32_t value = 0; value < counts.size(); ++value)
    if (counts[value] > 0) list.push_back({value, counts[value]});
  return list;
}

std::uint64_t total(const std::vector<std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  return sum;
}

template <class Rule>
bool holds(const Rule& rule, const SensitiveColumn& over, const std::vector<std::uint64_t>& counts) {
  return (*make_criterion(rule, over))->holds(values(counts), total(counts));
}

TEST(EntropyDiversity, AcceptsAFlatClassOfThreeAtThree) {
  const SensitiveColumn over = column({6, 6, 6});
  const LDiversity rule{"s", DiversityKind::entropy, 3, 0};
  EXPECT_TRUE(holds(rule, over, {2, 2, 2}));  // where ARX's rounding says no
  EXPECT_TRUE(holds(rule, over, {1, 1, 1}));
  EXPECT_TRUE(holds(rule, over, {1'000'003, 1'000'003, 1'000'003}));
  EXPECT_FALSE(holds(rule, over, {1'000'004, 1'000'003, 1'000'003}));  // off by one record in three million
  EXPECT_FALSE(holds(rule, over, {2, 2, 1}));
  EXPECT_FALSE(
      holds(LDiversity{"s", DiversityKind::entropy, decimal("3.000000000000000000001"), 0}, over, {2, 2, 2}));
  EXPECT_TRUE(holds(LDiversity{"s", DiversityKind::entropy, decimal("2.999999999999999999999"), 0}, over, {2, 2, 2}));
}

TEST(EntropyDiversity, EveryFlatClassHoldsAtItsOwnSize) {
  for (std::size_t size = 1; size <= 60; ++size) {
    const SensitiveColumn over = column(std::vector<std::uint64_t>(size, 10));
    for (const std::uint64_t count : {1U, 2U, 7U, 1000U}) {
      const std::vector<std::uint64_t> flat(size, count);
      EXPECT_TRUE(holds(LDiversity{"s", DiversityKind::entropy, static_cast<int>(size), 0}, over, flat));
      EXPECT_FALSE(holds(LDiversity{"s", DiversityKind::entropy, static_cast<int>(size + 1), 0}, over, flat));
    }
  }
}

TEST(EntropyDiversity, AnExactTieThatIsNotFlatIsRecognised) {
  // Counts 2, 1, 1: 4^4 / (2^2 1 1) = 64 = (2 sqrt 2)^4, so l = 2 sqrt 2: fractions on both sides of it.
  const SensitiveColumn over = column({5, 5, 5});
  EXPECT_TRUE(holds(LDiversity{"s", DiversityKind::entropy, decimal("2.8284271247461900976"), 0}, over, {2, 1, 1}));
  EXPECT_FALSE(holds(LDiversity{"s", DiversityKind::entropy, decimal("2.8284271247461900977"), 0}, over, {2, 1, 1}));
}

TEST(DistinctDiversity, CountsValues) {
  const SensitiveColumn over = column({5, 5, 5});
  EXPECT_TRUE(holds(LDiversity{"s", DiversityKind::distinct, 2, 0}, over, {9, 1, 0}));
  EXPECT_FALSE(holds(LDiversity{"s", DiversityKind::distinct, 3, 0}, over, {9, 1, 0}));
}

TEST(RecursiveDiversity, IsStrict) {
  const SensitiveColumn over = column({9, 9, 9});
  EXPECT_FALSE(holds(LDiversity{"s", DiversityKind::recursive, 2, 2}, over, {4, 1, 1}));  // 4 < 2 x 2 is false
  EXPECT_TRUE(holds(LDiversity{"s", DiversityKind::recursive, 2, decimal("2.0000000001")}, over, {4, 1, 1}));
  EXPECT_TRUE(holds(LDiversity{"s", DiversityKind::recursive, 1, 2}, over, {4, 1, 1}));
  EXPECT_FALSE(holds(LDiversity{"s", DiversityKind::recursive, 4, 100}, over, {4, 1, 1}));  // no fourth value
}

TEST(TCloseness, DecidesOnTheEdgeExactly) {
  const SensitiveColumn over = column({50, 30, 20});
  // q = (0.7, 0.3, 0): distance 0.2 exactly, which no double of 0.7 - 0.5 says.
  EXPECT_TRUE(holds(TCloseness{"s", Distance::equal, decimal("0.2")}, over, {7, 3, 0}));
  EXPECT_FALSE(holds(TCloseness{"s", Distance::equal, decimal("0.19999999999999999999")}, over, {7, 3, 0}));
  // Ordered: cumulative differences 0.2, 0.2, 0 over m - 1 = 2.
  EXPECT_TRUE(holds(TCloseness{"s", Distance::ordered, decimal("0.2")}, over, {7, 3, 0}));
  EXPECT_FALSE(holds(TCloseness{"s", Distance::ordered, decimal("0.1999999999999999999")}, over, {7, 3, 0}));
}

TEST(TCloseness, HierarchicalDistanceFollowsTheTree) {
  SensitiveColumn over = column({25, 25, 25, 25});
  over.parents = {{0, 0, 1, 1}, {0, 0}};
  // All mass on value 0: 1/4 moves to its sibling (distance 1/2), 1/2 to the other branch (distance 1).
  EXPECT_TRUE(holds(TCloseness{"s", Distance::hierarchical, decimal("0.625")}, over, {4, 0, 0, 0}));
  EXPECT_FALSE(holds(TCloseness{"s", Distance::hierarchical, decimal("0.624999999999999999")}, over, {4, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(
      (*make_criterion(TCloseness{"s", Distance::hierarchical, 1}, over))->measure(values({4, 0, 0, 0}), 4), 0.625);
}

TEST(TCloseness, GroupsWithoutAnyOfTheValuesCount) {
  SensitiveColumn over = column({50, 50});
  over.parents = {{0, 1}, {0, 0, 0, 0, 0, 0}};  // six groups, of which the data has two
  EXPECT_TRUE(holds(TCloseness{"s", Distance::hierarchical, decimal("0.5")}, over, {4, 0}));
  EXPECT_FALSE(holds(TCloseness{"s", Distance::hierarchical, decimal("0.4999999999999999")}, over, {4, 0}));
}

TEST(EntropyDiversity, IsExactForManyValues) {
  for (const std::size_t size : {5000U, 11000U}) {
    const SensitiveColumn over = column(std::vector<std::uint64_t>(size, 10));
    const std::vector<std::uint64_t> flat(size, size == 5000 ? 3 : 5);
    EXPECT_TRUE(holds(LDiversity{"s", DiversityKind::entropy, static_cast<int>(size), 0}, over, flat));
    const Rational above = Rational(static_cast<int>(size)) + decimal("0.00000000005");
    EXPECT_FALSE(holds(LDiversity{"s", DiversityKind::entropy, above, 0}, over, flat));
  }
}

TEST(TCloseness, HierarchicalDistanceNeedsATree) {
  const SensitiveColumn over = column({1, 1});
  const auto made = make_criterion(TCloseness{"s", Distance::hierarchical, 1}, over);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, ErrorCode::invalid_parameter);
}

TEST(DeltaDisclosure, IsStrictAndLooksOnlyAtPresentValues) {
  const SensitiveColumn over = column({10, 30});
  EXPECT_FALSE(holds(DeltaDisclosure{"s", 1}, over, {2, 2}));  // q/p = 2: log2 is 1, not below 1
  EXPECT_TRUE(holds(DeltaDisclosure{"s", decimal("1.00000000000000000001")}, over, {2, 2}));
  EXPECT_TRUE(holds(DeltaDisclosure{"s", decimal("0.5")}, over, {0, 4}));  // log2(4/3) = 0.415
  EXPECT_FALSE(holds(DeltaDisclosure{"s", decimal("0.41503749927884381854")}, over, {0, 4}));
  EXPECT_TRUE(holds(DeltaDisclosure{"s", decimal("0.41503749927884381855")}, over, {0, 4}));
}

TEST(BetaLikeness, BasicAndEnhanced) {
  const SensitiveColumn over = column({10, 30});
  EXPECT_TRUE(holds(BetaLikeness{"s", false, 1}, over, {2, 2}));  // (1/2 - 1/4) / (1/4) = 1
  EXPECT_FALSE(holds(BetaLikeness{"s", false, decimal("0.99999999999999999999")}, over, {2, 2}));
  // -ln(1/4) = 1.386: gain 1 passes, gain 2 does not, whatever beta says.
  EXPECT_TRUE(holds(BetaLikeness{"s", true, 5}, over, {2, 2}));
  EXPECT_FALSE(holds(BetaLikeness{"s", true, 5}, over, {3, 1}));
  EXPECT_TRUE(holds(BetaLikeness{"s", false, 5}, over, {3, 1}));
}

TEST(ClassCriterion, TheTableItselfIsClosestToItself) {
  SensitiveColumn over = column({7, 11, 2, 30});
  over.parents = {{0, 0, 1, 1}, {0, 0}};
  for (const Distance distance : {Distance::equal, Distance::ordered, Distance::hierarchical})
    EXPECT_TRUE(holds(TCloseness{"s", distance, 0}, over, {7, 11, 2, 30}));
  EXPECT_TRUE(holds(BetaLikeness{"s", true, decimal("0.0000001")}, over, {14, 22, 4, 60}));
  EXPECT_TRUE(holds(DeltaDisclosure{"s", decimal("0.0000001")}, over, {14, 22, 4, 60}));
}

// What the searches rest on: criteria that say so survive merging. Random classes, 2,000 pairs for each.
TEST(ClassCriterion, MergingKeepsWhatIsPromised) {
  std::mt19937_64 random(31);
  SensitiveColumn over = column({40, 25, 20, 15});
  over.parents = {{0, 0, 1, 1}, {0, 0}};
  std::vector<std::unique_ptr<ClassCriterion>> criteria;
  auto add = [&](const auto& rule) { criteria.push_back(*make_criterion(rule, over)); };
  add(LDiversity{"s", DiversityKind::distinct, 2, 0});
  add(LDiversity{"s", DiversityKind::entropy, decimal("2.2"), 0});
  add(LDiversity{"s", DiversityKind::recursive, 2, 2});
  for (const Distance distance : {Distance::equal, Distance::ordered, Distance::hierarchical})
    add(TCloseness{"s", distance, decimal("0.3")});
  add(BetaLikeness{"s", false, 1});
  add(BetaLikeness{"s", true, 1});
  for (const auto& criterion : criteria) {
    int pairs = 0;
    for (int repetition = 0; repetition < 2000; ++repetition) {
      std::vector<std::uint64_t> a(4);
      std::vector<std::uint64_t> b(4);
      for (auto& count : a) count = random() % 6;
      for (auto& count : b) count = random() % 6;
      if (total(a) == 0 || total(b) == 0) continue;
      std::vector<std::uint64_t> both(4);
      for (std::size_t i = 0; i < 4; ++i) both[i] = a[i] + b[i];
      const bool first = criterion->holds(values(a), total(a));
      const bool second = criterion->holds(values(b), total(b));
      const bool merged = criterion->holds(values(both), total(both));
      const bool promised = (first && second && criterion->closed_under_merging()) ||
                            ((first || second) && criterion->survives_any_merge());
      EXPECT_TRUE(merged || !promised);
      pairs += first && second ? 1 : 0;
    }
    EXPECT_GT(pairs, 20);
  }
}

TEST(NaturalOrder, NumbersBySizeTextsByText) {
  EXPECT_EQ(natural_order({.values = {"10", "9", "?"}, .missing = 2}), (std::vector<std::uint32_t>{2, 1, 0}));
  EXPECT_EQ(natural_order({.values = {"10", "9", "x"}, .missing = {}}), (std::vector<std::uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace gauze::anonymize
