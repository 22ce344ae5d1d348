#include <gtest/gtest.h>

#include "gauze/files/sha256.h"
#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace public_tables_test {

constexpr const char* kByName = "SELECT name, COUNT(*) FROM customers JOIN nations ON id = nation GROUP BY name";

Result<QueryResult> answer(const testing::Database& database, const QueryPlan& plan,
                           const engines::SqlDatabase::Witnesses& witnesses = {}, Progress&& progress = Progress()) {
  GAUZE_TRY(auto tables,
            SchemaTables::open(database.schema(), tables_of(*plan.question.answer.input, database.schema()), {}));
  SeededRandom seeded(1);
  Chance chance(seeded);
  return run_query(plan, tables, chance, false, {}, progress, witnesses);
}

TEST(PublicTables, AreBoundByTheirDigests) {
  const testing::Database database(testing::shop_files(), testing::shop_schema());
  const auto plan = database.plan(kByName, testing::with_epsilon(1));
  ASSERT_TRUE(plan.has_value());
  const auto result = answer(database, *plan);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  const TableDigests expected = {{"nations", sha256_hex("id,name\n0,A\n1,B\n2,C\n3,D\n4,E\n")}};
  EXPECT_EQ(plan->public_tables, expected);
  EXPECT_EQ(result->public_tables, expected);
}

TEST(PublicTables, ThatNobodyAsksAboutMayBeAbsent) {
  std::string schema = testing::shop_schema();
  const std::string place = "provenance:";
  schema.insert(schema.find(place),
                "  absent:\n    public: true\n    source: absent.csv\n    columns: {id: {type: integer}}\n");
  const testing::Database database(testing::shop_files(), schema);
  const auto plan = database.plan(
      "SELECT name, COUNT(*) FROM customers JOIN nations ON id = nation WHERE nation < (SELECT MAX(column1) FROM (VALUES (3), (4)) v) "
      "GROUP BY name",
      testing::with_epsilon(1));
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_EQ(plan->public_tables.size(), 1U);
  EXPECT_FALSE(database.plan("SELECT COUNT(*) FROM customers JOIN absent ON id = nation GROUP BY id",
                             testing::with_epsilon(1)));
}

TEST(PublicTables, MustBeWhatTheyWereWhenTheQuestionWasPlanned) {
  const testing::Database database(testing::shop_files(), testing::shop_schema());
  const auto plan = database.plan(kByName, testing::with_epsilon(1));
  ASSERT_TRUE(plan.has_value());
  std::ofstream(database.folder() / "nations.csv") << "id,name\n0,A\n0,B\n";
  const auto result = answer(database, *plan);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::io);
  EXPECT_NE(result.error().message.find("'nations' was changed"), std::string::npos) << result.error().message;
}

TEST(PublicTables, PrivateOnesAreShownToTheirOwnWitness) {
  const testing::Database database(testing::shop_files(), testing::shop_schema());
  const auto plan = database.plan(kByName, testing::with_epsilon(1));
  ASSERT_TRUE(plan.has_value());
  std::map<std::size_t, std::string> seen;
  const auto result = answer(database, *plan, [&](std::size_t table) {
    return [&text = seen[table]](std::string_view piece) { text += piece; };
  });
  ASSERT_TRUE(result.has_value());
  ASSERT_EQ(seen.size(), 1U) << "nations is public, and no other table is asked about";
  EXPECT_EQ(seen.begin()->second, testing::shop_files()[0].second);
}

TEST(PublicTables, AStopEndsTheStatement) {
  const testing::Database database(testing::shop_files(), testing::shop_schema());
  // Some 10^18 pairs: it would not end on its own.
  const auto plan = database.plan(
      "SELECT COUNT(*) FROM customers c JOIN nations a ON a.id >= 0 JOIN nations b ON b.id >= 0 JOIN nations d ON d.id >= 0 "
      "JOIN nations e ON e.id >= 0 JOIN nations f ON f.id >= 0 JOIN nations g ON g.id >= 0 JOIN nations h ON h.id >= 0 "
      "JOIN nations i ON i.id >= 0 JOIN nations j ON j.id >= 0 JOIN nations k ON k.id >= 0 JOIN nations l ON l.id >= 0 "
      "JOIN nations m ON m.id >= 0 JOIN nations n ON n.id >= 0 JOIN nations o ON o.id >= 0 JOIN nations p ON p.id >= 0 "
      "JOIN nations q ON q.id >= 0 JOIN nations r ON r.id >= 0 JOIN nations s ON s.id >= 0 JOIN nations t ON t.id >= 0 "
      "JOIN nations u ON u.id >= 0 JOIN nations v ON v.id >= 0 JOIN nations w ON w.id >= 0 JOIN nations x ON x.id >= 0 "
      "JOIN nations y ON y.id >= 0 JOIN nations z ON z.id >= 0 WHERE a.id + z.id >= 0",
      testing::with_epsilon(1));
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  auto tables = SchemaTables::open(database.schema(), tables_of(*plan->question.answer.input, database.schema()), {});
  ASSERT_TRUE(tables.has_value());
  SeededRandom seeded(1);
  Chance chance(seeded);
  Progress* asked = nullptr;
  Progress progress([&](const Progress::Report& report) {
    if (report.stage == "answering") asked->request_stop();
  });
  asked = &progress;
  const auto result = run_query(*plan, *tables, chance, false, {}, progress);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::interrupted);
}

}  // namespace public_tables_test
}  // namespace gauze::query
