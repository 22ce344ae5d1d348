#include "gauze/anonymize/criteria/class_criterion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gauze::anonymize {
namespace class_criterion_test {

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
  return (*make_criterion(rule, over))->holds(values(counts), total(counts), ReferenceDistribution(over));
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
  EXPECT_DOUBLE_EQ((*make_criterion(TCloseness{"s", Distance::hierarchical, 1}, over))
                       ->measure(values({4, 0, 0, 0}), 4, ReferenceDistribution(over)),
                   0.625);
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
  const ReferenceDistribution reference(over);
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
      const bool first = criterion->holds(values(a), total(a), reference);
      const bool second = criterion->holds(values(b), total(b), reference);
      const bool merged = criterion->holds(values(both), total(both), reference);
      const bool promised = (first && second && criterion->closed_under_merging()) ||
                            ((first || second) && criterion->survives_any_merge());
      EXPECT_TRUE(merged || !promised);
      pairs += first && second ? 1 : 0;
    }
    EXPECT_GT(pairs, 20);
  }
}

/// All vectors of counts that are nowhere above another.
std::vector<std::vector<std::uint64_t>> counts_within(const std::vector<std::uint64_t>& most) {
  std::vector<std::vector<std::uint64_t>> all{{}};
  for (const std::uint64_t limit : most) {
    std::vector<std::vector<std::uint64_t>> longer;
    for (const auto& counts : all)
      for (std::uint64_t count = 0; count <= limit; ++count) {
        longer.push_back(counts);
        longer.back().push_back(count);
      }
    all = std::move(longer);
  }
  return all;
}

// What pruning rests on: of a class that fails, no two disjoint parts that hold have more records than the bound. All
// pairs of parts of random classes. A bound one lower would be found out: it is reached in many of them.
TEST(ClassCriterion, NoPartsThatHoldHaveMoreRecordsThanTheBound) {
  std::mt19937_64 random(32);
  SensitiveColumn over = column({40, 25, 20, 15});
  over.parents = {{0, 0, 1, 1}, {0, 0}};
  const ReferenceDistribution reference(over);
  std::vector<std::unique_ptr<ClassCriterion>> criteria;
  auto add = [&](const auto& rule) { criteria.push_back(*make_criterion(rule, over)); };
  add(LDiversity{"s", DiversityKind::distinct, 2, 0});
  add(LDiversity{"s", DiversityKind::entropy, decimal("2.2"), 0});
  add(LDiversity{"s", DiversityKind::recursive, 2, decimal("1.5")});
  add(LDiversity{"s", DiversityKind::recursive, 3, 3});
  for (const Distance distance : {Distance::equal, Distance::ordered, Distance::hierarchical})
    for (const char* t : {"0.15", "0.3"}) add(TCloseness{"s", distance, decimal(t)});
  for (const char* beta : {"0.3", "1"}) add(BetaLikeness{"s", false, decimal(beta)});
  add(BetaLikeness{"s", true, 1});
  for (const char* delta : {"0.4", "1.5"}) add(DeltaDisclosure{"s", decimal(delta)});
  for (const auto& criterion : criteria) {
    int reached = 0;
    int telling = 0;
    for (int repetition = 0; repetition < 40; ++repetition) {
      std::vector<std::uint64_t> whole(4);
      for (auto& count : whole) count = random() % 2 == 0 ? 0 : random() % 4;
      whole[random() % 4] += random() % 5;
      if (total(whole) == 0 || criterion->holds(values(whole), total(whole), reference)) continue;
      const std::uint64_t bound = criterion->most_kept_in_parts(values(whole), total(whole), reference);
      EXPECT_LE(bound, total(whole));
      std::uint64_t best = 0;
      std::vector<std::vector<std::uint64_t>> good;
      for (const auto& part : counts_within(whole))
        if (total(part) > 0 && criterion->holds(values(part), total(part), reference)) good.push_back(part);
      for (const auto& a : good) {
        best = std::max(best, total(a));
        for (const auto& b : good) {
          bool disjoint = true;
          for (std::size_t i = 0; i < 4; ++i) disjoint = disjoint && a[i] + b[i] <= whole[i];
          if (disjoint) best = std::max(best, total(a) + total(b));
        }
      }
      EXPECT_LE(best, bound);
      reached += best == bound ? 1 : 0;
      telling += bound < total(whole) ? 1 : 0;
    }
    EXPECT_GT(reached, 0);
    EXPECT_GT(telling, 0);
  }
}

// Random classes and references with unused values, against the sums as they are defined.
template <class Rule>
std::uint64_t fewest(const Rule& rule, const SensitiveColumn& over) {
  return (*make_criterion(rule, over))->fewest_records(ReferenceDistribution(over));
}

TEST(ClassCriterion, ManyValuesNeedManyRecords) {
  const SensitiveColumn over = column(std::vector<std::uint64_t>(100, 3));
  // s different values of a hundred have the distance 1 - s / 100.
  EXPECT_EQ(fewest(TCloseness{"s", Distance::equal, decimal("0.5")}, over), 50U);
  // One record is 1 / s, which may be five hundredths; less than eight hundredths.
  EXPECT_EQ(fewest(BetaLikeness{"s", false, 4}, over), 20U);
  EXPECT_EQ(fewest(DeltaDisclosure{"s", 3}, over), 13U);
  // 39 before the tail, which has more than 20.
  EXPECT_EQ(fewest(LDiversity{"s", DiversityKind::recursive, 40, decimal("0.049")}, over), 60U);
  // The middle one of three equal values: the cumulative shares are 1/3 off.
  EXPECT_EQ(fewest(TCloseness{"s", Distance::ordered, decimal("0.33")}, column({5, 5, 5})), 2U);
}

