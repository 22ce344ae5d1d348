#include "gauze/engines/sql_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "gauze/engines/open_source.h"
#include "gauze/engines/query_watch.h"
#include "gauze/engines/sql_database.h"
#include "gauze/engines/testing/engine_testing.h"

namespace gauze::engines {
namespace sql_session_test {

using table::ValueType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Takes minutes, if nothing ends it.
constexpr const char* kLong = "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range = 7";

std::unique_ptr<SqlSession> session() { return open_session({.threads = 2}).value(); }

/// All rows of a stream as texts, NULL as "<null>".
Rows rows_in(table::RowStream& stream) {
  Rows rows;
  while (const auto batch = stream.next().value()) {
    for (std::size_t row = 0; row < batch->rows; ++row) {
      auto& cells = rows.emplace_back();
      for (std::size_t i = 0; i < batch->columns.size(); ++i) {
        cells.emplace_back(batch->columns[i].is_null(row) ? "<null>" : "");
        append_value(cells.back(), batch->columns[i], stream.columns()[i].type, row);
      }
    }
  }
  return rows;
}
Rows rows_of(SqlSession& session, const std::string& sql) {
  const auto stream = session.run(sql, "test");
  EXPECT_TRUE(stream) << (stream ? "" : stream.error().message);
  return stream ? rows_in(**stream) : Rows();
}

TEST(SqlSession, KnowsNamesAndTypesBeforeTheFirstRow) {
  const auto made = session();
  const auto stream =
      made->run(
              "SELECT 1::TINYINT AS a, 2::UBIGINT AS b, 1.5::FLOAT AS c, 'x' AS d, true AS e, DATE '2024-01-02' AS d",
              "test")
          .value();
  std::vector<std::string> names;
  std::vector<ValueType> types;
  for (const auto& [name, type] : stream->columns()) {
    names.push_back(name);
    types.push_back(type);
  }
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d", "e", "d"));
  EXPECT_THAT(types, ElementsAre(ValueType::integer, ValueType::wide_integer, ValueType::real, ValueType::text,
                                 ValueType::text, ValueType::text));
}

TEST(SqlSession, ReturnsEveryKindOfValue) {
  const auto made = session();
  EXPECT_THAT(
      rows_of(
          *made,
          "SELECT * FROM (VALUES (-7::INTEGER, 170141183460469231731687303715884105727::HUGEINT, 0.1::DOUBLE, 'it''s', "
          "true, 1.50::DECIMAL(9,2), TIMESTAMP '2024-01-02 03:04:05', 18446744073709551615::UBIGINT), "
          "(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)) t -- a comment"),
      ElementsAre(ElementsAre("-7", "170141183460469231731687303715884105727", "0.1", "it's", "true", "1.50",
                              "2024-01-02 03:04:05", "18446744073709551615"),
                  ElementsAre("<null>", "<null>", "<null>", "<null>", "<null>", "<null>", "<null>", "<null>")));
  EXPECT_THAT(
      rows_of(*made, "SELECT sum(x), DATE '2024-01-02' FROM (SELECT 9223372036854775807 AS x FROM range(3)); "),
      ElementsAre(ElementsAre("27670116110564327421", "2024-01-02")));
}

TEST(SqlSession, ReturnsTheSameRowsAtOnce) {
  const auto made = session();
  for (const char* sql : {"SELECT range, range / 7.0 AS x, 'r' || range AS t FROM range(5000) ORDER BY range DESC",
                          "SELECT DATE '2024-01-02' AS d, 1.50::DECIMAL(9,2), NULL::INTEGER, true"}) {
    const auto whole = made->run_whole(sql, "test").value();
    const Rows rows = rows_in(*whole);
    const auto streamed = made->run(sql, "test").value();
    ASSERT_EQ(whole->columns().size(), streamed->columns().size());
    for (std::size_t i = 0; i < whole->columns().size(); ++i) {
      EXPECT_EQ(whole->columns()[i].name, streamed->columns()[i].name);
      EXPECT_EQ(whole->columns()[i].type, streamed->columns()[i].type);
    }
    EXPECT_EQ(rows, rows_in(*streamed));
  }
  EXPECT_EQ(made->run_whole("SELECT nothing", "test").error().code, ErrorCode::internal);
  const auto hurried = open_session({.threads = 2}, std::chrono::milliseconds(100)).value();
  const auto late = hurried->run_whole(kLong, "count");
  ASSERT_FALSE(late.has_value());
  EXPECT_THAT(late.error().message, HasSubstr("within the time allowed"));
}

TEST(SqlSession, KeepsTheOrderOfRowsAndWhatWasDoneBefore) {
  const auto made = session();
  EXPECT_TRUE(rows_of(*made, "SET threads = 2").empty());
  ASSERT_TRUE(made->run("CREATE TABLE t AS SELECT range AS n FROM range(100000)", "make a table"));
  const auto stream = made->run("SELECT n, DATE '2024-01-01' FROM t ORDER BY n DESC", "test").value();
  std::int64_t next = 99'999;
  for (auto batch = stream->next().value(); batch; batch = stream->next().value())
    for (const std::int64_t n : batch->columns[0].integers) ASSERT_EQ(n, next--);
  EXPECT_EQ(next, -1);
}

TEST(SqlSession, NeverPassesOnWhatTheDatabaseSays) {
  const auto made = session();
  for (const char* sql : {"SELECT nonsense(", "SELECT * FROM secret", "SELECT 'secret'::INTEGER"}) {
    auto stream = made->run(sql, "ask");
    const Error error = stream ? (*stream)->next().error() : stream.error();
    EXPECT_THAT(error.message, HasSubstr("cannot ask"));
    EXPECT_THAT(error.message, Not(HasSubstr("secret")));
  }
}

TEST(SqlSession, QuotesAsItsDialectSays) {
  const auto made = session();
  EXPECT_EQ(made->dialect().name(), "duckdb");
  EXPECT_THAT(rows_of(*made, "SELECT " + made->dialect().text("it's\n\"odd\"") + " AS " +
                                 made->dialect().identifier("a \"name\"")),
              ElementsAre(ElementsAre("it's\n\"odd\"")));
  EXPECT_THAT(rows_of(*made, "SELECT " + made->dialect().trimmed("' \t x y\r\n'")), ElementsAre(ElementsAre("x y")));
}

TEST(SqlSession, IsInterruptedFromAnotherThread) {
  const auto made = session();
  std::thread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    made->interrupt();
  });
  auto stream = made->run(kLong, "count");
  const ErrorCode code = stream ? (*stream)->next().error().code : stream.error().code;
  asks.join();
  EXPECT_EQ(code, ErrorCode::interrupted);
  EXPECT_THAT(rows_of(*made, "SELECT 1"), ElementsAre(ElementsAre("1"))) << "the session can be used again";
}

