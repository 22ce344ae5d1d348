#include "gauze/query/check/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/engines/open_source.h"
#include "gauze/files/testing/folder.h"

extern const char gauze_source_folder[];

namespace gauze::query {
namespace schema_check_test {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Tables in a folder, and a schema for them.
class SchemaCheckTest : public ::testing::Test {
 protected:
  SchemaCheck check(const std::string& text) {
    const auto schema = schema::parse_database_schema(text, "s.yaml", folder_.path());
    EXPECT_TRUE(schema) << schema.error().message;
    Progress progress;
    auto checked = check_schema(*schema, {}, progress);
    EXPECT_TRUE(checked) << checked.error().message;
    return checked ? *checked : SchemaCheck{};
  }
  /// One table `t` with a row as its unit.
  SchemaCheck check_rows(const std::string& csv, const std::string& columns, const std::string& more = "") {
    folder_.write("t.csv", csv);
    return check(
        "version: 1\nunit: row\nprovenance: {bounds: public, values: public, limits: public}\ntables: {t: {source: t.csv, " +
        more + "columns: {" + columns + "}}}\n");
  }
  /// customers, orders by customer, items by order.
  SchemaCheck check_shop(const std::string& customers, const std::string& orders, const std::string& items,
                         const std::string& limits = "{groups: 1, rows: 2}") {
    folder_.write("customers.csv", "c,seg\n" + customers);
    folder_.write("orders.csv", "o,c,how\n" + orders);
    folder_.write("items.csv", "o,n\n" + items);
    return check(
        "version: 1\nunit: {name: one customer, table: customers, key: c}\nlimits: " + limits +
        "\n"
        "provenance: {bounds: public, values: public, limits: public}\n"
        "tables:\n"
        "  customers: {source: customers.csv, unit: {column: c}, columns: {c: {type: integer}, seg: {type: text}}}\n"
        "  orders: {source: orders.csv, unit: {column: c}, columns: {o: {type: integer}, c: {type: integer}, "
        "how: {type: text, values: [web, shop, phone]}}}\n"
        "  items: {source: items.csv, unit: {column: o, table: orders, key: o}, columns: {o: {type: integer}, n: "
        "{type: integer, bounds: [1, 9]}}}\n");
  }