TEST(ClassCriterion, NoClassWithFewerRecordsHolds) {
  std::mt19937_64 random(57);
  int telling = 0;
  for (int repetition = 0; repetition < 300; ++repetition) {
    std::vector<std::uint64_t> totals(2 + random() % 20);
    for (auto& one : totals) one = 1 + random() % 30;
    SensitiveColumn over = column(totals);
    over.parents = {std::vector<std::uint32_t>(totals.size()), {0, 0}};
    for (std::uint32_t value = 0; value < totals.size(); ++value) over.parents[0][value] = value % 2;
    const ReferenceDistribution reference(over);
    std::vector<std::unique_ptr<ClassCriterion>> criteria;
    auto add = [&](const auto& rule) { criteria.push_back(*make_criterion(rule, over)); };
    for (const Distance distance : {Distance::equal, Distance::ordered, Distance::hierarchical})
      for (const char* t : {"0.05", "0.15", "0.3"}) add(TCloseness{"s", distance, decimal(t)});
    for (const char* beta : {"0.3", "1", "3"}) add(BetaLikeness{"s", random() % 2 == 0, decimal(beta)});
    for (const char* delta : {"0.4", "1.5"}) add(DeltaDisclosure{"s", decimal(delta)});
    for (const char* c : {"0.2", "1", "3"})
      add(LDiversity{"s", DiversityKind::recursive, static_cast<int>(1 + random() % 4), decimal(c)});
    for (const auto& criterion : criteria) {
      const std::uint64_t bound = criterion->fewest_records(reference);
      telling += bound > 3 ? 1 : 0;
      for (int draw = 0; draw < 30 && bound > 1; ++draw) {
        // Records one by one, each where the class lacks most: such classes are the closest of their size.
        std::vector<std::uint64_t> counts(totals.size(), 0);
        const std::uint64_t size = 1 + random() % std::min<std::uint64_t>(bound - 1, 60);
        for (std::uint64_t record = 0; record < size; ++record) {
          std::size_t best = random() % totals.size();
          for (std::size_t value = 0; draw % 3 != 0 && value < totals.size(); ++value)
            if ((counts[value] + 1) * totals[best] < (counts[best] + 1) * totals[value]) best = value;
          counts[best] = std::min(counts[best] + 1, totals[best]);
        }
        EXPECT_FALSE(criterion->holds(values(counts), total(counts), reference)) << repetition << " of " << bound;
      }
    }
  }
  EXPECT_GT(telling, 1000);
}

TEST(TCloseness, EqualsTheDefinitionForValuesInAnyOrder) {
  std::mt19937_64 random(33);
  for (int repetition = 0; repetition < 500; ++repetition) {
    const std::size_t size = 2 + random() % 30;
    std::vector<std::uint64_t> table(size);
    std::vector<std::uint64_t> counts(size);
    for (std::size_t value = 0; value < size; ++value) {
      table[value] = random() % 3 == 0 ? 0 : random() % 20;
      counts[value] = table[value] == 0 || random() % 2 == 0 ? 0 : random() % (table[value] + 1);
    }
    table[0] += 1;
    counts[0] += total(counts) == 0 ? 1 : 0;
    SensitiveColumn over = column(table);
    std::shuffle(over.order.begin(), over.order.end(), random);
    std::vector<ValueCount> present = values(counts);
    std::shuffle(present.begin(), present.end(), random);
    long double carried = 0;
    long double ordered = 0;
    long double equal = 0;
    std::size_t occurring = 0;
    for (const std::uint32_t value : over.order) {
      if (table[value] == 0) continue;
      ++occurring;
      const long double difference =
          static_cast<long double>(counts[value]) / static_cast<long double>(total(counts)) -
          static_cast<long double>(table[value]) / static_cast<long double>(total(table));
      carried += difference;
      ordered += std::abs(carried);
      equal += std::abs(difference) / 2;
    }
    ordered /= occurring > 1 ? static_cast<long double>(occurring - 1) : 1;
    const ReferenceDistribution reference(over);
    auto measure = [&](Distance distance) {
      return (*make_criterion(TCloseness{"s", distance, 1}, over))->measure(present, total(counts), reference);
    };
    EXPECT_NEAR(measure(Distance::ordered), static_cast<double>(ordered), 1e-12);
    EXPECT_NEAR(measure(Distance::equal), static_cast<double>(equal), 1e-12);
  }
}

TEST(NaturalOrder, NumbersBySizeTextsByText) {
  EXPECT_EQ(natural_order({.values = {"10", "9", "?"}, .missing = 2}), (std::vector<std::uint32_t>{2, 1, 0}));
  EXPECT_EQ(natural_order({.values = {"10", "9", "a", "x"}, .missing = {}}), (std::vector<std::uint32_t>{1, 0, 2, 3}))
      << "that there is another value does not change the order of two";
}

}  // namespace class_criterion_test
}  // namespace gauze::anonymize
