// Intervals hold what they say: over many runs the value before noise lies in them.
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"
#include "gauze/query/run/formula_boxes.h"
#include "gauze/query/testing/many_worlds.h"

namespace gauze::query {
namespace intervals_test {

/// 40 customers with a few orders each; the one world of its files.
testing::Database busy_shop() {
  std::string customers = "c_id,segment,nation,since,active,note,world,owner\n";
  std::string orders = "o_id,c_id,price,day,weight,world,owner\n";
  int order = 0;
  for (int unit = 0; unit < 40; ++unit) {
    customers += fmt::format("{},{},{},2020-01-01,true,n{},0,-1\n", unit, unit % 3 == 0 ? "company" : "private",
                             unit % 5, unit % 4);
    for (int i = 0; i < 1 + unit % 4; ++i)
      orders += fmt::format("{},{},{},2024-0{}-01,1,0,-1\n", order++, unit, 10 * unit + i, 1 + unit % 9);
  }
  return testing::Database({{"customers.csv", customers},
                            {"orders.csv", orders},
                            {"items.csv", "o_id,quantity,world,owner\n"},
                            {"nations.csv", "id,name\n0,A\n1,B\n2,C\n3,D\n4,E\n"}},
                           testing::shop_schema());
}

struct Asked {
  const char* sql;
  NoiseKind noise;
};

QueryParameters parameters_of(const Asked& asked) {
  QueryParameters parameters = testing::with_epsilon(4, Rational::parse("1e-3").value());
  parameters.budget.noise = asked.noise;
  parameters.groups_per_unit = 1;
  parameters.rows_per_unit = 4;
  return parameters;
}

const Asked kAll[] = {
    {"SELECT COUNT(*), SUM(price), AVG(price), VARIANCE(price) FROM orders", NoiseKind::laplace},
    {"SELECT COUNT(*), AVG(price), COUNT(*) * 2 + 1, SUM(price) / COUNT(*) FROM orders", NoiseKind::gaussian},
    {"SELECT COUNT(price), COUNT(DISTINCT c_id), COUNT(DISTINCT day), COUNT(*) FILTER (WHERE price > 50) FROM orders",
     NoiseKind::laplace},
    {"SELECT SUM(price) FILTER (WHERE price > 50), COUNT(DISTINCT day), COUNT(price) FROM orders",
     NoiseKind::gaussian},
    {"SELECT VAR_POP(price), STDDEV_POP(price), STDDEV_SAMP(price) FROM orders", NoiseKind::gaussian},
    {"SELECT segment, COUNT(*), AVG(nation), STDDEV(nation) FROM customers GROUP BY segment", NoiseKind::laplace},
    {"SELECT segment, SUM(nation) / COUNT(*), COUNT(*) / SUM(COUNT(*)) OVER () FROM customers GROUP BY segment",
     NoiseKind::laplace},
    {"SELECT note, COUNT(*), COUNT(DISTINCT c_id) FROM customers GROUP BY note", NoiseKind::laplace},
    {"SELECT note, COUNT(DISTINCT c_id), SUM(nation) / COUNT(DISTINCT c_id), AVG(nation) FROM customers GROUP BY note",
     NoiseKind::gaussian},
};

// 2,000 runs: of intervals that hold in 95 % fewer than 92.5 % hold (5.1 standard deviations) with p <= 1e-6; intervals that hold in
// 90 % are caught in > 99.9 % of tests. What is named in fewer runs has the bound of as many standard deviations.
TEST(QueryIntervals, HoldTheValueBeforeNoiseOfEveryAggregate) {
  const testing::Database shop = busy_shop();
  testing::ManyWorlds worlds(shop);
  worlds.treat_keys_alike();
  worlds.show({{.world = 0}});
  worlds.look(0);
  for (const Asked& asked : kAll) {
    const auto plan = shop.plan(asked.sql, parameters_of(asked));
    ASSERT_TRUE(plan.has_value()) << asked.sql << plan.error().message;
    Progress progress;
    SeededRandom seeded(99);
    Chance silent = Chance::none(seeded);
    const auto truth =
        finish_answer(*plan, measure(*plan, worlds.tables(), silent, progress).value(), false, {}).value();
    struct Tally {
      int held = 0;
      int shown = 0;
      int told = 0;
    };
    std::map<std::pair<std::size_t, std::size_t>, Tally> tallies;  // by row and column
    NoisyTable table;
    const AnswerValues values(*plan, table);  // they look at whatever the table holds
    const FormulaBoxes boxes(*plan, table, values);
    for (int run = 0; run < watched_less(2'000); ++run) {
      Chance chance(seeded);
      table = measure(*plan, worlds.tables(), chance, progress).value();
      for (std::size_t row = 0; row < table.rows.size(); ++row)
        for (std::size_t exact = 0; exact < truth.rows.size(); ++exact) {
          const auto& cells = truth.rows[exact];
          if (truth.columns[0].is_key && cells[0].value != table.rows[row].keys[0]) continue;
          for (std::size_t i = 0; i < truth.columns.size(); ++i) {
            if (truth.columns[i].is_key || !cells[i].value) continue;  // 0 / 0 is no value
            const auto box = boxes.box(plan->question.result->columns[i].formula, row);
            const double value = std::strtod(cells[i].value->c_str(), nullptr);
            Tally& tally = tallies[{exact, i}];
            ++tally.shown;
            tally.told += box ? 1 : 0;  // where a divisor may be 0 nothing is told, which is never wrong
            tally.held += !box || (box->low <= value + 1e-9 && value <= box->high + 1e-9) ? 1 : 0;
          }
        }
    }
    EXPECT_FALSE(tallies.empty());
    for (const auto& [place, tally] : tallies) {
      EXPECT_GT(tally.told, 0) << asked.sql << " row " << place.first << " column " << place.second;
      EXPECT_GE(tally.held, 0.95 * tally.shown - 5.1 * std::sqrt(tally.shown * 0.95 * 0.05))
          << asked.sql << " row " << place.first << " column " << place.second << " of " << tally.shown;
    }
  }
}

TEST(QueryIntervals, HoldWhatIsPrintedAlsoWhereItIsConsistent) {
  const testing::Database shop = busy_shop();
  testing::ManyWorlds worlds(shop);
  worlds.treat_keys_alike();
  worlds.show({{.world = 0}});
  worlds.look(0);
  SeededRandom seeded(7);
  std::size_t printed = 0;
  for (const Asked& asked : kAll) {
    QueryParameters parameters = parameters_of(asked);
    parameters.budget.epsilon = Rational(1, 5);  // so that counts fall below 0
    const auto plan = shop.plan(asked.sql, parameters);
    ASSERT_TRUE(plan.has_value()) << asked.sql << plan.error().message;
    for (int run = 0; run < 4; ++run) {
      Chance chance(seeded);
      Progress progress;
      const NoisyTable table = measure(*plan, worlds.tables(), chance, progress).value();
      for (const bool consistent : {true, false}) {
        const auto result = finish_answer(*plan, table, consistent, {.engine = {.threads = 1}}).value();
        for (const auto& row : result.rows)
          for (std::size_t i = 0; i < row.size(); ++i) {
            if (!row[i].low || !row[i].value) continue;
            ++printed;
            const double value = std::strtod(row[i].value->c_str(), nullptr);
            EXPECT_LE(*row[i].low, value) << asked.sql << " column " << i;
            EXPECT_GE(*row[i].high, value) << asked.sql << " column " << i;
          }
      }
    }
  }
  EXPECT_GT(printed, 150U);
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
