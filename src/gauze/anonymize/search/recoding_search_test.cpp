#include <gtest/gtest.h>

#include <map>

#include "gauze/anonymize/search/local_search.h"
#include "gauze/anonymize/search/mondrian.h"
#include "gauze/anonymize/search/optimal_search.h"
#include "gauze/anonymize/testing/brute_force.h"

namespace gauze::anonymize {
namespace recoding_search_test {

using namespace schema;  // the vocabulary of this file

using testing::group;
using testing::PlainTable;
using testing::random_table;

Rational decimal(const char* text) { return *Rational::parse(text); }

std::vector<Criteria> models() {
  std::vector<Criteria> list(6);
  for (Criteria& criteria : list) criteria.k = 3;
  list[1].l_diversity = {{"s0", DiversityKind::distinct, 2, 0}};
  list[2].l_diversity = {{"s0", DiversityKind::entropy, decimal("1.5"), 0}};
  list[3].t_closeness = {{"s0", Distance::equal, decimal("0.4")}};
  list[4].beta_likeness = {{"s0", true, 2}};
  list[5].delta_disclosure = {{"s0", 2}};
  return list;
}

/// Whether every output class of the recoding satisfies the criteria, from the rows of the table: tuples are looked up
/// again, and records of split tuples are dealt out by their shares.
void expect_sound(const PlainTable& table, const Records& records, const Criteria& criteria,
                  const Recoding& recoding) {
  std::map<std::vector<std::uint32_t>, std::size_t> place;
  for (std::size_t tuple = 0; tuple < records.size(); ++tuple) {
    std::vector<std::uint32_t> key;
    for (const auto& column : records.ground) key.push_back(column[tuple]);
    for (const auto& column : records.values) key.push_back(column[tuple]);
    place[key] = tuple;
  }
  std::map<std::vector<std::string>, std::vector<std::size_t>> outputs;
  std::uint64_t suppressed = 0;
  auto splits = recoding.splits;
  for (std::size_t row = 0; row < table.ground.size(); ++row) {
    std::vector<std::uint32_t> key = table.ground[row];
    key.insert(key.end(), table.values[row].begin(), table.values[row].end());
    const std::size_t tuple = place.at(key);
    std::uint32_t output = recoding.class_of[tuple];
    if (!splits.empty()) {
      auto share = splits[tuple].begin();
      while (share != splits[tuple].end() && share->records == 0) ++share;
      ASSERT_NE(share, splits[tuple].end());
      --share->records;
      output = share->output_class;
    }
    if (output == Recoding::kSuppressed) {
      ++suppressed;
      continue;
    }
    std::vector<std::string> texts;
    for (std::size_t quasi = 0; quasi < records.quasi.size(); ++quasi)
      texts.push_back(recoding.values[quasi][recoding.classes[output].cells[quasi]].text);
    outputs[texts].push_back(row);
  }
  EXPECT_EQ(suppressed, recoding.suppressed);
  EXPECT_EQ(outputs.size(), recoding.classes.size());
  std::vector<std::size_t> kept;
  for (const auto& [texts, rows] : outputs) kept.insert(kept.end(), rows.begin(), rows.end());
  for (const auto& [texts, rows] : outputs) EXPECT_TRUE(testing::class_holds_plainly(criteria, table, rows, kept));
}

TEST(LocalSearch, EveryOutputClassSatisfiesTheCriteria) {
  std::mt19937_64 random(21);
  for (const Criteria& criteria : models()) {
    for (int repetition = 0; repetition < 15; ++repetition) {
      const PlainTable table = random_table({.rows = 60, .quasi = 4}, random);
      const Records records = group(table);
      const CriteriaSet set = *CriteriaSet::make(criteria, records);
      Progress progress;
      const SearchOptions options{.metric = Metric::loss, .suppression_limit = 10, .time_limit = {}};
      const auto found = recode_locally(records, set, options, progress);
      if (!found) {
        EXPECT_EQ(found.error().code, ErrorCode::infeasible);
        continue;
      }
      expect_sound(table, records, criteria, found->recoding);
      EXPECT_LE(found->recoding.suppressed, 10U);
    }
  }
}

TEST(LocalSearch, FindsASolutionWheneverTheTopIsOne) {
  std::mt19937_64 random(22);
  for (const Criteria& criteria : models()) {
    for (int repetition = 0; repetition < 15; ++repetition) {
      const PlainTable table = random_table({.rows = 50, .quasi = 4}, random);
      const Records records = group(table);
      const CriteriaSet set = *CriteriaSet::make(criteria, records);
      Progress progress;
      std::vector<std::size_t> everyone(table.ground.size());
      for (std::size_t row = 0; row < everyone.size(); ++row) everyone[row] = row;
      bool single_top = true;
      for (const QuasiIdentifier& quasi : table.quasi)
        single_top = single_top && quasi.hierarchy->value_count(quasi.hierarchy->height()) == 1;
      if (!single_top || !testing::class_holds_plainly(criteria, table, everyone, everyone)) continue;
      // Criteria that a union of good classes may break can force suppression, so only the closed ones must succeed.
      if (!set.closed_under_merging()) continue;
      EXPECT_TRUE(recode_locally(records, set, {}, progress).has_value());
    }
  }
}

TEST(LocalSearch, NeverCostsMoreThanTheBestNode) {
  std::mt19937_64 random(23);
  int better = 0;
  for (int repetition = 0; repetition < 30; ++repetition) {
    const Records records = group(random_table({.rows = 150, .quasi = 4, .most_values = 8}, random));
    Criteria criteria;
    criteria.k = 4;
    const CriteriaSet set = *CriteriaSet::make(criteria, records);
    Progress progress;
    const auto best = find_optimal_node(records, set, {}, progress);
    const auto local = recode_locally(records, set, {}, progress);
    if (!best) continue;
    ASSERT_TRUE(local.has_value());
    const double loss = measure(local->recoding, records, nullptr).loss;
    EXPECT_LE(loss, best->value + 0.05);  // not proved, but far from it would be a fault
    better += loss < best->value ? 1 : 0;
  }
  EXPECT_GT(better, 15);
}

TEST(Mondrian, EveryOutputClassSatisfiesTheCriteria) {
  std::mt19937_64 random(24);
  for (const Criteria& criteria : models()) {
    for (const bool relaxed : {false, true}) {
      for (int repetition = 0; repetition < 10; ++repetition) {
        const PlainTable table = random_table({.rows = 60, .quasi = 3}, random);
        const Records records = group(table);
        const CriteriaSet set = *CriteriaSet::make(criteria, records);
        Progress progress;
        const auto found = cut_by_mondrian(records, set, relaxed, progress);
        if (!found) {
          EXPECT_EQ(found.error().code, ErrorCode::infeasible);
          continue;
        }
        expect_sound(table, records, criteria, *found);
        EXPECT_EQ(found->suppressed, 0U);
      }
    }
  }
}

TEST(Mondrian, CutsASingleColumnOfNumbersAtTheMedian) {
  std::vector<std::vector<std::string>> rows;
  for (int value = 1; value <= 8; ++value) rows.push_back({std::to_string(value), "*"});
  PlainTable table;
  table.quasi.push_back({"n", std::make_shared<const Hierarchy>(*Hierarchy::make("n", rows)), 1, {}});
  for (std::uint32_t row = 0; row < 8; ++row) {
    table.ground.push_back({row});
    table.values.emplace_back();
  }
  Criteria criteria;
  criteria.k = 2;
  const Records records = group(table);
  const CriteriaSet set = *CriteriaSet::make(criteria, records);
  Progress progress;
  const auto found = cut_by_mondrian(records, set, false, progress);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->classes.size(), 4U);
  std::vector<std::string> texts;
  for (const auto& output : found->classes) texts.push_back(found->values[0][output.cells[0]].text);
  EXPECT_EQ(texts, (std::vector<std::string>{"[1, 2]", "[3, 4]", "[5, 6]", "[7, 8]"}));
}

/// What becomes of 1 to 4 and a missing value, which is written like this.
std::vector<std::string> beside_missing(const std::string& missing) {
  std::vector<std::vector<std::string>> rows;
  for (int value = 1; value <= 4; ++value) rows.push_back({std::to_string(value), "*"});
  rows.push_back({missing, "*"});
  PlainTable table;
  table.quasi.push_back({"n", std::make_shared<const Hierarchy>(*Hierarchy::make("n", rows)), 1, 4});
  for (const std::uint32_t row : {4U, 0U, 1U, 2U, 3U}) {
    table.ground.push_back({row});
    table.values.emplace_back();
  }
  Criteria criteria;
  criteria.k = 2;
  const Records records = group(table);
  const CriteriaSet set = *CriteriaSet::make(criteria, records);
  Progress progress;
  const auto found = cut_by_mondrian(records, set, false, progress);
  EXPECT_TRUE(found.has_value());
  std::vector<std::string> texts;
  for (const auto& output : found->classes) texts.push_back(found->values[0][output.cells[0]].text);
  return texts;
}

TEST(Mondrian, MissingStandsBesideARangeOfNumbers) {
  EXPECT_EQ(beside_missing("?"), (std::vector<std::string>{"? or [1, 2]", "[3, 4]"}));
  EXPECT_EQ(beside_missing(""), (std::vector<std::string>{"? or [1, 2]", "[3, 4]"})) << "nothing would not be seen";
}

TEST(Mondrian, DatesKeepTheirRangesAndMissingStandsBesideThem) {
  // Listed out of order, with a hierarchy that would make them years.
  const std::vector<std::vector<std::string>> rows = {
      {"1984-12-31", "1984", "*"}, {"1980-01-01", "1980", "*"}, {"?", "?", "*"},
      {"1990-02-28", "1990", "*"}, {"1985-06-01", "1985", "*"}, {"1981-07-15", "1981", "*"}};
  PlainTable table;
  table.quasi.push_back({"d", std::make_shared<const Hierarchy>(*Hierarchy::make("d", rows)), 1, 2});
  for (const std::uint32_t row : {0U, 1U, 2U, 3U, 4U, 5U, 2U, 3U}) {
    table.ground.push_back({row});
    table.values.emplace_back();
  }
  Criteria criteria;
  criteria.k = 2;
  const Records records = group(table);
  const CriteriaSet set = *CriteriaSet::make(criteria, records);
  Progress progress;
  const auto found = cut_by_mondrian(records, set, false, progress);
  ASSERT_TRUE(found.has_value());
  std::vector<std::string> texts;
  for (const auto& output : found->classes) texts.push_back(found->values[0][output.cells[0]].text);
  EXPECT_EQ(texts,
            (std::vector<std::string>{"?", "[1980-01-01, 1981-07-15]", "[1984-12-31, 1985-06-01]", "1990-02-28"}));
}

TEST(Mondrian, RelaxedDividesEqualRecords) {
  PlainTable table;
  table.quasi.push_back(
      {"n", std::make_shared<const Hierarchy>(*Hierarchy::make("n", {{"1", "*"}, {"2", "*"}})), 1, {}});
  for (std::uint32_t row = 0; row < 6; ++row) {
    table.ground.push_back({row == 0 ? 0U : 1U});
    table.values.emplace_back();
  }
  Criteria criteria;
  criteria.k = 3;
  const Records records = group(table);
  const CriteriaSet set = *CriteriaSet::make(criteria, records);
  Progress progress;
  EXPECT_EQ(cut_by_mondrian(records, set, false, progress)->classes.size(), 1U);
  EXPECT_EQ(cut_by_mondrian(records, set, true, progress)->classes.size(), 2U);
}

}  // namespace recoding_search_test
}  // namespace gauze::anonymize
