// What may not be asked: each with its code, its place in the SQL and its reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/query/sql/parse_sql.h"
#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace refusals_test {

using ::testing::HasSubstr;

struct Refused {
  const char* sql;
  ErrorCode code;
  const char* at;  ///< the stretch that it points at; nullptr: not looked at
  const char* message;
};

constexpr auto kNo = ErrorCode::unsupported;
constexpr auto kWrong = ErrorCode::invalid_parameter;
constexpr auto kUnknown = ErrorCode::unknown_column;

const Refused kRefused[] = {
    // rows as they are
    {"SELECT price FROM orders", kNo, "price", "rows of private tables"},
    {"SELECT * FROM orders", kNo, "*", "rows of private tables"},
    {"SELECT o_id, COUNT(*) FROM orders", kNo, "o_id", "neither a group key"},
    {"SELECT segment, nation, COUNT(*) FROM customers GROUP BY segment", kNo, "nation", "neither a group key"},
    {"SELECT c_id, COUNT(*) FROM orders GROUP BY c_id", kNo, "c_id", "name every unit"},
    {"SELECT COUNT(*) FROM orders GROUP BY c_id, day", kNo, "c_id", "name every unit"},
    // keys
    {"SELECT o_id, COUNT(*) FROM orders GROUP BY o_id", kNo, "o_id", "needs a delta"},
    {"SELECT note, COUNT(*) FROM customers GROUP BY 1", kNo, "note", "needs a delta"},
    {"SELECT price, COUNT(*) FROM orders GROUP BY price", kNo, "price", "real numbers are no keys"},
    {"SELECT day, since, COUNT(*) FROM orders JOIN customers USING (c_id) GROUP BY 1, 2", kWrong, "day",
     "possible groups"},
    // bounds
    {"SELECT SUM(weight) FROM orders", kWrong, "weight", "between which bounds"},
    {"SELECT SUM(weight + 1) FROM orders", kWrong, "weight + 1", "between which bounds"},
    {"SELECT AVG(o_id) FROM orders", kWrong, "o_id", "between which bounds"},
    {"SELECT MEDIAN(weight) FROM orders", kWrong, "weight", "between which bounds"},
    {"SELECT SUM(n) FROM (SELECT c_id, COUNT(*) AS n FROM orders GROUP BY c_id) t", kWrong, "n",
     "between which bounds"},
    {"SELECT SUM(weight * weight) FROM orders WHERE weight * weight < 10", kWrong, "weight * weight",
     "floating-point"},
    {"SELECT SUM(exp(price)) FROM orders", kWrong, "exp(price)", "floating-point"},
    {"SELECT MODE() WITHIN GROUP (ORDER BY note) FROM customers", kWrong, "note", "all values beforehand"},
    {"SELECT COUNT(*) FROM (SELECT c_id, n || n AS n FROM (SELECT c_id, concat(note, note, note, note, note, note, note, note) || replace(note, 'a', left(note, 5)) AS n FROM customers) s) t "
     "WHERE replace(n, 'a', left(n, 9)) = 'x'",
     kWrong, nullptr, "too long"},
    {"SELECT floor(weight), COUNT(*) FROM orders GROUP BY 1", kWrong, "floor(weight)", "too large for a key"},
    {"SELECT COUNT(*) FROM customers WHERE since + INTERVAL '284260 years' > since", kWrong, nullptr,
     "leave the calendar"},
    {"SELECT COUNT(*) FROM customers WHERE length(replace(note, 'x', note)) > 5", kWrong, nullptr, "too long"},
    // joins
    {"SELECT COUNT(*) FROM orders o JOIN orders p ON o.day = p.day", kNo, "o.day = p.day", "different units"},
    {"SELECT COUNT(*) FROM orders, customers", kNo, "customers", "different units"},
    {"SELECT COUNT(*) FROM orders JOIN customers ON price > nation", kNo, "price > nation", "different units"},
    {"SELECT COUNT(*) FROM items JOIN customers ON quantity = nation", kNo, "quantity = nation", "different units"},
    {"SELECT COUNT(*) FROM orders FULL JOIN customers USING (c_id)", kNo, "customers", "FULL JOIN"},
    {"SELECT COUNT(*) FROM orders NATURAL JOIN customers", kNo, "NATURAL", "NATURAL JOIN"},
    // subqueries
    {"SELECT COUNT(*) FROM orders WHERE day IN (SELECT day FROM orders WHERE price > 5)", kNo, nullptr,
     "other units"},
    {"SELECT COUNT(*) FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE price > 5)", kNo, nullptr,
     "other units"},
    {"SELECT COUNT(*) FROM orders WHERE price > (SELECT AVG(price) FROM orders)", kNo, nullptr, "without noise"},
    {"SELECT COUNT(*) FROM (SELECT DISTINCT day FROM orders) t", kNo, nullptr, "merge rows of different units"},
    {"SELECT COUNT(*) FROM (SELECT day FROM orders ORDER BY day LIMIT 5) t", kNo, "day", "not sorted"},
    {"SELECT COUNT(*) FROM (SELECT day FROM orders LIMIT 5) t", kNo, "5", "LIMIT on private rows"},
    {"SELECT SUM(m) FROM (SELECT c_id, MEDIAN(price) AS m FROM orders GROUP BY c_id) t", kNo, "MEDIAN(price)",
     "for each unit"},
    {"SELECT SUM(m) FROM (SELECT c_id, MODE() WITHIN GROUP (ORDER BY price) AS m FROM orders GROUP BY c_id) t", kNo,
     nullptr, "for each unit"},
    {"SELECT COUNT(*), (SELECT COUNT(*) FROM customers) FROM orders", kNo, nullptr, "subquery"},
    {"SELECT a.n FROM (SELECT COUNT(*) n FROM orders) a, (SELECT COUNT(*) n FROM customers) b", kNo, nullptr,
     "one private aggregation"},
    // set operations
    {"SELECT COUNT(*) FROM (SELECT c_id FROM orders UNION SELECT c_id FROM customers) t", kNo, "UNION",
     "remove duplicates"},
    {"SELECT COUNT(*) FROM (SELECT c_id FROM orders INTERSECT SELECT c_id FROM customers) t", kNo, "INTERSECT",
     "remove duplicates"},
    {"SELECT COUNT(*) FROM (SELECT c_id FROM orders EXCEPT ALL SELECT c_id FROM customers) t", kNo, "EXCEPT",
     "remove duplicates"},
    {"SELECT COUNT(*) FROM (SELECT c_id FROM orders UNION ALL SELECT id FROM nations) t", kNo, nullptr,
     "private and public"},
    // windows, clauses, functions
    {"SELECT COUNT(*) OVER () FROM orders", kNo, nullptr, "rows of private"},
    {"SELECT COUNT(*) FROM (SELECT row_number() OVER (ORDER BY day) r FROM orders) t", kNo, nullptr, "windows"},
    {"SELECT day, COUNT(*) FROM orders GROUP BY ROLLUP (day)", kNo, nullptr, "grouping sets"},
    {"WITH RECURSIVE r AS (SELECT 1) SELECT COUNT(*) FROM r", kNo, "RECURSIVE", "recursive"},
    {"SELECT COUNT(*) FROM orders FOR UPDATE", kNo, nullptr, "clause"},
    {"SELECT COUNT(*) FROM orders WHERE random() < 0.5", kNo, "random()", "another value"},
    {"SELECT COUNT(*) FROM orders WHERE day < now()", kNo, "now()", "another value"},
    {"SELECT COUNT(*) FROM orders WHERE day < CURRENT_TIMESTAMP", kNo, "CURRENT_TIMESTAMP", "another value"},
    {"SELECT COUNT(*) FROM customers WHERE md5(note) = 'a'", kNo, nullptr, "md5"},
    {"SELECT SUM(DISTINCT price) FROM orders", kNo, "SUM(DISTINCT price)", "DISTINCT"},
    {"SELECT COUNT(*) FROM customers WHERE note LIKE segment", kNo, "segment", "constant"},
    {"SELECT COUNT(*) FROM generate_series(1, 5)", kNo, nullptr, "FROM"},
    {"DELETE FROM orders", kNo, "DELETE", "only SELECT"},
    {"SELECT 1; SELECT 2", kNo, nullptr, "one statement"},
    {"CREATE TABLE t (a int)", kNo, nullptr, "only SELECT"},
    // names
    {"SELECT COUNT(*) FROM order", kWrong, "order", "cannot be read"},
    {"SELECT COUNT(*) FROM ordres", kWrong, "ordres", "did you mean 'orders'"},
    {"SELECT SUM(prise) FROM orders", kUnknown, "prise", "did you mean 'price'"},
    {"SELECT SUM(o.price) FROM orders", kUnknown, "o.price", "no table 'o'"},
    {"SELECT COUNT(*) FROM orders JOIN customers USING (c_id) JOIN items USING (o_id) WHERE c_id = 1 AND orders.nothing = 2",
     kUnknown, "orders.nothing", "no column"},
    {"SELECT SUM(medain(price)) FROM orders", kNo, nullptr, "medain"},
    // types
    {"SELECT COUNT(*) FROM orders WHERE price = 'abc'", kWrong, "'abc'", "no real"},
    {"SELECT COUNT(*) FROM orders WHERE day = '2024-13-01'", kWrong, "'2024-13-01'", "no date"},
    {"SELECT COUNT(*) FROM orders WHERE price", kWrong, "price", "boolean"},
    {"SELECT SUM(note) FROM customers", kWrong, "note", "number"},
    {"SELECT COUNT(*) FROM orders WHERE day > price", kWrong, "day > price", "do not go together"},
    {"SELECT COUNT(*) FROM orders WHERE COUNT(*) > 1", kWrong, nullptr, "HAVING"},
    {"SELECT SUM(COUNT(*)) FROM orders", kWrong, nullptr, "not nested"},
    {"SELECT COUNT(*) FROM orders GROUP BY 5", kWrong, "5", "place"},
    {"SELECT COUNT(*) FROM orders LIMIT -1", kWrong, nullptr, "whole number"},
    // the text itself
    {"", kWrong, nullptr, "empty"},
    {"-- nothing", kWrong, nullptr, "empty"},
    {"SELECT COUNT(* FROM orders", kWrong, nullptr, "cannot be read"},
    {"SELECT COUNT(*) FROM orders WHERE note = 'abc", kWrong, nullptr, "cannot be read"},
    {"SELECT COUNT(*) FROM nations", kWrong, nullptr, "nothing private"},
};

