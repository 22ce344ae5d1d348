#include "gauze/anonymize/classes/node_evaluation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gauze/anonymize/classes/class_judge.h"
#include "gauze/anonymize/metrics/information_loss.h"
#include "gauze/anonymize/testing/random_records.h"

namespace gauze::anonymize {
namespace node_evaluation_test {

using namespace schema;  // the vocabulary of this file

Rational decimal(const char* text) { return *Rational::parse(text); }

/// One quasi-identifier without generalisation; classes[c][v] records of class c have the sensitive value v.
Records records_of(const std::vector<std::vector<std::uint32_t>>& classes) {
  Records records;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t place = 0; place < classes.size(); ++place) rows.push_back({std::to_string(place)});
  records.quasi.push_back({"q", std::make_shared<const Hierarchy>(*Hierarchy::make("q", rows)), 1, {}});
  records.ground.resize(1);
  records.values.resize(1);
  SensitiveColumn column;
  column.name = "s";
  column.totals.assign(classes.front().size(), 0);
  for (std::uint32_t value = 0; value < classes.front().size(); ++value) column.order.push_back(value);
  for (std::uint32_t place = 0; place < classes.size(); ++place) {
    for (std::uint32_t value = 0; value < classes[place].size(); ++value) {
      if (classes[place][value] == 0) continue;
      records.ground[0].push_back(place);
      records.values[0].push_back(value);
      records.counts.push_back(classes[place][value]);
      records.total += classes[place][value];
      column.totals[value] += classes[place][value];
      column.records += classes[place][value];
    }
  }
  records.sensitive.push_back(std::move(column));
  return records;
}

/// How many records the node suppresses; the same by both ways to judge classes.
std::uint64_t suppressed(const Records& records, const Criteria& criteria, ReferenceRecords reference) {
  const CriteriaSet set = *CriteriaSet::make(criteria, records, reference);
  const NodeEvaluation evaluation(records, set, records.total, false);
  NodeEvaluation::Scratch scratch;
  const NodeOutcome outcome = evaluation.evaluate({0}, scratch);
  EXPECT_TRUE(outcome.feasible);
  std::vector<std::vector<TupleShare>> classes(records.quasi[0].hierarchy->size());
  for (std::uint32_t tuple = 0; tuple < records.size(); ++tuple)
    classes[records.ground[0][tuple]].push_back({tuple, records.counts[tuple]});
  const std::vector<bool> kept = ClassJudge(records, set).kept(classes);
  std::uint64_t sum = 0;
  for (std::size_t place = 0; place < classes.size(); ++place)
    for (const TupleShare& share : classes[place]) sum += kept[place] ? 0 : share.records;
  EXPECT_EQ(sum, outcome.suppressed.records);
  return outcome.suppressed.records;
}

TEST(NodeEvaluation, WhatFailsAgainstAllRecordsGoesThoughLessWouldDo) {
  // Flu and HIV: suppressing the first class alone would leave 10 + 20 records, all within 0.34.
  const Records records = records_of({{10, 0}, {0, 10}, {10, 10}});
  Criteria criteria;
  criteria.t_closeness = {{"s", Distance::equal, decimal("0.34")}};
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::kept), 20U);
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::all), 20U);
}

TEST(NodeEvaluation, SharesAreThoseOfTheKeptRecords) {
  // Of all 130 records 71 have value 0: the first class is 0.454 off, the second 0.054, the third 0.096. Of the 110 that
  // are left 51 have it, and the second class is 0.136 off.
  const Records records = records_of({{20, 0}, {6, 4}, {45, 55}});
  Criteria criteria;
  criteria.t_closeness = {{"s", Distance::equal, decimal("0.1")}};
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::all), 20U);
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::kept), 30U);
}

TEST(NodeEvaluation, RecordsThatFailKAreNotInTheSharesEither) {
  // The same, but the first class is too small for k.
  const Records records = records_of({{8, 0}, {6, 4}, {15, 20}});
  Criteria criteria;
  criteria.k = 9;
  criteria.beta_likeness = {{"s", false, decimal("0.27")}};
  // Of all 53 records 29 have value 0, of 45 only 21: 0.6 is 1.097 and 1.286 times that.
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::all), 8U);
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::kept), 18U);
}

