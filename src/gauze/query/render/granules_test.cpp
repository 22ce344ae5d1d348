// A sum of a bounded column takes its granules from the scan; any other sum rounds and clamps by itself. The integers are the same.
#include "gauze/query/render/granules.h"

#include <gtest/gtest.h>

#include "gauze/query/render/sums_sql.h"
#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace granules_test {

/// A Parquet file with one row for each number that could go wrong, beside one that has no trouble.
void write_numbers(const std::string& path) {
  const auto database = engines::open_database({}).value();
  const auto rows = database->session().run(
      fmt::format(
          "COPY (SELECT CAST(unnest(range(24)) AS BIGINT) AS id, unnest([NULL, 'nan', 'inf', '-inf', '0', '-0', '1e300', '-1e300', '5', "
          "'-4', '4', '-3', '4.000000000000001', '3.9999999999999996', '-3.0000000000000004', '1e-300', '-1e-300', '7e-61', '-7e-61', "
          "'3e-15', '1.7763568394002505e-15', '-1.7763568394002505e-15', '1e10', '0.1'])::DOUBLE AS x) TO '{}' (FORMAT parquet)",
          path),
      "write");
  ASSERT_TRUE(rows.has_value());
  while ((*rows)->next().value()) {
  }
}

class Granules : public ::testing::Test {
 protected:
  static schema::DatabaseSchema schema_of(const std::string& bounds, const ScratchFolder& folder) {
    return schema::parse_database_schema(
               fmt::format(
                   "version: 1\nunit: row\ntables:\n  t:\n    source: t.parquet\n    columns:\n      id: {{type: integer, "
                   "bounds: [0, 23], nullable: false}}\n      x: {{type: real, bounds: {}}}\nprovenance: {{bounds: public}}\n",
                   bounds),
               "schema", folder.path())
        .value();
  }

  /// What is measured for SUM of an expression, a row each.
  static std::vector<std::vector<Int128>> steps(const schema::DatabaseSchema& schema, const std::string& expression,
                                                bool from_scan) {
    PublicTables none(schema, {});
    const auto plan = plan_query(fmt::format("SELECT id, SUM({0}), AVG({0}) FROM t GROUP BY id", expression), schema,
                                 testing::with_epsilon(1), none);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
    auto tables = SchemaTables::open(schema, {&schema.tables.front()}, {}).value();
    Progress silent;
    EXPECT_TRUE(tables.load(silent).has_value());
    const auto statements = write_statements(*plan, tables.writer(), std::string(32, '0'));
    EXPECT_EQ(statements.sums.find("in granules") != std::string::npos, from_scan) << statements.sums;
    SeededRandom seeded(1);
    Chance chance = Chance::none(seeded);
    std::vector<std::vector<Int128>> found;
    const auto table = measure(*plan, tables, chance, silent);
    EXPECT_TRUE(table.has_value()) << (table ? "" : table.error().message);
    for (const auto& row : table->rows) found.push_back(row.steps);
    return found;
  }
};

TEST_F(Granules, OfTheScanAreThoseOfAnyOtherSum) {
  const ScratchFolder folder = ScratchFolder::make().value();
  write_numbers(folder.file("t.parquet"));
  for (const char* bounds : {"[-3, 4]", "[0, 4]", "[-4, 0]", "[2, 4]", "[-4, -3]", "[0, 1e10]", "[-0.5, 0.25]"}) {
    const auto schema = schema_of(bounds, folder);
    const auto own = steps(schema, "x", true);
    EXPECT_EQ(own.size(), 24U);
    EXPECT_EQ(own, steps(schema, "x + 0.0", false)) << bounds;
  }
}

TEST_F(Granules, AreNotTakenFromTheScanWhereABoundIsNoneOrTheRangeIsNarrower) {
  const ScratchFolder folder = ScratchFolder::make().value();
  write_numbers(folder.file("t.parquet"));
  const auto odd = schema_of("[0, 0.1]", folder);
  EXPECT_EQ(steps(odd, "x", false), steps(odd, "x + 0.0", false));
  const auto tiny = schema_of("[0, 1e-60]", folder);
  EXPECT_FALSE(scanned_granules(tiny.tables.front(), tiny.tables.front().columns[1]).has_value());
  const auto schema = schema_of("[-3, 4]", folder);
  PublicTables none(schema, {});
  const auto plan =
      plan_query("SELECT SUM(x) FROM t WHERE x BETWEEN 0 AND 1", schema, testing::with_epsilon(1), none);
  ASSERT_TRUE(plan.has_value());
  RelationPtr input = plan->question.answer.input;
  const Measurement& sum = plan->measurements.all.front();
  EXPECT_FALSE(granules_column(input, *sum.argument, sum.fixed).has_value());
  EXPECT_EQ(input, plan->question.answer.input);
}

}  // namespace granules_test
}  // namespace gauze::query
