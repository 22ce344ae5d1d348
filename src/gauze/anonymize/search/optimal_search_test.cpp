#include "gauze/anonymize/search/optimal_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gauze/anonymize/search/recoding.h"
#include "gauze/anonymize/testing/brute_force.h"
#include "gauze/base/parallel.h"
#include "gauze/schema/policy/criterion_text.h"

namespace gauze::anonymize {
namespace optimal_search_test {

using namespace schema;  // the vocabulary of this file

using testing::BruteForceNode;
using testing::group;
using testing::PlainTable;
using testing::Question;
using testing::random_table;
using testing::RandomTableOptions;

constexpr Metric kMetrics[] = {Metric::loss, Metric::loss_geometric, Metric::discernibility,
                               Metric::aecs, Metric::entropy,        Metric::precision};

Rational decimal(const char* text) { return *Rational::parse(text); }

/// Every privacy model, by name, with a parameter that bites on small tables.
std::vector<std::pair<std::string, Criteria>> models() {
  std::vector<std::pair<std::string, Criteria>> list;
  auto add = [&](const char* name, auto change) {
    Criteria criteria;
    criteria.k = 2;
    change(criteria);
    list.emplace_back(name, criteria);
  };
  add("k", [](Criteria& c) { c.k = 3; });
  add("distinct", [](Criteria& c) { c.l_diversity = {{"s0", DiversityKind::distinct, 2, 0}}; });
  add("entropy", [](Criteria& c) { c.l_diversity = {{"s0", DiversityKind::entropy, decimal("1.8"), 0}}; });
  add("entropy of two", [](Criteria& c) { c.l_diversity = {{"s0", DiversityKind::entropy, 2, 0}}; });
  add("recursive", [](Criteria& c) { c.l_diversity = {{"s0", DiversityKind::recursive, 2, 2}}; });
  add("equal distance", [](Criteria& c) { c.t_closeness = {{"s0", Distance::equal, decimal("0.3")}}; });
  add("ordered distance", [](Criteria& c) { c.t_closeness = {{"s0", Distance::ordered, decimal("0.2")}}; });
  add("hierarchical distance", [](Criteria& c) {
    c.t_closeness = {{"s0", Distance::hierarchical, decimal("0.25")}};
  });
  add("delta-disclosure", [](Criteria& c) { c.delta_disclosure = {{"s0", decimal("1.5")}}; });
  add("beta-likeness", [](Criteria& c) { c.beta_likeness = {{"s0", false, decimal("0.8")}}; });
  add("enhanced beta-likeness", [](Criteria& c) { c.beta_likeness = {{"s0", true, 2}}; });
  add("k-map", [](Criteria& c) { c.k_map = KMap{6, "file"}; });
  add("delta-presence", [](Criteria& c) {
    c.delta_presence = DeltaPresence{decimal("0.1"), decimal("0.7"), "file"};
  });
  add("several", [](Criteria& c) {
    c.l_diversity = {{"s0", DiversityKind::distinct, 2, 0}};
    c.t_closeness = {{"s0", Distance::equal, decimal("0.5")}};
    c.delta_disclosure = {{"s0", 2}};
  });
  return list;
}

Result<OptimalNode> search(const Records& records, const Criteria& criteria, Metric metric, std::uint64_t limit,
                           ReferenceRecords reference = ReferenceRecords::kept) {
  Progress progress;
  const CriteriaSet set = *CriteriaSet::make(criteria, records, reference);
  return find_optimal_node(records, set, {.metric = metric, .suppression_limit = limit, .time_limit = {}}, progress);
}

/// Holds the answer of the search against brute force over the whole lattice, for one table.
void compare(const PlainTable& table, const Criteria& criteria, Metric metric, std::uint64_t limit,
             ReferenceRecords reference = ReferenceRecords::kept) {
  const Question question{criteria, metric, limit, reference};
  const auto expected = testing::search_plainly(table, question);
  const auto found = search(group(table), criteria, metric, limit, reference);
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (!found) {
    EXPECT_EQ(found.error().code, ErrorCode::infeasible);
    return;
  }
  EXPECT_NEAR(found->value, expected->value, 1e-9 * (1 + std::abs(expected->value)));
  EXPECT_TRUE(found->optimal);
  EXPECT_LE(found->nodes_checked, found->nodes_total);
  // The node itself must be what it claims, not only its value.
  const auto same = testing::evaluate_plainly(table, question, found->levels);
  ASSERT_TRUE(same.has_value());
  EXPECT_NEAR(same->value, found->value, 1e-9 * (1 + std::abs(found->value)));
  EXPECT_EQ(same->suppressed, found->outcome.suppressed.records);
}

TEST(OptimalSearch, EqualsBruteForceForEveryModelAndMetric) {
  std::mt19937_64 random(1);
  for (const auto& [name, criteria] : models()) {
    for (const Metric metric : kMetrics) {
      for (int repetition = 0; repetition < 12; ++repetition) {
        SCOPED_TRACE(name + ", " + std::string(word_of(kMetricWords, metric)) + ", repetition " +
                     std::to_string(repetition));
        RandomTableOptions options;
        options.rows = 10 + random() % 60;
        options.quasi = 1 + random() % 4;
        options.extra_population = 30;
        options.sensitive_missing = repetition % 3 == 2;
        const PlainTable table = random_table(options, random);
        const std::uint64_t limit = random() % 4 == 0 ? 0 : random() % (options.rows / 2);
        compare(table, criteria, metric, limit, ReferenceRecords::kept);
        compare(table, criteria, metric, limit, ReferenceRecords::all);
      }
    }
  }
}

TEST(OptimalSearch, EqualsBruteForceWithWeights) {
  std::mt19937_64 random(2);
  for (const Metric metric : kMetrics) {
    for (int repetition = 0; repetition < 10; ++repetition) {
      PlainTable table = random_table({.rows = 60, .quasi = 4}, random);
      for (QuasiIdentifier& quasi : table.quasi) quasi.weight = 1.0 + static_cast<double>(random() % 5);
      Criteria criteria;
      criteria.k = 3;
      compare(table, criteria, metric, 6);
    }
  }
}

TEST(OptimalSearch, ReplicatingRowsWithAsManyTimesKChangesNothing) {
  std::mt19937_64 random(3);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const PlainTable table = random_table({.rows = 80, .quasi = 4}, random);
    PlainTable thrice = table;
    for (int copy = 0; copy < 2; ++copy) {
      thrice.ground.insert(thrice.ground.end(), table.ground.begin(), table.ground.end());
      thrice.values.insert(thrice.values.end(), table.values.begin(), table.values.end());
    }
    Criteria once;
    once.k = 3;
    Criteria threefold;
    threefold.k = 9;
    const auto a = search(group(table), once, Metric::loss, 8);
    const auto b = search(group(thrice), threefold, Metric::loss, 24);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a) continue;
    EXPECT_EQ(a->levels, b->levels);
    EXPECT_NEAR(a->value, b->value, 1e-12);
  }
}

