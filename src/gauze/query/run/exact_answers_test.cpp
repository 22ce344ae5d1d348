// With the noise off and limits that do not bind, an answer is what plain SQL gives on the same tables.
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace exact_answers_test {

/// Rows as text, numbers rounded to nine digits, so that two ways to the same number look the same.
std::vector<std::string> lines_of(const std::vector<std::vector<CellValue>>& rows) {
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (const CellValue& cell : row) {
      std::string text = cell.value_or("NULL");
      char* end = nullptr;
      const double number = std::strtod(text.c_str(), &end);
      if (cell && end == text.c_str() + text.size() && !text.empty()) text = fmt::format("{:.9g}", number + 0.0);
      line += text + "|";
    }
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

class ExactAnswers : public ::testing::Test {
 protected:
  ExactAnswers() : database_(testing::shop_files(), testing::shop_schema()), tables_(database_.load()) {}

  std::vector<std::vector<CellValue>> silent(const std::string& sql) {
    const auto plan = database_.plan(sql, testing::with_epsilon(1, Rational::parse("1e-6").value()));
    EXPECT_TRUE(plan.has_value()) << sql << ": " << (plan ? "" : plan.error().message);
    if (!plan) return {};
    SeededRandom seeded(1);
    Chance chance = Chance::none(seeded);
    Progress progress;
    const auto table = measure(*plan, tables_, chance, progress);
    EXPECT_TRUE(table.has_value()) << sql << ": " << (table ? "" : table.error().message);
    if (!table) return {};
    const auto result = finish_answer(*plan, *table, false, {});
    EXPECT_TRUE(result.has_value()) << sql << ": " << (result ? "" : result.error().message);
    std::vector<std::vector<CellValue>> rows;
    if (result)
      for (const auto& row : result->rows) {
        rows.emplace_back();
        for (const OutputCell& cell : row) rows.back().push_back(cell.value);
      }
    return rows;
  }
  std::vector<std::vector<CellValue>> plain(const std::string& sql, std::size_t columns) {
    auto rows = tables_.rows(sql, std::vector<Shape>(columns));
    EXPECT_TRUE(rows.has_value()) << sql << ": " << (rows ? "" : rows.error().message);
    return rows ? *rows : std::vector<std::vector<CellValue>>();
  }
  /// The question, and what plain SQL is asked for the same.
  void expect_same(const std::string& sql, const std::string& plain_sql = "") {
    const auto own = silent(sql);
    const std::size_t columns = own.empty() ? 1 : own.front().size();
    EXPECT_EQ(lines_of(own), lines_of(plain(plain_sql.empty() ? sql : plain_sql, columns))) << sql;
  }

  testing::Database database_;
  SchemaTables tables_;
};

TEST_F(ExactAnswers, CountAndSumRowsThatLeadToAUnit) {
  expect_same("SELECT COUNT(*) FROM customers", "SELECT count(*) FROM customers WHERE c_id IS NOT NULL");
  expect_same("SELECT COUNT(*), COUNT(price), SUM(price), AVG(price) FROM orders",
              "SELECT count(*), count(price), sum(price), avg(price) FROM orders WHERE c_id IS NOT NULL");
  expect_same("SELECT COUNT(*) FROM items",
              "SELECT count(*) FROM items JOIN orders USING (o_id) WHERE c_id IS NOT NULL");
  expect_same("SELECT COUNT(DISTINCT c_id), COUNT(DISTINCT day) FROM orders",
              "SELECT count(DISTINCT c_id), count(DISTINCT day) FROM orders WHERE c_id IS NOT NULL");
  expect_same(
      "SELECT VAR_POP(price), VAR_SAMP(price), STDDEV_POP(price), STDDEV(price), VARIANCE(price) FROM orders",
      "SELECT var_pop(price), var_samp(price), stddev_pop(price), stddev_samp(price), var_samp(price) FROM orders WHERE c_id IS NOT NULL");
  expect_same(
      "SELECT COUNT(*) FILTER (WHERE price > 6), SUM(price) FILTER (WHERE day < '2024-03-01') FROM orders",
      "SELECT count(*) FILTER (WHERE price > 6), sum(price) FILTER (WHERE day < DATE '2024-03-01') FROM orders WHERE c_id IS NOT NULL");
}

TEST_F(ExactAnswers, ShowEveryCellOfPublicKeys) {
  expect_same(
      "SELECT segment, COUNT(*) FROM customers GROUP BY segment",
      "SELECT s, count(c_id) FROM (VALUES ('private'), ('company'), ('unknown'), (NULL)) v(s) LEFT JOIN customers c ON c.segment IS NOT DISTINCT FROM v.s AND c_id IS NOT NULL GROUP BY s");
  EXPECT_EQ(silent("SELECT nation, active, COUNT(*) FROM customers GROUP BY 1, 2").size(), 6U * 3U);
  EXPECT_EQ(silent("SELECT name, COUNT(*) FROM customers JOIN nations ON nation = id GROUP BY name").size(), 5U);
  EXPECT_EQ(silent("SELECT name, COUNT(*) FROM customers LEFT JOIN nations ON nation = id GROUP BY name").size(), 6U);
  EXPECT_EQ(silent("SELECT id, name, COUNT(*) FROM customers JOIN nations ON nation = id GROUP BY id, name").size(),
            5U);
  EXPECT_EQ(silent("SELECT EXTRACT(month FROM day), COUNT(*) FROM orders GROUP BY 1").size(), 12U);
  EXPECT_EQ(silent("SELECT date_trunc('quarter', day), COUNT(*) FROM orders GROUP BY 1").size(), 4U);
  EXPECT_EQ(silent("SELECT width_bucket(price, 0, 100, 4), COUNT(*) FROM orders GROUP BY 1").size(), 6U);
  EXPECT_EQ(
      silent("SELECT CASE WHEN price > 5 THEN 'dear' ELSE 'cheap' END AS c, COUNT(*) FROM orders GROUP BY c").size(),
      2U);
  EXPECT_EQ(silent("SELECT segment || '/' || nation, COUNT(*) FROM customers GROUP BY 1").size(), 16U);
  EXPECT_EQ(silent("SELECT price > 5, COUNT(*) FROM orders GROUP BY 1").size(), 3U);
}

TEST_F(ExactAnswers, NamePrivateKeysThatOccur) {
  expect_same("SELECT note, COUNT(*) FROM customers GROUP BY note",
              "SELECT note, count(*) FROM customers WHERE c_id IS NOT NULL GROUP BY note");
  expect_same("SELECT o_id, SUM(price) FROM orders GROUP BY o_id",
              "SELECT o_id, coalesce(sum(price), 0) FROM orders WHERE c_id IS NOT NULL GROUP BY o_id");
}

TEST_F(ExactAnswers, JoinRowsOfTheSameUnit) {
  expect_same(
      "SELECT segment, COUNT(*), AVG(price) FROM orders JOIN customers USING (c_id) WHERE segment = 'private' GROUP BY segment HAVING COUNT(*) > 0",
      "SELECT segment, count(*), avg(price) FROM orders JOIN customers USING (c_id) WHERE segment = 'private' GROUP BY segment");
  expect_same("SELECT COUNT(*), SUM(quantity) FROM items JOIN orders ON items.o_id = orders.o_id",
              "SELECT count(*), sum(quantity) FROM items JOIN orders USING (o_id) WHERE c_id IS NOT NULL");
  expect_same(
      "SELECT COUNT(*), SUM(quantity) FROM orders JOIN items ON items.o_id = orders.o_id AND price > 5",
      "SELECT count(*), sum(quantity) FROM items JOIN orders USING (o_id) WHERE c_id IS NOT NULL AND price > 5");
  expect_same("SELECT COUNT(*), SUM(quantity) FROM items JOIN orders USING (o_id) JOIN customers USING (c_id)",
              "SELECT count(*), sum(quantity) FROM items JOIN orders USING (o_id) JOIN customers USING (c_id)");
  expect_same(
      "SELECT COUNT(*), COUNT(segment) FROM orders LEFT JOIN customers ON orders.c_id = customers.c_id",
      "SELECT count(*), count(segment) FROM orders LEFT JOIN customers USING (c_id) WHERE orders.c_id IS NOT NULL");
  expect_same(
      "SELECT COUNT(*), COUNT(o_id) FROM orders RIGHT JOIN customers ON orders.c_id = customers.c_id",
      "SELECT count(*), count(o_id) FROM orders RIGHT JOIN customers ON orders.c_id = customers.c_id WHERE customers.c_id IS NOT NULL");
  expect_same("SELECT COUNT(*) FROM nations LEFT JOIN customers ON nation = id",
              "SELECT count(*) FROM nations JOIN customers ON nation = id WHERE c_id IS NOT NULL");
  expect_same("SELECT COUNT(*) FROM customers JOIN nations ON nation < id",
              "SELECT count(*) FROM customers JOIN nations ON nation < id WHERE c_id IS NOT NULL");
  expect_same("SELECT COUNT(*) FROM customers, nations",
              "SELECT count(*) FROM customers, nations WHERE c_id IS NOT NULL");
}

TEST_F(ExactAnswers, UniteAndNestByUnit) {
  expect_same("SELECT COUNT(*) FROM (SELECT c_id FROM orders UNION ALL SELECT c_id FROM customers) t",
              "SELECT count(c_id) FROM (SELECT c_id FROM orders UNION ALL SELECT c_id FROM customers) t");
  expect_same(
      "SELECT COUNT(*), AVG(LEAST(n, 10)) FROM (SELECT c_id, COUNT(*) AS n FROM orders GROUP BY c_id) t",
      "SELECT count(*), avg(n) FROM (SELECT c_id, count(*) AS n FROM orders WHERE c_id IS NOT NULL GROUP BY c_id) t");
  expect_same(
      "SELECT SUM(LEAST(s, 3000)), MAX(LEAST(s, 3000)) IS NOT NULL FROM (SELECT c_id, SUM(price) AS s FROM orders GROUP BY c_id HAVING COUNT(*) > 1) t",
      "SELECT sum(s), true FROM (SELECT c_id, sum(price) AS s FROM orders WHERE c_id IS NOT NULL GROUP BY c_id HAVING count(*) > 1) t");
  expect_same("SELECT AVG(a) FROM (SELECT c_id, AVG(price) AS a FROM orders GROUP BY c_id) t",
              "SELECT avg(a) FROM (SELECT c_id, avg(price) AS a FROM orders WHERE c_id IS NOT NULL GROUP BY c_id) t");
  expect_same("SELECT COUNT(*) FROM (SELECT DISTINCT c_id, day FROM orders) t",
              "SELECT count(*) FROM (SELECT DISTINCT c_id, day FROM orders WHERE c_id IS NOT NULL) t");
  expect_same("SELECT COUNT(*) FROM customers WHERE c_id IN (SELECT c_id FROM orders WHERE price > 6)",
              "SELECT count(*) FROM customers WHERE c_id IN (SELECT c_id FROM orders WHERE price > 6)");
  expect_same(
      "SELECT COUNT(*) FROM customers WHERE c_id NOT IN (SELECT c_id FROM orders WHERE price > 6 AND c_id IS NOT NULL)",
      "SELECT count(*) FROM customers WHERE c_id NOT IN (SELECT c_id FROM orders WHERE price > 6 AND c_id IS NOT NULL)");
  expect_same(
      "SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.c_id = c.c_id AND o.price > c.nation)",
      "SELECT count(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.c_id = c.c_id AND o.price > c.nation)");
  expect_same(
      "SELECT COUNT(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.c_id = c.c_id)",
      "SELECT count(*) FROM customers c WHERE c_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.c_id = c.c_id)");
  expect_same(
      "SELECT COUNT(*) FROM customers WHERE nation IN (SELECT id FROM nations WHERE name < 'C')",
      "SELECT count(*) FROM customers WHERE c_id IS NOT NULL AND nation IN (SELECT id FROM nations WHERE name < 'C')");
  expect_same("SELECT COUNT(*) FROM customers WHERE nation > (SELECT AVG(id) FROM nations)",
              "SELECT count(*) FROM customers WHERE c_id IS NOT NULL AND nation > (SELECT avg(id) FROM nations)");
  expect_same(
      "WITH dear AS (SELECT * FROM orders WHERE price > 5), all_of AS (SELECT * FROM dear) SELECT COUNT(*) FROM all_of",
      "SELECT count(*) FROM orders WHERE price > 5 AND c_id IS NOT NULL");
}

TEST_F(ExactAnswers, WorkOnTheAnswer) {
  expect_same(
      "SELECT segment, n * 2 FROM (SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment) t WHERE n > 1",
      "SELECT segment, count(*) * 2 FROM customers WHERE c_id IS NOT NULL GROUP BY segment HAVING count(*) > 1");
  expect_same(
      "SELECT SUM(n), MAX(n) FROM (SELECT nation, COUNT(*) AS n FROM customers GROUP BY nation) t",
      "SELECT sum(n), max(n) FROM (SELECT nation, count(*) AS n FROM customers WHERE c_id IS NOT NULL GROUP BY nation) t");
  expect_same(
      "SELECT segment, COUNT(*) / SUM(COUNT(*)) OVER () FROM customers GROUP BY segment HAVING COUNT(*) > 0",
      "SELECT segment, count(*) / sum(count(*)) OVER () FROM customers WHERE c_id IS NOT NULL GROUP BY segment");
  const auto sorted =
      silent("SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment ORDER BY n DESC, segment LIMIT 2");
  ASSERT_EQ(sorted.size(), 2U);
  EXPECT_EQ(sorted[0][0], "company");
  EXPECT_EQ(silent("SELECT COUNT(*) / 4, COUNT(*) / 4.0 FROM customers")[0], (std::vector<CellValue>{"1", "1.5"}));
}

/// Each expression over a bounded column, summed over a few rows, as DuckDB itself computes it where both mean the same.
TEST_F(ExactAnswers, ExpressionsAreTotalAndPostgresOnes) {
  const std::pair<const char*, const char*> same[] = {
      {"abs(price - 10)", "abs(price - 10)"},
      {"sign(price - 6)", "sign(price - 6)"},
      {"floor(price)", "floor(price)"},
      {"ceil(price)", "ceil(price)"},
      {"round(price, 1)", "round(price, 1)"},
      {"trunc(price)", "trunc(price)"},
      {"price / (price - 7)", nullptr},  // a divisor that may be as small as doubles go
      {"sqrt(price)", "sqrt(price)"},
      {"ln(price + 1)", "ln(price + 1)"},
      {"power(price, 2)", "pow(price, 2)"},
      {"exp(price / 1000)", "exp(price / 1000)"},
      {"CAST(price AS integer)", "CAST(round_even(price, 0) AS BIGINT)"},
      {"CASE WHEN price > 6 THEN 1 ELSE 0 END", "CASE WHEN price > 6 THEN 1 ELSE 0 END"},
      {"COALESCE(price, 3)", "coalesce(price, 3)"},
      {"NULLIF(price, 7)", "nullif(price, 7)"},
      {"GREATEST(price, 7)", "greatest(price, 7)"},
      {"LEAST(price, 7)", "least(price, 7)"},
      {"EXTRACT(day FROM day)", "date_part('day', day)"},
      {"EXTRACT(dow FROM day)", "date_part('dow', day)"},
      {"day - DATE '2024-01-01'", "day - DATE '2024-01-01'"},
      {"(day + 3) - DATE '2024-01-01'", "(day + 3) - DATE '2024-01-01'"},
      {"width_bucket(price, 0, 30, 3)", "CASE WHEN price >= 30 THEN 4 ELSE floor(price / 10) + 1 END"},
      {"LEAST(o_id, 100) % 7", "o_id % 7"},
      {"GREATEST(LEAST(o_id, 100), 0) / 7", "o_id // 7"},
      {"-price", "-price"},
      {"price::integer::real", "CAST(CAST(round_even(price, 0) AS BIGINT) AS DOUBLE)"},
      {"(price > 6)::integer", "CAST(price > 6 AS BIGINT)"},
      {"price * 0.5 + 1.25", "price * 0.5 + 1.25"},
  };
  for (const auto& [own, theirs] : same) {
    if (theirs == nullptr) continue;
    expect_same(fmt::format("SELECT SUM({}) FROM orders", own),
                fmt::format("SELECT coalesce(sum({}), 0) FROM orders WHERE c_id IS NOT NULL", theirs));
  }
  const std::pair<const char*, const char*> conditions[] = {
      {"note LIKE 'a%'", "note LIKE 'a%'"},
      {"note ILIKE 'STRA%'", "note ILIKE 'STRA%'"},
      {"upper(note) = 'OK'", "upper(note) = 'OK'"},
      {"length(note) = 2", "length(note) = 2"},
      {"substring(note, -1, 3) = 'o'", "left(note, 1) = 'o'"},
      {"substring(note from 2 for 1) = 'k'", "substring(note, 2, 1) = 'k'"},
      {"position('k' in note) > 0", "strpos(note, 'k') > 0"},
      {"note || 'x' = 'okx'", "note || 'x' = 'okx'"},
      {"concat(note, NULL, 'x') = 'x'", "note IS NULL"},
      {"replace(note, ' ', '') = 'ab'", "replace(note, ' ', '') = 'ab'"},
      {"starts_with(note, 'S')", "starts_with(note, 'S')"},
      {"left(note, -1) = 'o'", "left(note, -1) = 'o'"},
      {"right(note, 1) = 'k'", "right(note, 1) = 'k'"},
      {"trim(both 'x' from note) = ''", "trim(note, 'x') = ''"},
      {"note IN ('ok', 'x')", "note IN ('ok', 'x')"},
      {"note NOT IN ('ok', 'x')", "note NOT IN ('ok', 'x')"},
      {"note IS NULL", "note IS NULL"},
      {"nation BETWEEN 1 AND 3", "nation BETWEEN 1 AND 3"},
      {"NOT nation BETWEEN 1 AND 3", "NOT nation BETWEEN 1 AND 3"},
      {"active IS NOT TRUE", "active IS NOT true"},
      {"active IS UNKNOWN", "active IS NULL"},
      {"note IS DISTINCT FROM 'ok'", "note IS DISTINCT FROM 'ok'"},
      {"since + INTERVAL '1 year' > DATE '2020-01-01'", "since + INTERVAL 1 YEAR > DATE '2020-01-01'"},
      {"date_trunc('year', since) = '2020-01-01'", "date_trunc('year', since) = DATE '2020-01-01'"},
      {"since < CURRENT_DATE", "since < DATE '2022-01-08'"},
      {"CAST(note AS integer) IS NULL", "true"},
      {"CAST(nation AS text) = '2'", "nation = 2"},
      {"ln(nation - 2) IS NULL", "nation IS NULL OR nation <= 2"},
      {"1 / nation IS NULL", "nation IS NULL OR nation = 0"},
      {"sqrt(nation - 2) IS NULL", "nation IS NULL OR nation < 2"},
  };
  for (const auto& [own, theirs] : conditions)
    expect_same(fmt::format("SELECT COUNT(*) FROM customers WHERE {}", own),
                fmt::format("SELECT count(*) FROM customers WHERE c_id IS NOT NULL AND ({})", theirs));
}

TEST_F(ExactAnswers, ARoundingCastSaysNothingAboutTheNumberItself) {
  expect_same(
      "SELECT SUM(price) FROM orders WHERE CAST(price AS integer) BETWEEN 0 AND 6",
      "SELECT sum(price) FROM orders WHERE c_id IS NOT NULL AND CAST(round_even(price, 0) AS BIGINT) BETWEEN 0 AND 6");
  expect_same(
      "SELECT SUM(n) FROM (SELECT EXTRACT(year FROM since + INTERVAL '9000 years') AS y, COUNT(*) AS n FROM customers GROUP BY 1) t",
      "SELECT count(*) FROM customers WHERE c_id IS NOT NULL");
}

TEST_F(ExactAnswers, OrderStatisticsPickTheBestCandidate) {
  EXPECT_EQ(silent("SELECT MIN(quantity), MAX(quantity) FROM items")[0], (std::vector<CellValue>{"1", "50"}));
  EXPECT_EQ(silent("SELECT MEDIAN(nation), PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY nation) FROM customers")[0],
            (std::vector<CellValue>{"2", "4"}));
  EXPECT_EQ(silent("SELECT MODE() WITHIN GROUP (ORDER BY segment) FROM customers")[0][0], "company");
  EXPECT_EQ(silent("SELECT MAX(day) FROM orders")[0][0], "2024-12-31");
}

TEST_F(ExactAnswers, NamesAreExactOrTheOnlyOneButForCase) {
  expect_same("SELECT COUNT(*) FROM CUSTOMERS WHERE Segment = 'private'",
              "SELECT count(*) FROM customers WHERE c_id IS NOT NULL AND segment = 'private'");
  const testing::Database odd(
      {{"t.csv", "单位,Größe,\"select\",x'y\n1,2,3,a\n"}},
      "version: 1\nunit: {name: 一个人, table: 表, key: 单位}\nlimits: {groups: 1, rows: 1}\ntables:\n  表:\n    source: t.csv\n    unit: {column: 单位}\n"
      "    columns: {单位: {type: integer}, Größe: {type: integer, bounds: [0, 9]}, select: {type: integer, bounds: [0, 9]}, \"x'y\": {type: text, values: [a, \"b'c\\\\\"]}}\n"
      "provenance: {bounds: public, values: public, limits: public}\n");
  const auto plan = odd.plan(
      "SELECT \"x'y\", SUM(\"Größe\") AS \"总 \"\"和\"\"\", SUM(\"select\") FROM 表 WHERE \"x'y\" <> 'it''s \\' GROUP BY 1",
      testing::with_epsilon(1));
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  SchemaTables tables = odd.load();
  SeededRandom seeded(1);
  Chance chance = Chance::none(seeded);
  Progress progress;
  const auto table = measure(*plan, tables, chance, progress);
  ASSERT_TRUE(table.has_value()) << table.error().message;
  const auto result = finish_answer(*plan, *table, false, {});
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->columns[1].name, "总 \"和\"");
  EXPECT_EQ(result->rows[0][1].value, "2");
}

}  // namespace exact_answers_test
}  // namespace gauze::query