TEST(SqlSession, EndsWhatTakesTooLong) {
  const auto made = open_session({.threads = 2}, std::chrono::milliseconds(200)).value();
  auto stream = made->run(kLong, "count");
  const Error error = stream ? (*stream)->next().error() : stream.error();
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_THAT(error.message, HasSubstr("within the time allowed"));
  EXPECT_THAT(rows_of(*made, "SELECT 1"), ElementsAre(ElementsAre("1")));
}

TEST(SqlSession, KeepsWithinItsMemory) {
  const Folder folder;
  const auto made =
      open_session({.threads = 1, .memory_limit = std::uint64_t{30} << 20, .temporary = folder.path().string()})
          .value();
  auto stream = made->run("SELECT list(range) FROM range(20000000)", "gather");
  const Error error = stream ? (*stream)->next().error() : stream.error();
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_THAT(error.message, HasSubstr("memory does not suffice"));
}

TEST(SqlDialect, PutsNumbersOnAGridWithinBounds) {
  const auto database = open_database({}, {.threads = 1}).value();
  SqlSession& made = database->session();
  const auto on_grid = [&](const char* value) {
    const std::string sql =
        made.dialect().fixed_point(fmt::format("CAST({} AS DOUBLE)", value), 4, -9, std::int64_t{1} << 50);
    return rows_of(made, "SELECT " + sql).front().front();
  };
  // Halves go up; what is beyond an end, infinite or not, is taken to it; what is no number is NULL.
  const std::vector<std::pair<const char*, const char*>> cases = {{"0.124", "0"},
                                                                  {"0.125", "1"},
                                                                  {"0.375", "2"},
                                                                  {"-0.125", "0"},
                                                                  {"-0.126", "-1"},
                                                                  {"-0.375", "-1"},
                                                                  {"-0.0", "0"},
                                                                  {"-2.25", "-9"},
                                                                  {"-2.375", "-9"},
                                                                  {"-2.4", "-9"},
                                                                  {"-1e300", "-9"},
                                                                  {"'-inf'", "-9"},
                                                                  {"1e300", "1125899906842624"},
                                                                  {"'inf'", "1125899906842624"},
                                                                  {"281474976710655.75", "1125899906842623"},
                                                                  {"'nan'", "<null>"},
                                                                  {"NULL", "<null>"}};
  for (const auto& [value, expected] : cases) EXPECT_EQ(on_grid(value), expected) << value;
}