const testing::Database& shop() {
  static const testing::Database database(testing::shop_files(), testing::shop_schema());
  return database;
}

TEST(QueryRefusals, SayTheRuleAndPointAtWhatBreaksIt) {
  for (const Refused& refused : kRefused) {
    SCOPED_TRACE(refused.sql);
    const auto plan = shop().plan(refused.sql, testing::with_epsilon(1));
    if (plan.has_value()) {
      ADD_FAILURE() << "was not refused";
      continue;
    }
    EXPECT_EQ(to_string(plan.error().code), to_string(refused.code)) << plan.error().message;
    EXPECT_THAT(plan.error().message + " " + plan.error().hint, HasSubstr(refused.message));
    if (refused.at == nullptr) continue;
    const std::string sql = refused.sql;
    ASSERT_TRUE(plan.error().span.has_value()) << plan.error().message;
    EXPECT_EQ(sql.substr(plan.error().span->offset, plan.error().span->length), refused.at);
  }
}

TEST(QueryRefusals, BoundTheTextBeforeItIsParsed) {
  std::string sum = "SELECT COUNT(*) FROM orders WHERE price > 0";
  for (int i = 0; i < 100'000; ++i) sum += " + 1";
  std::string nested =
      "SELECT COUNT(*) FROM orders WHERE price > " + std::string(10'000, '(') + "1" + std::string(10'000, ')');
  std::string tokens = "SELECT COUNT(*) FROM orders WHERE price > 0";
  for (int i = 0; i < 2'600; ++i) tokens += "+1";
  for (const std::string& sql :
       {sum, nested, tokens, std::string("SELECT \xFF"), std::string("SELECT 1\0 ", 10), std::string(1 << 20, 'x')}) {
    const auto plan = shop().plan(sql, testing::with_epsilon(1));
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(to_string(plan.error().code), "invalid_parameter");
  }
}

TEST(QueryRefusals, OfParametersComeBeforeAnything) {
  const std::string sql = "SELECT COUNT(*) FROM orders";
  for (const char* epsilon : {"0", "-1", "1e-12", "1e12"})
    EXPECT_FALSE(shop().plan(sql, testing::with_epsilon(Rational::parse(epsilon).value())).has_value()) << epsilon;
  EXPECT_FALSE(shop().plan(sql, testing::with_epsilon(1, 1)).has_value());
  EXPECT_FALSE(shop().plan(sql, testing::with_epsilon(1, Rational(-1))).has_value());
  QueryParameters both = testing::with_epsilon(1);
  both.budget.rho = 1;
  EXPECT_FALSE(shop().plan(sql, both).has_value());
  QueryParameters gaussian = testing::with_epsilon(1);
  gaussian.budget.noise = NoiseKind::gaussian;
  EXPECT_FALSE(shop().plan(sql, gaussian).has_value());
}

TEST(QueryRefusals, KeepOneRowOneRowWhereTheUnitIsARow) {
  const testing::Database rows(
      {{"t.csv", "a,x\n1,2\n"}, {"p.csv", "id,name\n1,A\n1,B\n"}, {"q.csv", "id,name\n1,A\n2,B\n"}},
      "version: 1\nunit: row\ntables:\n  t: {source: t.csv, columns: {a: {type: integer}, x: {type: integer, bounds: [0, 9]}}}\n"
      "  p: {public: true, source: p.csv, columns: {id: {type: integer}, name: {type: text}}}\n"
      "  q: {public: true, source: q.csv, key: [id], columns: {id: {type: integer}, name: {type: text}}}\n"
      "provenance: {bounds: public, values: public, limits: public}\n");
  const auto code = [&](const std::string& sql) {
    const auto plan = rows.plan(sql, testing::with_epsilon(1));
    return plan ? std::string("answered") : std::string(to_string(plan.error().code));
  };
  EXPECT_EQ(code("SELECT COUNT(*) FROM t"), "answered");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN q ON t.a = q.id"), "answered");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN p ON t.a = p.id"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN q ON t.a = q.id + 0"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN q ON t.a < q.id"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t, q"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN q ON q.id = q.id"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN q ON q.id = q.id + 0"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN (SELECT id FROM q) v ON v.id = v.id"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN (VALUES (1), (2)) v(k) ON v.k = v.k"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN q ON CAST(t.a AS real) = q.id"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN (VALUES (1), (2)) v(id) ON t.a = v.id"), "answered");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN (VALUES (1), (1)) v(id) ON t.a = v.id"), "invalid_parameter");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t JOIN (SELECT id FROM p) v ON t.a = v.id"), "invalid_parameter");
  EXPECT_EQ(code("SELECT COUNT(*) FROM (SELECT a FROM t UNION ALL SELECT a FROM t) s"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t s JOIN t u ON s.a = u.a"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t WHERE a IN (SELECT a FROM t)"), "unsupported");
  EXPECT_EQ(code("SELECT COUNT(*) FROM t WHERE a IN (SELECT id FROM p)"), "answered");
}

TEST(QueryRefusals, NameTheKeyOfAPublicTableThatIsNotUnique) {
  auto files = testing::shop_files();
  files[3].second += "4,F\n";
  const testing::Database database(files, testing::shop_schema());
  const auto plan = database.plan("SELECT name, COUNT(*) FROM customers JOIN nations ON nation = id GROUP BY name",
                                  testing::with_epsilon(1));
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(to_string(plan.error().code), "invalid_parameter");
  EXPECT_THAT(plan.error().message, HasSubstr("not unique"));
}

TEST(PlaceOf, CountsLinesAndCharactersFromOne) {
  EXPECT_EQ(place_of("ab\ncüd", 3).line, 2U);
  EXPECT_EQ(place_of("ab\ncüd", 6).column, 3U);
  EXPECT_EQ(place_of("", 0).column, 1U);
}

}  // namespace refusals_test
}  // namespace gauze::query