  Folder folder_;
};

std::vector<std::string> codes(const SchemaCheck& check) {
  std::vector<std::string> list;
  for (const SchemaProblem& problem : check.problems)
    list.push_back(problem.code + " " + problem.table + "." + problem.column);
  return list;
}

void expect_shares(const ColumnCheck& column, double missing, double clamped, double outside, double unreadable) {
  EXPECT_DOUBLE_EQ(column.missing, missing) << column.name;
  EXPECT_DOUBLE_EQ(column.clamped, clamped) << column.name;
  EXPECT_DOUBLE_EQ(column.outside, outside) << column.name;
  EXPECT_DOUBLE_EQ(column.unreadable, unreadable) << column.name;
}

TEST_F(SchemaCheckTest, CountsWhatBecomesOfCells) {
  const SchemaCheck found = check_rows(
      "i,r,d,b,s,k\n"
      "1,nan,2020-01-01,true,x,p\n"
      "99,inf,2019-01-01,no,y,q\n"
      "-5,0.5,not a day,perhaps,,\n"
      "1.5,-3,,,z,p\n",
      "i: {type: integer, bounds: [0, 10]}, r: {type: real, bounds: [0, 1]}, d: {type: date, bounds: [2020-01-01, 2020-12-31]}, "
      "b: {type: boolean}, s: {type: text, values: [x, y]}, k: {type: text, values: [p], other: rest}");
  ASSERT_EQ(found.tables.size(), 1U);
  const TableCheck& table = found.tables[0];
  EXPECT_EQ(table.rows, 4U);
  ASSERT_EQ(table.columns.size(), 6U);
  expect_shares(table.columns[0], 0, 0.5, 0, 0.25);
  expect_shares(table.columns[1], 0.25, 0.5, 0, 0);
  expect_shares(table.columns[2], 0.25, 0.25, 0, 0.25);
  expect_shares(table.columns[3], 0.25, 0, 0, 0.25);
  expect_shares(table.columns[4], 0.25, 0, 0.25, 0);
  expect_shares(table.columns[5], 0.25, 0, 0.25, 0);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_TRUE(found.is_feasible());
}

TEST_F(SchemaCheckTest, WhereNothingMayBeMissingAllThatIsLeftOutIs) {
  const SchemaCheck found =
      check_rows("a,b,c\n1,x,x\n,y,y\nfew,,\n2,x,x\n",
                 "a: {type: integer, nullable: false}, b: {type: text, values: [x], nullable: false}, "
                 "c: {type: text, values: [x], other: rest, nullable: false}");
  expect_shares(found.tables[0].columns[0], 0.5, 0, 0, 0.25);
  expect_shares(found.tables[0].columns[1], 0.5, 0, 0.25, 0);
  expect_shares(found.tables[0].columns[2], 0.25, 0, 0.25, 0);
  EXPECT_EQ(found.tables[0].rows, 4U);
  EXPECT_EQ(found.units, 2U) << "rows that are left out are no units";
}

TEST_F(SchemaCheckTest, BytesThatAreNoTextAreUnreadable) {
  const SchemaCheck found =
      check_rows("a,b,n\n\xff,\xff,\xff\nx,x,1\n",
                 "a: {type: text}, b: {type: text, values: [x, rest], other: rest}, n: {type: integer}");
  for (const ColumnCheck& column : found.tables[0].columns) expect_shares(column, 0, 0, 0, 0.5);
}

TEST_F(SchemaCheckTest, EmptyTablesHaveNoShares) {
  const SchemaCheck found = check_rows("a\n", "a: {type: integer, bounds: [0, 1]}");
  EXPECT_EQ(found.tables[0].rows, 0U);
  expect_shares(found.tables[0].columns[0], 0, 0, 0, 0);
  EXPECT_EQ(found.units, 0U);
  EXPECT_EQ(found.rows_per_unit->max, 0U);
  EXPECT_TRUE(found.is_feasible());
}

TEST_F(SchemaCheckTest, AColumnOfWhichNoCellCanBeReadDoesNotFit) {
  const SchemaCheck found =
      check_rows("a,b,c\nx,1,\ny,oops,\n", "a: {type: integer}, b: {type: integer}, c: {type: date}");
  EXPECT_FALSE(found.is_feasible());
  EXPECT_THAT(codes(found), ElementsAre("type_misfit t.a"));
  expect_shares(found.tables[0].columns[0], 0, 0, 0, 1);
}

TEST_F(SchemaCheckTest, ColumnsThatAreNotThereAreNamedAndTheOthersCounted) {
  const SchemaCheck found = check_rows("a,b\n1,2\n", "a: {type: integer}, z: {type: integer}, y: {type: text}");
  EXPECT_FALSE(found.is_feasible());
  EXPECT_THAT(codes(found), ElementsAre("column_absent t.z", "column_absent t.y"));
  ASSERT_EQ(found.tables[0].columns.size(), 1U);
  EXPECT_EQ(found.tables[0].rows, 1U);
}

TEST_F(SchemaCheckTest, ATableOfWhichNothingIsThereHasNoFigures) {
  const SchemaCheck found = check_rows("a;b\n1;2\n", "y: {type: integer}, z: {type: integer}");
  EXPECT_FALSE(found.is_feasible());
  EXPECT_THAT(codes(found), ElementsAre("column_absent t.y", "column_absent t.z"));
  EXPECT_THAT(found.problems[0].message, HasSubstr("delimiter"));
  EXPECT_FALSE(found.tables[0].rows);
  EXPECT_FALSE(found.units);
  EXPECT_TRUE(found.to_json().find("tables")->find("t")->find("rows")->is_null());
}

TEST_F(SchemaCheckTest, AMissingFileIsAnError) {
  const auto schema = schema::parse_database_schema(
      "version: 1\nunit: row\ntables: {t: {source: nowhere.csv, columns: {a: {type: integer}}}}\n", "s",
      folder_.path());
  ASSERT_TRUE(schema);
  Progress progress;
  const auto checked = check_schema(*schema, {}, progress);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::io);
}

TEST_F(SchemaCheckTest, CountsUnitsAndTheirRowsAlongPaths) {
  // Customer 1: 4 orders, 3 items. 2: 1 order, 1 item. 3: none. 7 is in no list of customers.
  const SchemaCheck found =
      check_shop("1,a\n2,b\n3,c\n,d\n", "10,1,web\n11,1,shop\n12,1,web\n13,1,\n20,2,phone\n70,7,web\n80,,web\n",
                 "10,1\n10,2\n11,3\n20,50\n99,1\n80,1\n,1\n");
  EXPECT_EQ(found.units, 4U);
  EXPECT_EQ(found.rows_per_unit->q50, 1U);
  EXPECT_EQ(found.rows_per_unit->q90, 4U);
  EXPECT_EQ(found.rows_per_unit->max, 4U);
  EXPECT_THAT(*found.tables[0].without_unit, DoubleEq(1.0 / 4));
  EXPECT_THAT(*found.tables[1].without_unit, DoubleEq(1.0 / 7));
  EXPECT_THAT(*found.tables[2].without_unit, DoubleEq(3.0 / 7));
  // 3 rows of customers, 6 of orders, 4 of items lead to a unit; 2 and 1 of customer 1 are beyond 2 rows.
  EXPECT_THAT(found.cut->rows, DoubleEq(3.0 / 13));
  // Customer 1 ordered by web, by shop and somehow: two groups beyond one; 2 and 7 are in one each.
  EXPECT_THAT(found.cut->groups, DoubleEq(2.0 / 5));
  EXPECT_THAT(codes(found), ElementsAre("dangling_key orders.c", "dangling_key items.o"));
  EXPECT_TRUE(found.is_feasible());
}

TEST_F(SchemaCheckTest, LimitsThatDoNotBindCutNothing) {
  const SchemaCheck found = check_shop("1,a\n", "10,1,web\n11,1,shop\n", "10,1\n", "{groups: 2, rows: 2}");
  EXPECT_EQ(found.cut->rows, 0);
  EXPECT_EQ(found.cut->groups, 0);
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST_F(SchemaCheckTest, KeysThatAreNotUniqueAreProblems) {
  const SchemaCheck found = check_shop("1,a\n1,b\n2,c\n", "10,1,web\n10,2,web\n", "10,1\n");
  EXPECT_THAT(codes(found), ElementsAre("unit_key_not_unique customers.c", "path_key_not_unique orders.o"));
  EXPECT_TRUE(found.is_feasible());
  // The item counts for both.
  EXPECT_EQ(found.units, 2U);
  EXPECT_EQ(found.tables[2].without_unit, 0);
}

TEST_F(SchemaCheckTest, QuantilesAreThoseOfUnits) {
  std::string customers;
  std::string orders;
  int order = 0;
  for (int c = 1; c <= 100; ++c) {
    customers += fmt::format("{},a\n", c);
    for (int i = 0; i < c; ++i) orders += fmt::format("{},{},web\n", ++order, c);
  }
  const SchemaCheck found = check_shop(customers, orders, "1,1\n", "{groups: 1, rows: 90}");
  EXPECT_EQ(found.rows_per_unit->q50, 50U);
  EXPECT_EQ(found.rows_per_unit->q90, 90U);
  EXPECT_EQ(found.rows_per_unit->q99, 99U);
  EXPECT_EQ(found.rows_per_unit->max, 100U);
  EXPECT_THAT(found.cut->rows, DoubleEq(55.0 / (5050 + 100 + 1)));
}

TEST_F(SchemaCheckTest, APathThatIsBrokenLeavesUnitsUncounted) {
  folder_.write("a.csv", "id\n1\n");
  folder_.write("b.csv", "x\n1\n");
  const SchemaCheck found = check(
      "version: 1\nunit: {name: one, table: a, key: id}\nlimits: {groups: 1, rows: 1}\ntables:\n"
      "  a: {source: a.csv, unit: {column: id}, columns: {id: {type: integer}}}\n"
      "  b: {source: b.csv, unit: {column: id}, columns: {id: {type: integer}, x: {type: integer}}}\n");
  EXPECT_FALSE(found.is_feasible());
  EXPECT_FALSE(found.units);
  EXPECT_FALSE(found.cut);
  EXPECT_EQ(found.tables[0].without_unit, 0);
  EXPECT_FALSE(found.tables[1].without_unit);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].code, "chosen_on_data");
  EXPECT_THAT(found.warnings[0].message, HasSubstr("limits"));
}