TEST(NodeEvaluation, ValuesThatNobodyKeptHasAreNoStepsOfTheOrder) {
  // Only the first class, which is too small, has the last value. Without it there is one step, and the others are 0.1
  // off; with it (as long as the row counts) 0.068.
  const Records records = records_of({{0, 0, 1}, {12, 8, 0}, {8, 12, 0}});
  Criteria criteria;
  criteria.k = 2;
  criteria.t_closeness = {{"s", Distance::ordered, decimal("0.1")}};
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::kept), 1U);
  criteria.t_closeness = {{"s", Distance::ordered, decimal("0.09")}};
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::all), 1U);
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::kept), 41U);
}

TEST(NodeEvaluation, NothingLeftIsASolutionOfEveryCriterion) {
  const Records records = records_of({{3, 0}, {0, 3}});
  Criteria criteria;
  criteria.k = 4;
  criteria.t_closeness = {{"s", Distance::equal, decimal("0.1")}};
  criteria.delta_disclosure = {{"s", 1}};
  EXPECT_EQ(suppressed(records, criteria, ReferenceRecords::kept), 6U);
}

TEST(NodeEvaluation, KeepsWhatIsKeptOfARandomTable) {
  std::mt19937_64 random(51);
  int relative = 0;
  for (int repetition = 0; repetition < 200; ++repetition) {
    std::vector<std::vector<std::uint32_t>> classes(2 + random() % 6, std::vector<std::uint32_t>(3));
    for (auto& counts : classes)
      for (auto& count : counts) count = static_cast<std::uint32_t>(random() % 9);
    classes.front()[0] += 1;
    const Records records = records_of(classes);
    Criteria criteria;
    criteria.k = 4;
    criteria.t_closeness = {{"s", Distance::ordered, decimal("0.15")}};
    criteria.beta_likeness = {{"s", true, 1}};
    relative +=
        suppressed(records, criteria, ReferenceRecords::all) != suppressed(records, criteria, ReferenceRecords::kept)
            ? 1
            : 0;
  }
  EXPECT_GT(relative, 10);
}

TEST(RecordLayers, HaveTheClassesOfTheWhole) {
  std::mt19937_64 random(53);
  int smaller = 0;
  for (int repetition = 0; repetition < 15; ++repetition) {
    const Records records = testing::group(testing::random_table({.rows = 400,
                                                                  .quasi = 4,
                                                                  .most_values = 12,
                                                                  .most_levels = 4,
                                                                  .sensitive = 2,
                                                                  .sensitive_values = 3,
                                                                  .extra_population = 50},
                                                                 random));
    const RecordLayers layers(records, {1, 0});
    for (int node = 0; node < 30; ++node) {
      Levels levels;
      for (const QuasiIdentifier& quasi : records.quasi)
        levels.push_back(static_cast<std::uint8_t>(random() % static_cast<std::uint64_t>(quasi.hierarchy->levels())));
      ClassGrouping::Scratch whole;
      layers.whole().grouping.group(levels, whole);
      ClassGrouping::Scratch groups;
      const RecordLayers::Layer& layer = layers.below(levels, groups);
      layer.grouping.group(levels, groups);
      smaller += layer.records.size() < records.size() ? 1 : 0;
      std::vector<std::uint32_t> asked;
      for (std::uint32_t slot = 0; slot < groups.slots; ++slot)
        if (groups.size[slot] > 0) asked.push_back(slot);
      std::vector<ClassValues::Scratch> values(2);
      for (std::size_t column = 0; column < 2; ++column) layer.values[column].count(groups, asked, values[column]);
      std::vector<std::vector<std::uint64_t>> people(2, std::vector<std::uint64_t>(groups.slots, 0));
      for (std::size_t tuple = 0; tuple < layer.records.size(); ++tuple)
        people[0][groups.slot[tuple]] += layer.records.population[tuple];
      for (std::size_t tuple = 0; tuple < records.size(); ++tuple) {
        const std::uint32_t slot = groups.slot[layer.place.empty() ? tuple : layer.place[tuple]];
        EXPECT_EQ(groups.size[slot], whole.size[whole.slot[tuple]]);
        people[1][slot] += records.population[tuple];
        if (records.counts[tuple] == 0) continue;
        std::uint64_t same = 0;
        for (std::size_t other = 0; other < records.size(); ++other)
          if (whole.slot[other] == whole.slot[tuple] && records.values[1][other] == records.values[1][tuple])
            same += records.counts[other];
        const auto found = values[0].of(slot);
        const auto entry = std::find_if(found.begin(), found.end(), [&](const ValueCount& value) {
          return value.value == records.values[1][tuple];
        });
        ASSERT_NE(entry, found.end());
        EXPECT_EQ(entry->count, same);
      }
      EXPECT_EQ(people[0], people[1]);
    }
  }
  EXPECT_GT(smaller, 50);
}

