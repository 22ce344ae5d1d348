#include <duckdb.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace duckdb_test {

/// One in-memory database; every query must succeed.
class DuckDB : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(duckdb_open(nullptr, &database_), DuckDBSuccess);
    ASSERT_EQ(duckdb_connect(database_, &connection_), DuckDBSuccess);
    folder_ = std::filesystem::temp_directory_path() / ("gauze-duckdb-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
    std::filesystem::remove_all(folder_);
  }

  void run(const std::string& sql) { EXPECT_EQ(integer(sql + "; SELECT 0::BIGINT"), 0); }

  /// The first cell of the answer.
  std::int64_t integer(const std::string& sql) {
    duckdb_result result;
    if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) {
      ADD_FAILURE() << sql << ": " << duckdb_result_error(&result);
      duckdb_destroy_result(&result);
      return -1;
    }
    duckdb_data_chunk chunk = duckdb_fetch_chunk(result);
    std::int64_t value = -1;
    if (chunk != nullptr) {
      value = *static_cast<std::int64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)));
      duckdb_destroy_data_chunk(&chunk);
    }
    duckdb_destroy_result(&result);
    return value;
  }

  [[nodiscard]] std::string path(const std::string& name) const { return "'" + (folder_ / name).string() + "'"; }

  std::filesystem::path folder_;

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

TEST_F(DuckDB, LibraryHasTheVersionOfTheHeader) {
  EXPECT_EQ(std::string(duckdb_library_version()), "v" GAUZE_DUCKDB_VERSION);
  EXPECT_STREQ(GAUZE_DUCKDB_VERSION, "1.4.4");
}

TEST_F(DuckDB, GroupsATableInMemory) {
  run("CREATE TABLE t AS SELECT range AS n, range % 3 AS class FROM range(1000)");
  EXPECT_EQ(integer("SELECT count(*) FROM t"), 1000);
  EXPECT_EQ(integer("SELECT count(*) FROM t GROUP BY class ORDER BY class LIMIT 1"), 334);
  EXPECT_EQ(integer("SELECT sum(n)::BIGINT FROM t"), 499'500);
}

TEST_F(DuckDB, ReadsCsvWithQuotesAndUtf8) {
  std::ofstream(folder_ / "in.csv") << "name;age\n\"M\xC3\xBCller; Ada\";41\nBo;7\n";
  EXPECT_EQ(integer("SELECT sum(age)::BIGINT FROM read_csv(" + path("in.csv") + ", delim=';', header=true)"), 48);
  EXPECT_EQ(integer("SELECT count(*) FROM " + path("in.csv") + " WHERE name = 'M\xC3\xBCller; Ada'"), 1);
}

TEST_F(DuckDB, ParquetComesBackAsItWent) {
  run("CREATE TABLE t AS SELECT range AS n, 'v' || range AS text, range / 7 AS x FROM range(10000)");
  run("COPY t TO " + path("t.parquet") + " (FORMAT parquet, COMPRESSION zstd)");
  EXPECT_EQ(integer("SELECT count(*) FROM " + path("t.parquet")), 10'000);
  EXPECT_EQ(integer("SELECT count(*) FROM (SELECT * FROM t EXCEPT SELECT * FROM " + path("t.parquet") + ")"), 0);
}

TEST_F(DuckDB, CsvComesBackAsItWent) {
  run("CREATE TABLE t AS SELECT range AS n, 'a,\"b\"' || range AS text FROM range(1000)");
  run("COPY t TO " + path("t.csv") + " (HEADER)");
  EXPECT_EQ(integer("SELECT count(*) FROM (SELECT * FROM t EXCEPT SELECT * FROM " + path("t.csv") + ")"), 0);
  EXPECT_EQ(integer("SELECT count(*) FROM " + path("t.csv")), 1000);
}

TEST_F(DuckDB, RefusesBadSqlAsAValue) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  ASSERT_EQ(duckdb_open(nullptr, &database), DuckDBSuccess);
  ASSERT_EQ(duckdb_connect(database, &connection), DuckDBSuccess);
  duckdb_result result;
  EXPECT_EQ(duckdb_query(connection, "SELECT nothing FROM nowhere", &result), DuckDBError);
  EXPECT_EQ(duckdb_result_error_type(&result), DUCKDB_ERROR_CATALOG);
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
}

}  // namespace duckdb_test
