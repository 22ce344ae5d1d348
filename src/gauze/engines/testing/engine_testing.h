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

#include "gauze/engines/duckdb/internal/connection.h"
#include "gauze/engines/internal/file_tables.h"
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

inline FileTables& shared_tables() {
  static FileTables tables({.threads = 4});
  return tables;
}

inline std::vector<std::size_t> all_columns(const table::Source& table) {
  std::vector<std::size_t> columns(table.columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

/// Writes a source as a file.
inline Result<void> write(table::Source& source, const table::Rewrite& rewrite, const table::TableTarget& target,
                          Progress& progress) {
  return make_table_writer({.threads = 4})->write(source, rewrite, target, progress);
}

/// The rows of a table in their order, as texts; what is missing is "<missing>".
inline Rows rows_of(table::Source& table) {
  Rows rows;
  Progress progress;
  const auto stream = table.scan(all_columns(table), table::Cells::text, progress).value();
  for (;;) {
    const auto batch = stream->next();
    EXPECT_TRUE(batch) << (batch ? "" : batch.error().message);
    if (!batch || !*batch) return rows;
    for (std::size_t row = 0; row < (*batch)->rows; ++row) {
      auto& cells = rows.emplace_back();
      for (const auto& column : (*batch)->columns)
        cells.push_back(table.missing().contains(column.texts[row]) ? "<missing>" : std::string(column.texts[row]));
    }
  }
}

/// An opened file: its names and rows, or the error.
struct Opened {
  std::unique_ptr<table::Source> table;
  std::optional<table::FileFormat> format;
  std::string delimiter;
  std::vector<std::string> names;
  Rows rows;
  Error error;
};

inline Opened open(const std::string& source, const table::ReadOptions& options = {}) {
  Opened opened;
  auto found = shared_tables().open(source, options);
  if (!found) {
    opened.error = found.error();
    return opened;
  }
  opened.table = std::move(found->source);
  opened.format = found->format;
  opened.delimiter = found->form.delimiter;
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