TEST(OptimalSearch, PermutingColumnsPermutesTheAnswer) {
  std::mt19937_64 random(4);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const PlainTable table = random_table({.rows = 80, .quasi = 4}, random);
    PlainTable permuted = table;
    std::reverse(permuted.quasi.begin(), permuted.quasi.end());
    for (auto& row : permuted.ground) std::reverse(row.begin(), row.end());
    Criteria criteria;
    criteria.k = 4;
    const auto a = search(group(table), criteria, Metric::loss, 5);
    const auto b = search(group(permuted), criteria, Metric::loss, 5);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a) continue;
    EXPECT_NEAR(a->value, b->value, 1e-12);
  }
}

TEST(OptimalSearch, AskingForMoreNeverCostsLess) {
  std::mt19937_64 random(5);
  for (const Metric metric : kMetrics) {
    for (int repetition = 0; repetition < 5; ++repetition) {
      const Records records = group(random_table({.rows = 100, .quasi = 4}, random));
      double before = 0;
      for (const std::uint64_t k : {1U, 2U, 4U, 8U, 16U}) {
        Criteria criteria;
        criteria.k = k;
        const auto found = search(records, criteria, metric, 10);
        if (!found) break;  // and so for every larger k
        EXPECT_GE(found->value, before - 1e-9);
        before = found->value;
      }
      double loosest = HUGE_VAL;
      for (const std::uint64_t limit : {0U, 5U, 20U, 60U}) {
        Criteria criteria;
        criteria.k = 6;
        const auto found = search(records, criteria, metric, limit);
        if (!found) {
          EXPECT_EQ(loosest, HUGE_VAL);  // never infeasible again once something was found
          continue;
        }
        EXPECT_LE(found->value, loosest + 1e-9);
        loosest = found->value;
      }
    }
  }
}

