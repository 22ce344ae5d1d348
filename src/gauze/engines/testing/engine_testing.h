#pragma once
// What the tests of the engines share: a folder that goes away, one engine for all tests, tables in plain sight.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "gauze/engines/duckdb/duckdb_engine.h"
#include "gauze/engines/duckdb/internal/connection.h"
#include "gauze/files/testing/folder.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::engines {

using Rows = std::vector<std::vector<std::string>>;

inline std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline DuckDbEngine& shared_engine() {
  static const auto engine =
      DuckDbEngine::make({.threads = 4, .memory_limit = std::nullopt, .temporary = std::nullopt});
  GAUZE_CHECK(engine.has_value());
  return **engine;
}

inline std::vector<std::size_t> all_columns(const table::Table& table) {
  std::vector<std::size_t> columns(table.columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

/// The rows of a table in their order, as a rewrite sees them; what is missing is "<missing>".
inline Rows rows_of(table::Table& table) {
  Rows rows;
  table::Rewrite rewrite;
  rewrite.inputs = all_columns(table);
  rewrite.in_order = true;
  rewrite.rewrite = [&](const table::RowBatch& batch, table::RewrittenBatch&) {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      auto& cells = rows.emplace_back();
      for (const auto& column : batch.cells)
        cells.push_back(column[row].missing ? "<missing>" : std::string(column[row].text));
    }
  };
  const Folder folder;
  Progress progress;
  const auto written = table.write(rewrite, folder / "rows.csv", {}, progress);
  EXPECT_TRUE(written) << (written ? "" : written.error().message);
  return rows;
}

/// An opened file: its names and rows, or the error.
struct Opened {
  std::unique_ptr<table::Table> table;
  std::vector<std::string> names;
  Rows rows;
  Error error;
};

inline Opened open(const std::string& source, const table::ReadOptions& options = {}) {
  Opened opened;
  auto table = shared_engine().open(source, options);
  if (!table) {
    opened.error = table.error();
    return opened;
  }
  opened.table = std::move(*table);
  opened.names = opened.table->columns();
  opened.rows = rows_of(*opened.table);
  EXPECT_EQ(opened.table->row_count().value(), opened.rows.size());
  return opened;
}

/// Writes a text to a file and opens it.
inline Opened open_text(std::string_view text, const table::ReadOptions& options = {},
                        const std::string& name = "x.csv") {
  const Folder folder;
  return open(folder.write(name, text), options);
}

inline void expect_same(const table::TupleCounts& actual, const table::TupleCounts& expected) {
  EXPECT_EQ(actual.size(), expected.size());
  EXPECT_TRUE(actual.counts == expected.counts);  // they may be too long to be printed
  EXPECT_TRUE(actual.codes == expected.codes);
  ASSERT_EQ(actual.dictionaries.size(), expected.dictionaries.size());
  for (std::size_t i = 0; i < actual.dictionaries.size(); ++i) {
    EXPECT_TRUE(actual.dictionaries[i].values == expected.dictionaries[i].values);
    EXPECT_EQ(actual.dictionaries[i].missing, expected.dictionaries[i].missing);
  }
}

/// Runs SQL, to make files that Gauze itself does not write.
inline void run_sql(const std::string& sql) {
  const auto database = Database::open({}).value();
  auto connection = Connection::open(database).value();
  const auto done = connection.execute(sql, "prepare a test");
  ASSERT_TRUE(done) << done.error().message;
}

}  // namespace gauze::engines