TEST(ClassValues, CountsEachValueOnceAndInItsOrder) {
  std::mt19937_64 random(52);
  for (int repetition = 0; repetition < 20; ++repetition) {
    Records records = testing::group(testing::random_table({.rows = 150, .quasi = 3, .sensitive_values = 9}, random));
    std::shuffle(records.sensitive[0].order.begin(), records.sensitive[0].order.end(), random);
    const ClassGrouping grouping(records);
    ClassGrouping::Scratch groups;
    Levels levels;
    for (const QuasiIdentifier& quasi : records.quasi)
      levels.push_back(static_cast<std::uint8_t>(random() % static_cast<std::uint64_t>(quasi.hierarchy->levels())));
    grouping.group(levels, groups);
    std::vector<std::uint32_t> asked;
    for (std::uint32_t slot = 0; slot < groups.slots; ++slot)
      if (groups.size[slot] > 0 && random() % 2 == 0) asked.push_back(slot);
    const ClassValues counting(records, 0);
    ClassValues::Scratch scratch;
    counting.count(groups, asked, scratch);
    for (const std::uint32_t slot : asked) {
      std::vector<ValueCount> expected;
      for (const std::uint32_t value : records.sensitive[0].order) {
        std::uint64_t count = 0;
        for (std::size_t tuple = 0; tuple < records.size(); ++tuple)
          if (groups.slot[tuple] == slot && records.values[0][tuple] == value) count += records.counts[tuple];
        if (count > 0) expected.push_back({value, count});
      }
      const auto found = scratch.of(slot);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t place = 0; place < found.size(); ++place) {
        EXPECT_EQ(found[place].value, expected[place].value);
        EXPECT_EQ(found[place].count, expected[place].count);
      }
    }
  }
}

// Whichever records are suppressed besides those that are known, no term is below what is said of so many.
TEST(InformationLoss, BoundsWhatFurtherRecordsCostWhicheverTheyAre) {
  std::mt19937_64 random(46);
  for (int repetition = 0; repetition < 60; ++repetition) {
    const Records records = testing::group(testing::random_table({.rows = 60}, random));
    SuppressedRecords known;
    for (const QuasiIdentifier& quasi : records.quasi) known.by_ground.emplace_back(quasi.hierarchy->size(), 0);
    SuppressedRecords all = known;
    for (std::size_t tuple = 0; tuple < records.size(); ++tuple) {
      const auto kind = random() % 4;
      if (kind > 1) continue;
      for (SuppressedRecords* list : {&all, &known}) {
        if (list == &known && kind == 1) continue;
        list->records += records.counts[tuple];
        for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi)
          list->by_ground[quasi][records.ground[quasi][tuple]] += records.counts[tuple];
      }
    }
    if (repetition % 3 == 0) known = {};  // nothing is known but how many
    for (const Metric metric : {Metric::loss, Metric::loss_geometric, Metric::entropy, Metric::precision}) {
      const InformationLoss loss(metric, records);
      const auto least = loss.terms(known, all.records - known.records);
      const auto exact = loss.terms(all);
      const auto before = loss.terms(known);
      for (std::size_t quasi = 0; quasi < exact.size(); ++quasi) {
        for (std::size_t level = 0; level < exact[quasi].size(); ++level) {
          EXPECT_LE(least[quasi][level], exact[quasi][level] + 1e-12 * std::abs(exact[quasi][level]));
          EXPECT_GE(least[quasi][level], before[quasi][level] - 1e-12 * std::abs(before[quasi][level]));
        }
      }
    }
  }
}

}  // namespace node_evaluation_test
}  // namespace gauze::anonymize
