// Intervals hold what they say: over many runs the value before noise lies in them.
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/query/run/formula_boxes.h"
#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace intervals_test {

/// 40 customers with a few orders each.
testing::Database busy_shop() {
  std::string customers = "c_id,segment,nation,since,active,note\n";
  std::string orders = "o_id,c_id,price,day,weight\n";
  int order = 0;
  for (int unit = 0; unit < 40; ++unit) {
    customers += fmt::format("{},{},{},2020-01-01,true,n{}\n", unit, unit % 3 == 0 ? "company" : "private", unit % 5,
                             unit % 4);
    for (int i = 0; i < 1 + unit % 4; ++i)
      orders += fmt::format("{},{},{},2024-0{}-01,1\n", order++, unit, 10 * unit + i, 1 + unit % 9);
  }
  return testing::Database({{"customers.csv", customers},
                            {"orders.csv", orders},
                            {"items.csv", "o_id,quantity\n"},
                            {"nations.csv", "id,name\n0,A\n1,B\n2,C\n3,D\n4,E\n"}},
                           testing::shop_schema());
}

struct Asked {
  const char* sql;
  bool gaussian;
  bool private_keys;
};

// 400 runs: correct intervals (at least 95 %) fall below 90 % with p <= 1e-5 by the binomial law; intervals that hold in 85 % are caught in 99 % of tests.
TEST(QueryIntervals, HoldTheValueBeforeNoise) {
  const testing::Database shop = busy_shop();
  SchemaTables tables = shop.load();
  const Asked all[] = {
      {"SELECT COUNT(*), SUM(price), AVG(price), VARIANCE(price) FROM orders", false, false},
      {"SELECT COUNT(*), AVG(price), COUNT(*) * 2 + 1, SUM(price) / COUNT(*) FROM orders", true, false},
      {"SELECT segment, COUNT(*), AVG(nation), STDDEV(nation) FROM customers GROUP BY segment", false, false},
      {"SELECT note, COUNT(*), COUNT(DISTINCT c_id) FROM customers GROUP BY note", false, true}};
  for (const Asked& asked : all) {
    QueryParameters parameters =
        testing::with_epsilon(4, asked.gaussian || asked.private_keys ? Rational::parse("1e-3").value() : Rational());
    if (asked.gaussian) parameters.budget.noise = NoiseKind::gaussian;
    parameters.groups_per_unit = 1;
    parameters.rows_per_unit = 4;
    const auto plan = shop.plan(asked.sql, parameters);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    Progress progress;
    SeededRandom seeded(99);
    Chance silent = Chance::none(seeded);
    const auto truth = finish_answer(*plan, measure(*plan, tables, silent, progress).value(), false, {}).value();
    std::vector<int> held(truth.columns.size());
    std::vector<int> shown(truth.columns.size());
    for (int run = 0; run < 400; ++run) {
      Chance chance(seeded);
      const NoisyTable table = measure(*plan, tables, chance, progress).value();
      const AnswerValues values(*plan, table);
      const FormulaBoxes boxes(*plan, table, values);
      for (std::size_t row = 0; row < table.rows.size(); ++row)
        for (const auto& exact : truth.rows) {
          if (truth.columns[0].is_key && exact[0].value != table.rows[row].keys[0]) continue;
          for (std::size_t i = 0; i < truth.columns.size(); ++i) {
            if (truth.columns[i].is_key) continue;
            const auto box = boxes.box(plan->question.result->columns[i].formula, row);
            ASSERT_TRUE(box.has_value()) << asked.sql;
            const double value = std::strtod(exact[i].value->c_str(), nullptr);
            ++shown[i];
            held[i] += box->low <= value + 1e-9 && value <= box->high + 1e-9 ? 1 : 0;
          }
        }
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (shown[i] > 0) {
        EXPECT_GE(held[i], 0.90 * shown[i]) << asked.sql << " column " << i;
      }
    }
  }
}

TEST(QueryConsistency, CountsAreWholeAndNotNegativeAndSharesAddUp) {
  const testing::Database shop = busy_shop();
  SchemaTables tables = shop.load();
  QueryParameters parameters = testing::with_epsilon(Rational(1, 10));
  parameters.groups_per_unit = 1;
  parameters.rows_per_unit = 1;
  const auto plan = shop.plan(
      "SELECT nation, active, COUNT(*) AS n, COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM customers GROUP BY 1, 2",
      parameters);
  ASSERT_TRUE(plan.has_value());
  SeededRandom seeded(4);
  for (int run = 0; run < 20; ++run) {
    Chance chance(seeded);
    Progress progress;
    const auto result = finish_answer(*plan, measure(*plan, tables, chance, progress).value(), true, {}).value();
    double shares = 0;
    for (const auto& row : result.rows) {
      const double count = std::strtod(row[2].value->c_str(), nullptr);
      EXPECT_GE(count, 0);
      EXPECT_EQ(count, std::floor(count));
      EXPECT_LE(*row[2].low, count);
      EXPECT_GE(*row[2].high, count);
      shares += std::strtod(row[3].value->c_str(), nullptr);
    }
    EXPECT_NEAR(shares, 1, 1e-9);
  }
}

}  // namespace intervals_test
}  // namespace gauze::query