TEST_F(SchemaCheckTest, APublicKeyThatIsNotUniqueIsAProblem) {
  folder_.write("n.csv", "id,name\n1,a\n1,b\n2,c\n");
  folder_.write("t.csv", "x\n1\n");
  const std::string text =
      "version: 1\nunit: row\ntables:\n  t: {source: t.csv, columns: {x: {type: integer}}}\n"
      "  n: {source: n.csv, public: true, key: [id], columns: {id: {type: integer}, name: {type: text}}}\n";
  EXPECT_THAT(codes(check(text)), ElementsAre("public_key_not_unique n.id"));
  std::string both = text;
  both.replace(both.find("[id]"), 4, "[id, name]");
  EXPECT_THAT(check(both).problems, IsEmpty());
}

TEST_F(SchemaCheckTest, StoredTypesDecideInParquet) {
  const auto session = engines::open_session();
  ASSERT_TRUE(session);
  const auto rows = (*session)->run(
      fmt::format(
          "COPY (SELECT * FROM (VALUES (1, DATE '2020-01-01', 'NaN'::DOUBLE, [1]), (200, NULL, 0.5, [2])) AS v(i, d, r, l)) "
          "TO {} (FORMAT parquet)",
          (*session)->dialect().text(folder_ / "t.parquet")),
      "write");
  ASSERT_TRUE(rows);
  while (*(*rows)->next()) continue;
  const SchemaCheck found = check(
      "version: 1\nunit: row\nprovenance: {bounds: public}\ntables: {t: {source: t.parquet, columns: {i: {type: integer, bounds: [0, 9]}, "
      "d: {type: decimal, scale: 2}, r: {type: real}, l: {type: text}}}}\n");
  EXPECT_THAT(codes(found), ElementsAre("type_misfit t.l", "type_misfit t.d"));
  ASSERT_EQ(found.tables[0].columns.size(), 2U);
  expect_shares(found.tables[0].columns[0], 0, 0.5, 0, 0);
  expect_shares(found.tables[0].columns[1], 0.5, 0, 0, 0);
}

TEST_F(SchemaCheckTest, TheJsonHasAllKeys) {
  const Json json = check_rows("a\n1\n", "a: {type: integer, bounds: [0, 1]}").to_json();
  EXPECT_EQ(
      json.dump(),
      R"({"tables":{"t":{"rows":1,"without_unit":0,"misplaced":0,"columns":{"a":{"missing":0,"clamped":0,"outside":0,"unreadable":0}}}},)"
      R"("units":1,"rows_per_unit":{"q50":1,"q90":1,"q99":1,"max":1},"cut":{"rows":0,"groups":0},"problems":[],"grants":[],"internal":true})");
}

TEST_F(SchemaCheckTest, TheExampleFits) {
  const auto schema = schema::read_database_schema(std::string(gauze_source_folder) + "/examples/query/shop.yaml");
  ASSERT_TRUE(schema) << schema.error().message;
  Progress progress;
  const auto found = check_schema(*schema, {}, progress);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(found->problems, IsEmpty());
  EXPECT_EQ(found->units, 40U);
  EXPECT_EQ(found->tables[1].rows, 90U);
  EXPECT_GT(found->cut->rows, 0);
  EXPECT_GT(found->cut->groups, 0);
}

}  // namespace schema_check_test
}  // namespace gauze::query
