#include "gauze/patterns/mining/association_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace gauze::patterns {
namespace association_rules_test {

Database shop() {
  Database database;
  database.names = {"bread", "butter", "milk"};
  std::vector<Item> none;
  for (std::vector<Item> row : std::vector<std::vector<Item>>{{0, 1}, {0, 1, 2}, {0, 2}, {1}, {0, 1}})
    database.add_row(row, none);
  return database;
}

std::vector<AssociationRule> rules_of(const Database& database, const RuleOptions& options) {
  std::vector<AssociationRule> rules;
  Progress progress;
  const auto counts = mine_rules(
      database, options,
      [&](const AssociationRule& rule) {
        rules.push_back(rule);
        return true;
      },
      progress);
  EXPECT_TRUE(counts) << counts.error().message;
  EXPECT_EQ(counts->rules, rules.size());
  return rules;
}

TEST(AssociationRules, FiguresByHand) {
  RuleOptions options;
  options.mining.min_count = 1;
  options.min_confidence = *Rational::parse("0.75");
  for (const AssociationRule& rule : rules_of(shop(), options)) {
    if (rule.a != Itemset{0} || rule.b != Itemset{1}) continue;  // bread => butter
    EXPECT_EQ(rule.support, 3U);
    EXPECT_DOUBLE_EQ(rule.confidence(), 0.75);
    EXPECT_DOUBLE_EQ(rule.lift(5), 0.75 / 0.8);
    EXPECT_DOUBLE_EQ(rule.conviction(5), 0.8);
    return;
  }
  FAIL() << "3 of 4 is 0.75, exactly";
}

// Bread in 4 of 5, butter in 4 of 5, both in 3: leverage 3/5 - 16/25, jaccard 3/5, kulczynski 3/4 both ways, no imbalance. Milk in 2, with
// bread in both: leverage 2/5 - 8/25, jaccard 2/4, kulczynski (2/4 + 2/2) / 2, imbalance (4 - 2) / 4.
TEST(AssociationRules, FurtherMeasuresByHand) {
  const AssociationRule butter{.a = {0}, .b = {1}, .support = 3, .support_a = 4, .support_b = 4};
  EXPECT_DOUBLE_EQ(butter.leverage(5), -0.04);
  EXPECT_DOUBLE_EQ(butter.jaccard(), 0.6);
  EXPECT_DOUBLE_EQ(butter.kulczynski(), 0.75);
  EXPECT_DOUBLE_EQ(butter.imbalance(), 0);
  const AssociationRule milk{.a = {0}, .b = {2}, .support = 2, .support_a = 4, .support_b = 2};
  EXPECT_DOUBLE_EQ(milk.leverage(5), 0.08);
  EXPECT_DOUBLE_EQ(milk.jaccard(), 0.5);
  EXPECT_DOUBLE_EQ(milk.kulczynski(), 0.75);
  EXPECT_DOUBLE_EQ(milk.imbalance(), 0.5);
  EXPECT_TRUE(is_larger(RuleMeasure::leverage, milk, butter, 5)) << "a negative one is smaller";
  EXPECT_TRUE(is_larger(RuleMeasure::jaccard, butter, milk, 5));
  EXPECT_FALSE(is_larger(RuleMeasure::kulczynski, butter, milk, 5));
  EXPECT_FALSE(is_larger(RuleMeasure::kulczynski, milk, butter, 5));
  EXPECT_TRUE(is_larger(RuleMeasure::imbalance, milk, butter, 5));
}

TEST(AssociationRules, AreComparedExactlyWhereDoublesTie) {
  const std::uint64_t n = 4'000'000'007;
  const AssociationRule one{
      .a = {0}, .b = {1}, .support = 2'000'000'000, .support_a = 3'000'000'000, .support_b = 3'999'999'999};
  AssociationRule other = one;
  ++other.support_b;
  for (const auto& [measure, word] : kRuleMeasureWords) {
    if (measure == RuleMeasure::support || measure == RuleMeasure::confidence) continue;
    const bool grows = measure == RuleMeasure::imbalance;
    EXPECT_EQ(is_larger(measure, one, other, n), !grows) << word;
    EXPECT_EQ(is_larger(measure, other, one, n), grows) << word;
  }
}

TEST(AssociationRules, AreAllSplitsThatPassTheThresholds) {
  const Database database = shop();
  for (const char* confidence : {"0", "0.5", "0.6", "1"}) {
    for (const char* lift : {"0", "1", "1.2"}) {
      RuleOptions options;
      options.mining.min_count = 1;
      options.min_confidence = *Rational::parse(confidence);
      options.min_lift = *Rational::parse(lift);
      std::set<std::pair<Itemset, Itemset>> found;
      for (const AssociationRule& rule : rules_of(database, options)) found.emplace(rule.a, rule.b);
      std::set<std::pair<Itemset, Itemset>> expected;
      for (int code = 1; code < 27; ++code) {  // each item: on the left, on the right, in neither
        Itemset a, b, both;
        for (int i = 0, rest = code; i < 3; ++i, rest /= 3) {
          if (rest % 3 == 1) a.push_back(static_cast<Item>(i));
          if (rest % 3 == 2) b.push_back(static_cast<Item>(i));
          if (rest % 3 != 0) both.push_back(static_cast<Item>(i));
        }
        if (a.empty() || b.empty()) continue;
        const auto counts = supports(database, std::vector<Itemset>{a, b, both});
        if (counts[2] == 0) continue;
        const double c = static_cast<double>(counts[2]) / static_cast<double>(counts[0]);
        if (c + 1e-12 >= std::stod(confidence) && c * 5 / static_cast<double>(counts[1]) + 1e-12 >= std::stod(lift))
          expected.emplace(a, b);
      }
      EXPECT_EQ(found, expected) << confidence << ' ' << lift;
    }
  }
}

TEST(AssociationRules, CanBeCutShortAndRestricted) {
  RuleOptions options;
  options.mining.min_count = 1;
  options.min_confidence = 0;
  options.single_consequent = true;
  for (const AssociationRule& rule : rules_of(shop(), options)) EXPECT_EQ(rule.b.size(), 1U);
  options.max_rules = 2;
  Progress progress;
  const auto counts = mine_rules(
      shop(), options, [](const AssociationRule&) { return true; }, progress);
  EXPECT_EQ(counts->rules, 2U);
  EXPECT_FALSE(counts->complete);
  options.min_confidence = 2;
  EXPECT_FALSE(mine_rules(
      shop(), options, [](const AssociationRule&) { return true; }, progress));
}

TEST(AssociationRules, TheLargestByEachMeasureWithTies) {
  Database database = shop();
  std::vector<Item> none;
  for (std::vector<Item> row : std::vector<std::vector<Item>>{{0, 2}, {1, 2}, {2}, {0, 1}})
    database.add_row(row, none);
  const std::uint64_t rows = database.rows();
  RuleOptions options;
  options.mining.min_count = 1;
  options.min_confidence = 0;
  const std::vector<AssociationRule> all = rules_of(database, options);
  for (const RuleMeasure by :
       {RuleMeasure::lift, RuleMeasure::confidence, RuleMeasure::support, RuleMeasure::conviction}) {
    const auto value = [&](const AssociationRule& rule) {
      return by == RuleMeasure::lift         ? rule.lift(rows)
             : by == RuleMeasure::confidence ? rule.confidence()
             : by == RuleMeasure::support    ? static_cast<double>(rule.support)
                                             : rule.conviction(rows);
    };
    std::vector<double> values;
    for (const AssociationRule& rule : all) values.push_back(value(rule));
    std::sort(values.rbegin(), values.rend());
    for (std::uint64_t top = 1; top <= all.size() + 1; ++top) {
      options.top = top;
      options.by = by;
      const std::vector<AssociationRule> best = rules_of(database, options);
      const double last = values[std::min<std::size_t>(top, values.size()) - 1];
      EXPECT_EQ(best.size(), static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double one) {
                  return one >= last * (1 - 1e-12);
                })));
      for (std::size_t i = 1; i < best.size(); ++i) EXPECT_GE(value(best[i - 1]), value(best[i]) * (1 - 1e-12));
    }
  }
}

TEST(AssociationRules, LongSetsWithOneItemOnTheRight) {
  Database database;
  std::vector<Item> none;
  std::vector<Item> row;
  for (Item i = 0; i < 66; ++i) {
    database.names.push_back(std::to_string(i));
    row.push_back(i);
  }
  database.add_row(row, none);
  RuleOptions options;
  options.mining.min_count = 1;
  options.mining.max_size = 2;
  options.single_consequent = true;
  EXPECT_EQ(rules_of(database, options).size(), 66U * 65U);
  options.mining.max_size = 3;
  options.mining.min_size = 3;
  options.mining.max_itemsets = 100'000;
  EXPECT_EQ(rules_of(database, options).size(), 66U * 65U * 64U / 6 * 3);
}

}  // namespace association_rules_test
}  // namespace gauze::patterns
