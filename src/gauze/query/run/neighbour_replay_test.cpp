// Random databases, random questions, one unit removed: no measurement moves by more than it declares.
#include "gauze/mechanisms/testing/neighbour_replay.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace neighbour_replay_test {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t bound) { return static_cast<std::size_t>(random() % bound); }
std::string one_of(Random& random, std::initializer_list<const char*> list) {
  return *(list.begin() + below(random, list.size()));
}

struct Line {
  int unit;  ///< -1: nobody
  std::string text;
};

/// Tables of a few units, with shared and dangling keys, repeated keys, missing and odd cells.
struct RandomShop {
  explicit RandomShop(Random& random) {
    units = 3 + static_cast<int>(below(random, 10));
    int order = 0;
    for (int unit = 0; unit < units; ++unit) {
      const std::size_t copies = below(random, 10) == 0 ? 2 : below(random, 8) == 0 ? 0 : 1;
      for (std::size_t i = 0; i < copies; ++i)
        customers.push_back(
            {unit, fmt::format("{},{},{},20{}-0{}-1{},{},{}", unit, one_of(random, {"private", "company", "odd", ""}),
                               one_of(random, {"0", "1", "2", "9", "", "x"}), 15 + below(random, 10),
                               1 + below(random, 9), below(random, 9), one_of(random, {"true", "false", ""}),
                               one_of(random, {"a", "b", "c", ""}))});
      const std::size_t count = below(random, 6) == 0 ? 30 : below(random, 5);
      for (std::size_t i = 0; i < count; ++i, ++order) {
        orders.push_back(
            {unit, fmt::format("{},{},{},2024-{:02}-1{},{}", order, unit,
                               one_of(random, {"1", "2.5", "-7", "1e9", "nan", "inf", "", "999.5", "abc"}),
                               1 + below(random, 12), below(random, 9),
                               one_of(random, {"1", "nan", "1e300", "-1e-300", ""}))});
        for (std::size_t item = 0; item < below(random, 4); ++item)
          items.push_back({unit, fmt::format("{},{}", order, one_of(random, {"1", "7", "50", "99", "", "-3"}))});
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      customers.push_back({-1, ",private,1,2020-01-01,true,a"});
      orders.push_back({-1, fmt::format("{},,5,2024-01-01,1", order++)});
      items.push_back({-1, "99999,4"});
    }
  }

  [[nodiscard]] testing::Database database(int without, const std::string& schema) const {
    const auto text = [&](const std::string& header, const std::vector<Line>& lines) {
      std::string all = header + "\n";
      for (const Line& line : lines)
        if (line.unit < 0 || line.unit != without) all += line.text + "\n";
      return all;
    };
    return testing::Database({{"customers.csv", text("c_id,segment,nation,since,active,note", customers)},
                              {"orders.csv", text("o_id,c_id,price,day,weight", orders)},
                              {"items.csv", text("o_id,quantity", items)},
                              {"nations.csv", "id,name\n0,A\n1,B\n2,C\n3,D\n4,E\n"}},
                             schema);
  }

  int units = 0;
  std::vector<Line> customers, orders, items;
};

/// A question over the shop, most of them answerable.
std::string random_question(Random& random) {
  struct Source {
    const char* from;
    std::vector<const char*> numbers, keys, conditions;
  };
  const std::vector<Source> sources = {
      {"orders",
       {"price", "price * 2 - 5", "abs(price - 3)", "GREATEST(LEAST(weight, 10), -10)",
        "CASE WHEN price > 2 THEN 1 END", "EXTRACT(month FROM day)"},
       {"EXTRACT(month FROM day)", "price > 2", "width_bucket(price, 0, 10, 3)", "date_trunc('quarter', day)",
        "CASE WHEN price > 1 THEN 'a' END"},
       {"price > 2", "day < '2024-06-01'", "price IS NULL", "weight > 0"}},
      {"customers",
       {"nation", "nation * nation - 3", "CAST(active AS integer)"},
       {"segment", "nation", "active", "segment || nation"},
       {"nation > 0", "active", "note = 'a'"}},
      {"orders o JOIN customers c USING (c_id)",
       {"price", "nation", "price * nation"},
       {"segment", "nation", "EXTRACT(month FROM day)"},
       {"price > nation", "segment = 'private'"}},
      {"orders o LEFT JOIN customers c ON o.c_id = c.c_id",
       {"price", "COALESCE(nation, 3)"},
       {"segment", "active"},
       {"price > 1", "nation IS NULL"}},
      {"items JOIN orders USING (o_id)",
       {"quantity", "quantity * price"},
       {"EXTRACT(month FROM day)", "quantity > 5"},
       {"quantity > 2", "price > 1"}},
      {"items i JOIN orders USING (o_id) JOIN customers USING (c_id) JOIN nations ON nation = id",
       {"quantity", "price"},
       {"name", "segment"},
       {"name < 'C'"}},
      {"items", {"quantity"}, {"quantity", "quantity % 3"}, {"quantity > 3"}},
      {"customers JOIN nations ON nation >= id", {"nation", "id_"}, {"name"}, {"nation < 4"}},
      {"(SELECT c_id, price AS p, day AS d FROM orders UNION ALL SELECT c_id, nation, since FROM customers) t",
       {"LEAST(GREATEST(p, 0), 9)"},
       {"p > 2"},
       {"p > 1", "d > '2020-01-01'"}},
      {"(SELECT c_id, COUNT(*) AS n, SUM(price) AS s, MAX(price) AS m FROM orders GROUP BY c_id) t",
       {"LEAST(n, 10)", "GREATEST(LEAST(s, 100), 0)", "m"},
       {"n > 1", "LEAST(n, 3) > 1"},
       {"n > 1", "s > 3"}},
      {"(SELECT DISTINCT c_id, EXTRACT(month FROM day) AS m FROM orders) t", {"m"}, {"m"}, {"m > 3"}},
      {"customers c",
       {"nation"},
       {"segment"},
       {"EXISTS (SELECT 1 FROM orders o WHERE o.c_id = c.c_id AND price > 2)",
        "c_id IN (SELECT c_id FROM orders WHERE price > 1)", "c_id NOT IN (SELECT c_id FROM orders)"}},
      {"orders o JOIN (SELECT c_id, COUNT(*) AS n FROM orders GROUP BY c_id) t ON o.c_id = t.c_id",
       {"price", "LEAST(n, 5)"},
       {"LEAST(GREATEST(n, 0), 4)"},
       {"n > 2"}},
  };
  const Source& source = sources[below(random, sources.size())];
  const auto number = [&] { return std::string(source.numbers[below(random, source.numbers.size())]); };
  std::string select;
  for (std::size_t i = 0; i <= below(random, 3); ++i) {
    const std::string x = number();
    const std::string aggregates[] = {"COUNT(*)",
                                      "COUNT(" + x + ")",
                                      "SUM(" + x + ")",
                                      "AVG(" + x + ")",
                                      "VARIANCE(" + x + ")",
                                      "COUNT(DISTINCT " + x + ")",
                                      "COUNT(*) FILTER (WHERE " + std::string(source.conditions[0]) + ")",
                                      "SUM(" + x + ") FILTER (WHERE " + std::string(source.conditions[0]) + ")",
                                      "MEDIAN(" + x + ")",
                                      "MIN(" + x + ")",
                                      "MAX(" + x + ")",
                                      "PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY " + x + ")"};
    select += (select.empty() ? "" : ", ") + aggregates[below(random, std::size(aggregates))];
  }
  std::string sql = fmt::format("SELECT {} FROM {}", select, source.from);
  if (below(random, 2) == 0)
    sql += " WHERE " + std::string(source.conditions[below(random, source.conditions.size())]);
  if (below(random, 3) != 0) sql += " GROUP BY " + std::string(source.keys[below(random, source.keys.size())]);
  return sql;
}

struct Tally {
  int cases = 0;
  int refused = 0;
};

/// Asks the same of both databases under the same seed; what breaks the contract, or nothing.
std::string replay(const testing::Database& first, SchemaTables& with, SchemaTables& without, const std::string& sql,
                   const QueryParameters& parameters, Tally& tally) {
  const auto plan = first.plan(sql, parameters);
  if (!plan) {
    ++tally.refused;
    return {};
  }
  ++tally.cases;
  std::optional<gauze::testing::NoiseRecorder> recorders[2];
  SchemaTables* const tables[2] = {&with, &without};
  bool failed[2] = {};
  for (int side = 0; side < 2; ++side) {
    recorders[side].emplace();
    SeededRandom seeded(7);
    Chance chance(seeded);
    Progress progress;
    failed[side] = !measure(*plan, *tables[side], chance, progress).has_value();
  }
  // The recorders end in the order in which they were installed the other way round.
  std::string why = failed[0] || failed[1] ? "a question failed because of data"
                                           : gauze::testing::compare_replays(*recorders[0], *recorders[1]);
  recorders[1].reset();
  recorders[0].reset();
  return why;
}

QueryParameters random_parameters(Random& random, bool rows) {
  QueryParameters parameters =
      testing::with_epsilon(1, below(random, 2) == 0 ? Rational::parse("1e-6").value() : Rational());
  if (below(random, 4) == 0) parameters.budget = {.rho = Rational(1, 2)};
  if (rows) return parameters;
  parameters.groups_per_unit = 1 + below(random, 4);
  parameters.rows_per_unit = 1 + below(random, 5);
  return parameters;
}

int cases_wanted() { return std::getenv("GAUZE_LONG_TESTS") != nullptr ? 20'000 : 200; }

TEST(QueryNeighbourReplay, NoUnitMovesAMeasurementByMoreThanItDeclares) {
  Random random(20261118);
  Tally tally;
  while (tally.cases < cases_wanted()) {
    const RandomShop shop(random);
    const int removed = static_cast<int>(below(random, static_cast<std::size_t>(shop.units)));
    const testing::Database first = shop.database(-2, testing::shop_schema());
    const testing::Database second = shop.database(removed, testing::shop_schema());
    SchemaTables with = first.load();
    SchemaTables without = second.load();
    for (int i = 0; i < 100 && tally.cases < cases_wanted(); ++i) {
      const std::string sql = random_question(random);
      const std::string why = replay(first, with, without, sql, random_parameters(random, false), tally);
      ASSERT_EQ(why, "") << sql;
    }
  }
  EXPECT_LT(tally.refused, tally.cases);  // most questions are answered, so that something was tried
}

TEST(QueryNeighbourReplay, NoRowMovesAMeasurementWhereTheUnitIsARow) {
  const std::string schema =
      "version: 1\nunit: row\ntables:\n  t: {source: t.csv, columns: {a: {type: integer, bounds: [0, 4]}, x: {type: real, bounds: [-5, 9]}, k: {type: text, values: [p, q]}}}\n"
      "  n: {public: true, source: n.csv, key: [id], columns: {id: {type: integer}, name: {type: text}}}\nprovenance: {bounds: public, values: public, limits: public}\n";
  Random random(3);
  Tally tally;
  const int wanted = cases_wanted() / 3;
  while (tally.cases < wanted) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < 1 + below(random, 12); ++i)
      rows.push_back(fmt::format("{},{},{}", one_of(random, {"0", "1", "4", "7", ""}),
                                 one_of(random, {"1", "-9", "2.25", "nan", "", "1e300"}),
                                 one_of(random, {"p", "q", "r", ""})));
    const std::size_t removed = below(random, rows.size());
    const auto text = [&](bool all) {
      std::string csv = "a,x,k\n";
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (all || i != removed) csv += rows[i] + "\n";
      return csv;
    };
    const testing::Database first({{"t.csv", text(true)}, {"n.csv", "id,name\n0,A\n1,B\n4,C\n"}}, schema);
    const testing::Database second({{"t.csv", text(false)}, {"n.csv", "id,name\n0,A\n1,B\n4,C\n"}}, schema);
    SchemaTables with = first.load();
    SchemaTables without = second.load();
    for (int i = 0; i < 60 && tally.cases < wanted; ++i) {
      const std::string from =
          one_of(random, {"t", "t JOIN n ON a = id", "t LEFT JOIN n ON a = id", "(SELECT * FROM t WHERE x > 0) t",
                          "t JOIN (VALUES (0, 'z'), (1, 'w')) v(id, name) ON a = id"});
      const std::string x = one_of(random, {"x", "a", "x * x", "a - x", "CASE WHEN x > 1 THEN a END"});
      const std::string aggregate = one_of(random, {"COUNT(*)", "COUNT({0})", "SUM({0})", "AVG({0})", "VARIANCE({0})",
                                                    "COUNT(DISTINCT {0})", "MEDIAN({0})", "MIN({0})"});
      const std::string sql = fmt::format(
          "SELECT {}{} FROM {}{}", fmt::format(fmt::runtime(aggregate), x), below(random, 2) == 0 ? ", COUNT(*)" : "",
          from, one_of(random, {"", " GROUP BY k", " GROUP BY a", " WHERE k = 'p'", " GROUP BY x > 1, k"}));
      const std::string why = replay(first, with, without, sql, random_parameters(random, true), tally);
      ASSERT_EQ(why, "") << sql;
    }
  }
  EXPECT_LT(tally.refused, tally.cases);
}

