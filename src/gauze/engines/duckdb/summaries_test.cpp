#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/engines/testing/engine_testing.h"

namespace gauze::engines {
namespace summaries_test {

using table::ColumnType;
using ::testing::ElementsAre;

/// Columns with 1, 2, 3, ... values, and one that is missing throughout.
table::MemoryTable::Rows staircase(std::size_t rows, std::size_t columns) {
  table::MemoryTable::Rows result;
  for (std::size_t row = 0; row < rows; ++row) {
    auto& cells = result.emplace_back();
    for (std::size_t column = 0; column < columns; ++column) cells.push_back(std::to_string(row % (column + 1)));
    cells.emplace_back(row % 2 == 0 ? "?" : "");
  }
  return result;
}

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back("name " + std::to_string(i));
  return result;
}

void expect_same(const std::vector<table::ColumnSummary>& actual, const std::vector<table::ColumnSummary>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].type, expected[i].type) << i;
    EXPECT_EQ(actual[i].distinct, expected[i].distinct) << i;
    EXPECT_EQ(actual[i].missing, expected[i].missing) << i;
    EXPECT_EQ(actual[i].counts, expected[i].counts) << i;
    ASSERT_EQ(actual[i].dictionary.has_value(), expected[i].dictionary.has_value()) << i;
    if (!actual[i].dictionary) continue;
    EXPECT_EQ(actual[i].dictionary->values, expected[i].dictionary->values) << i;
  }
}

TEST(Summaries, NeedNotFitIntoMemoryAtOnce) {
  table::MemoryTable memory(names(31), staircase(500, 30));
  std::string text;
  table::append_csv_line(text, memory.columns(), ',');
  for (const auto& row : staircase(500, 30)) table::append_csv_line(text, row, ',');
  const Folder folder;
  const auto path = folder.write("x.csv", text);
  Progress progress;
  // 400 values at once: several scans. 60: nearly every column is counted by the engine.
  for (const std::size_t values : {std::size_t{20'000'000}, std::size_t{400}, std::size_t{60}, std::size_t{0}}) {
    FileTables tables({.threads = 2, .values_in_memory = values});
    auto table = tables.open(path, {}).value().source;
    for (const std::size_t max_values : {0U, 1U, 7U, 100U}) {
      const auto actual = table->summarise(all_columns(*table), max_values, progress);
      ASSERT_TRUE(actual) << actual.error().message;
      expect_same(*actual, memory.summarise(all_columns(memory), max_values, progress).value());
    }
  }
}

TEST(Summaries, CountEachValueOfAColumn) {
  auto opened = open_text("city,n,day,sure\nRome,1,2024-01-02,yes\nOslo, 2,2024-01-03,no\n Rome,?,?,yes\n");
  Progress progress;
  const auto summaries = opened.table->summarise(all_columns(*opened.table), 10, progress).value();
  EXPECT_EQ(summaries[0].type, ColumnType::text);
  EXPECT_THAT(summaries[0].dictionary->values, ElementsAre("Oslo", "Rome"));
  EXPECT_THAT(summaries[0].counts, ElementsAre(1, 2));
  EXPECT_EQ(summaries[1].type, ColumnType::integer);
  EXPECT_EQ(summaries[1].missing, 1U);
  EXPECT_EQ(summaries[1].distinct, 2U);
  EXPECT_EQ(summaries[2].type, ColumnType::date);
  EXPECT_EQ(summaries[3].type, ColumnType::boolean);
}

TEST(Summaries, OfSomeColumnsComeInTheOrderAskedFor) {
  auto opened = open_text("a,b,c\n1,x,true\n2,y,false\n");
  Progress progress;
  const std::vector<std::size_t> columns = {2, 0, 2};
  const auto summaries = opened.table->summarise(columns, 10, progress).value();
  ASSERT_EQ(summaries.size(), 3U);
  EXPECT_EQ(summaries[0].type, ColumnType::boolean);
  EXPECT_EQ(summaries[1].type, ColumnType::integer);
  EXPECT_EQ(summaries[2].type, ColumnType::boolean);
  EXPECT_TRUE(opened.table->summarise({}, 10, progress).value().empty());
  const std::vector<std::size_t> absent = {3};
  EXPECT_EQ(opened.table->summarise(absent, 10, progress).error().code, ErrorCode::unknown_column);
}

TEST(Summaries, OfATableWithoutRows) {
  auto opened = open_text("a,b\n");
  Progress progress;
  const auto summaries = opened.table->summarise(all_columns(*opened.table), 10, progress).value();
  ASSERT_EQ(summaries.size(), 2U);
  EXPECT_EQ(summaries[0].distinct, 0U);
  EXPECT_TRUE(summaries[0].dictionary->values.empty());
}

TEST(Summaries, OfParquetSeeTexts) {
  const Folder folder;
  run_sql("COPY (SELECT range::DOUBLE AS d, DATE '2024-01-01' + (range % 3)::INTEGER AS day FROM range(1000)) TO " +
          sql_text(folder / "x.parquet") + " (FORMAT parquet)");
  auto opened = open(folder / "x.parquet");
  Progress progress;
  const auto summaries = opened.table->summarise(all_columns(*opened.table), 100, progress).value();
  EXPECT_EQ(summaries[0].type, ColumnType::integer) << "whole numbers have no .0";
  EXPECT_EQ(summaries[0].distinct, 1000U);
  EXPECT_FALSE(summaries[0].dictionary);
  EXPECT_THAT(summaries[1].dictionary->values, ElementsAre("2024-01-01", "2024-01-02", "2024-01-03"));
}

}  // namespace summaries_test
}  // namespace gauze::engines