TEST(SqlDialect, PutsManyNumbersOnTheGridAsTheFormulaDoes) {
  const auto database = open_database({}, {.threads = 1}).value();
  SqlSession& made = database->session();
  // Some are NULL, some no numbers, some beyond the bounds, some halves; vectors with and without each, and a short last one.
  constexpr const char* kNumbers =
      "(SELECT CASE WHEN i > 50000 AND i % 7 = 0 THEN NULL WHEN i > 30000 AND i % 11 = 0 THEN 'nan'::DOUBLE WHEN i % 5 = 0 THEN "
      "i / 2048 - 20 ELSE (hash(i) / 18446744073709551616.0 - 0.5) * 70 END AS x FROM range(100001) AS t(i))";
  const auto count = [&](const std::string& sql) { return rows_of(made, sql).front().front(); };
  EXPECT_EQ(count(fmt::format("SELECT count(*) FROM {} WHERE {} IS DISTINCT FROM CASE WHEN NOT isnan(x) THEN "
                              "least(greatest(CAST(floor(x * 1024 + 0.5) AS BIGINT), -20000), 30000) END",
                              kNumbers, made.dialect().fixed_point("x", 1024, -20000, 30000))),
            "0");
  EXPECT_EQ(count(fmt::format("SELECT count(DISTINCT {}) > 15000 FROM {}",
                              made.dialect().fixed_point("x", 1024, -20000, 30000), kNumbers)),
            "true");
}

TEST(SqlDialect, OrdersByMd5OfShortAndLongTexts) {
  const auto database = open_database({}, {.threads = 1}).value();
  SqlSession& made = database->session();
  const auto count = [&](const std::string& sql) { return rows_of(made, sql).front().front(); };
  // Lengths from 0 to 299, so that one to five blocks stand beside each other, and many of one block.
  const std::string texts = "'k/', repeat('x', n), chr(CAST(65 + i % 50 AS INTEGER)), CAST(i AS VARCHAR), o";
  for (const char* length : {"i % 300", "i % 7", "i // 64 % 300"})
    EXPECT_EQ(
        count(fmt::format("SELECT count(*) FROM (SELECT i, {} AS n, CASE WHEN i % 3 = 0 THEN '\u00e9' END AS o FROM "
                          "range(20003) AS t(i)) WHERE printf('%016x', {}) <> left(md5(concat({})), 16)",
                          length, made.dialect().md5_order(texts), texts)),
        "0");
  EXPECT_EQ(count("SELECT " + made.dialect().md5_order("''")), std::to_string(0xd41d8cd98f00b204U));
}

TEST(QueryWatch, EndsAStatementWhenAsked) {
  const auto made = session();
  Progress progress;
  std::thread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    progress.request_stop();
  });
  {
    const QueryWatch watch(*made, progress, 0);
    auto stream = made->run(kLong, "count");
    EXPECT_EQ(stream ? (*stream)->next().error().code : stream.error().code, ErrorCode::interrupted);
  }
  asks.join();
}

TEST(QueryWatch, ReportsAllRowsAtTheEnd) {
  const auto made = session();
  std::uint64_t done = 0;
  Progress progress([&](const Progress::Report& report) { done = report.done; });
  progress.begin("reading", 1000);
  { const QueryWatch watch(*made, progress, 1000); }
  EXPECT_EQ(done, 1000U);
}

}  // namespace sql_session_test
}  // namespace gauze::engines