TEST(QueryOrder, OfRowsInFilesChangesNoInteger) {
  Random random(5);
  RandomShop shop(random);
  const testing::Database first = shop.database(-2, testing::shop_schema());
  for (auto* lines : {&shop.customers, &shop.orders, &shop.items}) std::shuffle(lines->begin(), lines->end(), random);
  const testing::Database second = shop.database(-2, testing::shop_schema());
  SchemaTables one = first.load();
  SchemaTables other = second.load();
  for (int i = 0; i < 200; ++i) {
    const std::string sql = random_question(random);
    QueryParameters parameters = random_parameters(random, false);
    const auto plan = first.plan(sql, parameters);
    if (!plan) continue;
    std::vector<std::vector<Int128>> steps[2];
    SchemaTables* const tables[2] = {&one, &other};
    for (int side = 0; side < 2; ++side) {
      SeededRandom seeded(11);
      Chance chance(seeded);
      Progress progress;
      const auto table = measure(*plan, *tables[side], chance, progress);
      ASSERT_TRUE(table.has_value()) << sql;
      for (const auto& row : table->rows) steps[side].push_back(row.steps);
    }
    EXPECT_EQ(steps[0], steps[1]) << sql;
  }
}

}  // namespace neighbour_replay_test
}  // namespace gauze::query
