#include "gauze/engines/duckdb/internal/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace gauze::engines {
namespace connection_test {

using ::testing::HasSubstr;

Connection connect() { return Connection::open(Database::open({}).value()).value(); }

TEST(Connection, StreamsTextsAndNulls) {
  auto connection = connect();
  auto stream =
      connection
          .stream("SELECT * FROM (VALUES ('short'), (NULL), ('a text of more than twelve bytes'), ('')) t(s)", "test")
          .value();
  EXPECT_EQ(stream.columns(), 1U);
  EXPECT_EQ(stream.column_name(0), "s");
  EXPECT_EQ(stream.column_type(0), DUCKDB_TYPE_VARCHAR);
  const auto chunk = stream.next().value();
  ASSERT_TRUE(chunk);
  ASSERT_EQ(chunk->size(), 4U);
  const TextVector texts(chunk->column(0));
  EXPECT_EQ(texts[0], "short");
  EXPECT_EQ(texts[1], "");
  EXPECT_TRUE(texts.is_null(1));
  EXPECT_EQ(texts[2], "a text of more than twelve bytes");
  EXPECT_FALSE(texts.is_null(3));
  EXPECT_FALSE(stream.next().value());
}

TEST(Connection, CountsAndExecutes) {
  auto connection = connect();
  ASSERT_TRUE(connection.execute("CREATE TABLE t AS SELECT range AS n FROM range(5000)", "make a table"));
  EXPECT_EQ(connection.count("SELECT count(*) FROM t", "count").value(), 5000U);
}

TEST(Connection, TellsWhatItWasDoingWhenItFails) {
  auto connection = connect();
  for (const char* sql : {"SELECT nonsense(", "SELECT * FROM absent", "SELECT 'secret'::INTEGER"}) {
    const auto done = connection.execute(sql, "read 'x.csv'");
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, HasSubstr("cannot read 'x.csv'"));
    EXPECT_EQ(done.error().message.find("secret"), std::string::npos);
    EXPECT_FALSE(connection.stream(sql, "x").has_value() && connection.stream(sql, "x")->next().has_value());
  }
}

TEST(Connection, FailsInTheMiddleOfAStream) {
  auto connection = connect();
  auto stream = connection.stream(
      "SELECT CASE WHEN range = 400000 THEN ('secret' || range)::INTEGER ELSE 1 END FROM range(500000)", "test");
  Result<std::optional<Chunk>> chunk = std::optional<Chunk>{};
  if (stream) {
    do chunk = stream->next();
    while (chunk && *chunk);
    ASSERT_FALSE(chunk);
    EXPECT_EQ(chunk.error().code, ErrorCode::bad_data);
    EXPECT_EQ(chunk.error().message.find("secret"), std::string::npos);
  }
}

TEST(Database, RefusesUnknownSettings) {
  const auto database = Database::open({{"no_such_setting", "1"}});
  ASSERT_FALSE(database);
  EXPECT_EQ(database.error().code, ErrorCode::internal);
}

TEST(Sql, QuotesTextsAndNames) {
  EXPECT_EQ(sql_text("it's"), "'it''s'");
  EXPECT_EQ(sql_name("a \"name\""), "\"a \"\"name\"\"\"");
  auto connection = connect();
  EXPECT_TRUE(rc::check("any text comes back", [&] {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::element('a', '\'', '"', '\\', '%', '$', '\n', ';', '-'));
    auto stream = connection.stream("SELECT " + sql_text(text) + " AS " + sql_name("n" + text), "test").value();
    RC_ASSERT(stream.column_name(0) == "n" + text);
    const auto chunk = stream.next().value();
    RC_ASSERT(TextVector(chunk->column(0))[0] == text);
  }));
}

}  // namespace connection_test
}  // namespace gauze::engines