TEST(OptimalSearch, DoesNotDependOnTheNumberOfThreads) {
  std::mt19937_64 random(6);
  const Records records = group(random_table({.rows = 300, .quasi = 5, .most_values = 12, .most_levels = 4}, random));
  Criteria criteria;
  criteria.k = 4;
  criteria.t_closeness = {{"s0", Distance::equal, decimal("0.4")}};
  set_thread_count(1);
  const auto alone = search(records, criteria, Metric::loss, 20);
  set_thread_count(4);
  const auto together = search(records, criteria, Metric::loss, 20);
  set_thread_count(0);
  ASSERT_TRUE(alone.has_value());
  ASSERT_TRUE(together.has_value());
  EXPECT_EQ(alone->levels, together->levels);
  EXPECT_EQ(alone->nodes_checked, together->nodes_checked);
  EXPECT_EQ(alone->value, together->value);
}

TEST(OptimalSearch, AnExpiredTimeLimitStillGivesABoundThatHolds) {
  std::mt19937_64 random(7);
  int unproved = 0;
  for (int repetition = 0; repetition < 20; ++repetition) {
    const Records records =
        group(random_table({.rows = 200, .quasi = 5, .most_values = 10, .most_levels = 4}, random));
    Criteria criteria;
    criteria.k = 3;
    const CriteriaSet set = *CriteriaSet::make(criteria, records);
    Progress progress;
    const SearchOptions hurried{
        .metric = Metric::loss, .suppression_limit = 10, .time_limit = std::chrono::seconds(0)};
    const auto quick = find_optimal_node(records, set, hurried, progress);
    const auto whole = search(records, criteria, Metric::loss, 10);
    ASSERT_EQ(quick.has_value(), whole.has_value());
    if (!quick) continue;
    EXPECT_LE(quick->lower_bound, whole->value * (1 + 1e-9));
    EXPECT_GE(quick->value, whole->value * (1 - 1e-9));
    unproved += quick->optimal ? 0 : 1;
    EXPECT_EQ(quick->optimal, quick->lower_bound == quick->value);
  }
  EXPECT_GT(unproved, 0);
}

/// Rows by their ground values, in columns that have one level more than the ground where `levels` says 2.
PlainTable table_of(const std::vector<std::vector<std::uint32_t>>& rows, const std::vector<int>& levels) {
  PlainTable table;
  for (std::size_t quasi = 0; quasi < levels.size(); ++quasi) {
    std::vector<std::vector<std::string>> values(3);
    for (std::size_t value = 0; value < values.size(); ++value) {
      values[value] = {std::to_string(value)};
      if (levels[quasi] == 2) values[value].emplace_back("*");
    }
    table.quasi.push_back({"q", std::make_shared<const Hierarchy>(*Hierarchy::make("q", values)), 1, {}});
  }
  table.ground = rows;
  table.values.resize(rows.size());
  return table;
}

TEST(OptimalSearch, PrecisionCountsSuppressedRowsInColumnsWithOneLevelToo) {
  Criteria criteria;
  criteria.k = 2;
  const PlainTable table = table_of({{1, 0}, {1, 0}, {2, 0}}, {1, 1});
  const auto found = search(group(table), criteria, Metric::precision, 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->value, 1.0 / 3);
  const Records records = group(table);
  const CriteriaSet set = *CriteriaSet::make(criteria, records);
  const Recoding recoding = recode_at(found->levels, NodeEvaluation(records, set, 1, false));
  EXPECT_DOUBLE_EQ(measure(recoding, records, &found->levels).precision, 1.0 / 3);
}

TEST(OptimalSearch, DeltaPresenceAboveZeroNeedsARowForEveryClassOfThePopulation) {
  PlainTable table = table_of({{0}, {0}, {1}}, {2});
  table.population = {{0}, {0}, {0}, {1}, {2}, {2}};
  Criteria criteria;
  criteria.delta_presence = DeltaPresence{decimal("0.1"), 1, "file"};
  // At the ground nobody of value 2 is in the table; all together are half of the population.
  const auto found = search(group(table), criteria, Metric::loss, 0);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->levels, Levels{1});
  // A suppressed class is as absent as one that was never there.
  table.population.resize(4);
  criteria.delta_presence = DeltaPresence{decimal("0.1"), decimal("0.9"), "file"};
  EXPECT_EQ(search(group(table), criteria, Metric::loss, 1)->levels, Levels{1});
  // Without a lower bound both are allowed.
  criteria.delta_presence = DeltaPresence{0, decimal("0.9"), "file"};
  EXPECT_EQ(search(group(table), criteria, Metric::loss, 1)->levels, Levels{0});
}

TEST(OptimalSearch, WhatIsUntouchedHasNoLoss) {
  std::mt19937_64 random(12);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const auto found =
        search(group(random_table({.rows = 97, .quasi = 4, .most_values = 30}, random)), Criteria{}, Metric::loss, 0);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->value, 0);
  }
}

TEST(OptimalSearch, StopsWhenAsked) {
  std::mt19937_64 random(8);
  const Records records = group(random_table({.rows = 50, .quasi = 3}, random));
  const CriteriaSet set = *CriteriaSet::make(Criteria{}, records);
  Progress progress;
  progress.request_stop();
  const auto found = find_optimal_node(records, set, {}, progress);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::interrupted);
}

TEST(OptimalSearch, RefusesALatticeThatIsTooLarge) {
  std::mt19937_64 random(9);
  PlainTable table;
  for (int quasi = 0; quasi < 13; ++quasi)
    table.quasi.push_back({"q", testing::random_hierarchy(5, 4, random), 1, {}});
  table.ground.push_back(std::vector<std::uint32_t>(13, 0));
  table.values.emplace_back();
  const auto found = search(group(table), Criteria{}, Metric::loss, 0);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::unsupported);
}

TEST(OptimalSearch, MissingThatMatchesEverythingNeverSuppressesMore) {
  std::mt19937_64 random(10);
  for (int repetition = 0; repetition < 30; ++repetition) {
    PlainTable table = random_table({.rows = 40, .quasi = 3, .most_levels = 2}, random);
    for (QuasiIdentifier& quasi : table.quasi) quasi.missing = 0;
    Criteria own;
    own.k = 4;
    Criteria any = own;
    any.missing_matches_everything = true;
    const Records records = group(table);
    const CriteriaSet own_set = *CriteriaSet::make(own, records);
    const CriteriaSet any_set = *CriteriaSet::make(any, records);
    NodeEvaluation::Scratch scratch;
    const Levels bottom(3, 0);
    const NodeEvaluation strict(records, own_set, records.total, true);
    const NodeEvaluation lenient(records, any_set, records.total, true);
    EXPECT_LE(lenient.evaluate(bottom, scratch).suppressed.records,
              strict.evaluate(bottom, scratch).suppressed.records);
    // By the definition: a record is kept when k records agree with it wherever neither value is missing.
    std::uint64_t suppressed = 0;
    for (const auto& one : table.ground) {
      std::uint64_t matches = 0;
      for (const auto& other : table.ground) {
        bool match = true;
        for (std::size_t quasi = 0; quasi < 3; ++quasi) {
          const bool open = one[quasi] == 0 || other[quasi] == 0;  // row 0 is "missing"
          match = match && (open || one[quasi] == other[quasi]);
        }
        matches += match ? 1 : 0;
      }
      suppressed += matches < 4 ? 1 : 0;
    }
    EXPECT_EQ(lenient.evaluate(bottom, scratch).suppressed.records, suppressed);
  }
}

TEST(Recoding, HasTheValueThatTheSearchFound) {
  std::mt19937_64 random(11);
  for (const Metric metric : kMetrics) {
    for (int repetition = 0; repetition < 10; ++repetition) {
      const Records records = group(random_table({.rows = 80, .quasi = 4}, random));
      Criteria criteria;
      criteria.k = 4;
      const auto found = search(records, criteria, metric, 12);
      if (!found) continue;
      const CriteriaSet set = *CriteriaSet::make(criteria, records);
      const NodeEvaluation evaluation(records, set, 12, false);
      const Recoding recoding = recode_at(found->levels, evaluation);
      EXPECT_EQ(recoding.suppressed, found->outcome.suppressed.records);
      EXPECT_NEAR(measure(recoding, records, &found->levels).of(metric), found->value, 1e-9 * (1 + found->value));
    }
  }
}

}  // namespace optimal_search_test
}  // namespace gauze::anonymize
