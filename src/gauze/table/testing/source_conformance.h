#pragma once
// What every Source does alike, whatever stores its rows. A test of a source includes this and instantiates it:
//   INSTANTIATE_TEST_SUITE_P(Name, SourceConformance, ::testing::Values(SourceMaker{...}), maker_name);
// One source file a test program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "gauze/table/testing/memory_table.h"

namespace gauze::table {

/// A table for a source to hold: texts as they must be read, and the types that they are to be stored as.
struct ConformanceTable {
  std::vector<std::string> names;
  std::vector<StoredType> types;
  MemoryTable::Rows rows;  ///< the empty text is NULL, or nothing
  std::vector<std::string> null_tokens;

  [[nodiscard]] MemoryTable in_memory() const { return {names, rows, null_tokens, 2048, types}; }
};

/// A kind of source: how a table gets into it. Nothing, when it cannot hold such a table.
struct SourceMaker {
  std::string name;
  std::function<std::unique_ptr<Source>(const ConformanceTable&)> make;

  friend void PrintTo(const SourceMaker& maker, std::ostream* out) { *out << maker.name; }
};

inline std::string maker_name(const ::testing::TestParamInfo<SourceMaker>& info) { return info.param.name; }

/// A column of every type with the texts that docs/formats/tables.md says it reads as, then rows with nothing.
inline ConformanceTable every_type() {
  ConformanceTable table;
  table.names = {"integer", "wide", "decimal", "real", "boolean", "date", "timestamp", "time", "text"};
  table.types = {StoredType::integer,   StoredType::wide_integer, StoredType::decimal,
                 StoredType::real,      StoredType::boolean,      StoredType::date,
                 StoredType::timestamp, StoredType::time,         StoredType::text};
  table.rows = {
      {"0", "0", "0.00", "0", "true", "2024-01-02", "2024-01-02 03:04:05", "03:04:05", "x"},
      {"-7", "18446744073709551616", "-1.50", "0.1", "false", "1970-01-01", "1969-12-31 23:59:59", "00:00:00", "007"},
      {"9223372036854775807", "-18446744073709551616", "1234567.89", "-2.5", "true", "9999-12-31",
       "2024-02-29 00:00:00.5", "23:59:59.999999", "1.50"},
      {"-9223372036854775808", "12", "0.05", "1e+16", "false", "0001-01-01", "2024-01-02 03:04:05.123456",
       "12:00:00.25", "two words"},
      {"42", "-1", "-0.01", "1e-05", "true", "2000-02-29", "2000-01-01 00:00:00", "01:02:03", "年, \"é\"\nand more"},
      {"42", "-1", "12.00", "1000000000000000", "true", "2000-02-29", "2000-01-01 00:00:00", "01:02:03", "null"},
      {"1", "1", "1.00", "0.0001", "true", "2000-02-29", "2000-01-01 00:00:00", "01:02:03", "="},
      {"1", "1", "1.00", "39", "true", "2000-02-29", "2000-01-01 00:00:00", "01:02:03", "0"},
      {"", "", "", "", "", "", "", "", ""},
  };
  return table;
}

/// Texts that repeat, with blanks around some and every way to write "missing".
inline ConformanceTable towns() {
  ConformanceTable table;
  table.names = {"town", "rank", "sure"};
  table.types = {StoredType::text, StoredType::text, StoredType::text};
  table.rows = {{"Rome", "1", "yes"}, {"Oslo", "2", "NA"}, {" Rome ", "2", "?"},    {"?", "2", "yes"},
                {"", "1", "no"},      {"Kiel", "1", "no"}, {"NULL", "\t1", "NULL"}, {"Rome", "2", "null"},
                {"Oslo", "2", ""},    {"NA", "3", "yes"}};
  table.null_tokens = {"NA"};
  return table;
}

/// Rows with their number, more than one batch of them.
inline ConformanceTable numbered_rows() {
  ConformanceTable table;
  table.names = {"n", "parity"};
  table.types = {StoredType::integer, StoredType::text};
  for (int i = 0; i < 10'000; ++i) table.rows.push_back({std::to_string(i), i % 2 == 0 ? "even" : "odd"});
  return table;
}

class SourceConformance : public ::testing::TestWithParam<SourceMaker> {
 protected:
  [[nodiscard]] static std::unique_ptr<Source> make(const ConformanceTable& table) { return GetParam().make(table); }

  [[nodiscard]] static std::vector<std::size_t> all(const Source& source) {
    std::vector<std::size_t> columns(source.columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
  }

  /// The texts that a scan returns.
  static MemoryTable::Rows scanned(Source& source, std::span<const std::size_t> columns, Cells cells) {
    Progress progress;
    MemoryTable::Rows rows;
    const auto stream = source.scan(columns, cells, progress);
    EXPECT_TRUE(stream) << (stream ? "" : stream.error().message);
    while (stream) {
      const auto batch = (*stream)->next();
      EXPECT_TRUE(batch) << (batch ? "" : batch.error().message);
      if (!batch || !*batch) break;
      EXPECT_GT((*batch)->rows, 0U);
      EXPECT_EQ((*batch)->columns.size(), columns.size());
      for (std::size_t row = 0; row < (*batch)->rows; ++row) {
        auto& texts = rows.emplace_back(columns.size());
        for (std::size_t i = 0; i < columns.size(); ++i)
          append_value(texts[i], (*batch)->columns[i], (*stream)->columns()[i].type, row);
      }
    }
    return rows;
  }

  static void expect_same(const Result<TupleCounts>& actual, const Result<TupleCounts>& expected) {
    ASSERT_TRUE(actual) << actual.error().message;
    ASSERT_TRUE(expected);
    EXPECT_EQ(actual->counts, expected->counts);
    EXPECT_EQ(actual->codes, expected->codes);
    ASSERT_EQ(actual->dictionaries.size(), expected->dictionaries.size());
    for (std::size_t i = 0; i < actual->dictionaries.size(); ++i) {
      EXPECT_EQ(actual->dictionaries[i].values, expected->dictionaries[i].values);
      EXPECT_EQ(actual->dictionaries[i].missing, expected->dictionaries[i].missing);
    }
  }

  /// Groups as the table in memory does.
  static void expect_groups(const ConformanceTable& table, const Grouping& grouping) {
    const auto source = make(table);
    MemoryTable memory = table.in_memory();
    Progress progress;
    expect_same(source->group(grouping, progress), memory.group(grouping, progress));
  }
};

TEST_P(SourceConformance, KnowsItsColumnsAndRows) {
  const ConformanceTable table = every_type();
  const auto source = make(table);
  EXPECT_EQ(source->columns(), table.names);
  ASSERT_EQ(source->schema().size(), table.names.size());
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    EXPECT_EQ(source->schema()[i].name, table.names[i]);
    EXPECT_THAT(source->schema()[i].type, ::testing::AnyOf(StoredType::text, table.types[i])) << table.names[i];
    EXPECT_EQ(source->column(table.names[i]).value(), i);
  }
  EXPECT_EQ(source->column("nothing of the kind").error().code, ErrorCode::unknown_column);
  EXPECT_EQ(source->row_count().value(), table.rows.size());
}

TEST_P(SourceConformance, ReadsEveryTypeAsTheRuleSays) {
  const ConformanceTable table = every_type();
  const auto source = make(table);
  EXPECT_EQ(scanned(*source, all(*source), Cells::text), table.rows);
}

TEST_P(SourceConformance, ReturnsStoredCellsThatReadAsTheSameText) {
  const ConformanceTable table = every_type();
  const auto source = make(table);
  Progress progress;
  const auto stream = source->scan(all(*source), Cells::stored, progress).value();
  for (std::size_t i = 0; i < table.names.size(); ++i)
    EXPECT_EQ(stream->columns()[i].type, value_type(source->schema()[i].type)) << table.names[i];
  EXPECT_EQ(scanned(*source, all(*source), Cells::stored), table.rows);
}

TEST_P(SourceConformance, ShowsGroupsTheSameTexts) {
  const ConformanceTable table = every_type();
  for (std::size_t column = 0; column < table.names.size(); ++column)
    expect_groups(table, {.keys = {{column, {}}}, .filters = {}});
}

TEST_P(SourceConformance, ScansColumnsAsAskedInTheOrderOfRows) {
  const ConformanceTable table = numbered_rows();
  const auto source = make(table);
  const std::vector<std::size_t> columns = {1, 0, 1};
  for (const Cells cells : {Cells::text, Cells::stored}) {
    const auto rows = scanned(*source, columns, cells);
    ASSERT_EQ(rows.size(), table.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      ASSERT_EQ(rows[i], (std::vector<std::string>{table.rows[i][1], table.rows[i][0], table.rows[i][1]}));
  }
  EXPECT_EQ(scanned(*source, {}, Cells::text).size(), table.rows.size()) << "rows without columns";
}

TEST_P(SourceConformance, TrimsBlanksAndKeepsTokens) {
  const auto source = make(towns());
  const auto rows = scanned(*source, all(*source), Cells::text);
  ASSERT_EQ(rows.size(), towns().rows.size());
  EXPECT_EQ(rows[2], (std::vector<std::string>{"Rome", "2", "?"}));
  EXPECT_EQ(rows[6], (std::vector<std::string>{"NULL", "1", "NULL"}));
  EXPECT_TRUE(source->missing().contains("NA"));
  EXPECT_FALSE(source->missing().contains("null"));
}

TEST_P(SourceConformance, GroupsWithAllWaysToWriteMissingAsOne) {
  expect_groups(towns(), {.keys = {{0, {}}}, .filters = {}});
  expect_groups(towns(), {.keys = {{2, {}}, {0, {}}, {1, {}}}, .filters = {}});
  expect_groups(towns(), {.keys = {{1, {}}, {1, {}}}, .filters = {}});
  expect_groups(towns(), {.keys = {}, .filters = {}});
}

TEST_P(SourceConformance, GroupsByRecodedKeys) {
  const KeyRecoding south{.texts = {{"Rome", "south"}, {"2", "two"}}, .otherwise = "north"};
  const KeyRecoding renamed{.texts = {{"Oslo", "Rome"}, {"Kiel", "?"}}};
  expect_groups(towns(), {.keys = {{0, south}, {1, {}}}, .filters = {}});
  expect_groups(towns(), {.keys = {{0, renamed}}, .filters = {}});
  expect_groups(towns(), {.keys = {{0, renamed}, {0, {}}, {1, south}}, .filters = {}});
}

TEST_P(SourceConformance, GroupsByTheLettersWhereAsked) {
  expect_groups(towns(), {.keys = {{.column = 0, .recoding = {}, .as_written = true}}, .filters = {}});
  expect_groups(towns(), {.keys = {{.column = 1, .recoding = {}, .as_written = true}, {2, {}}}, .filters = {}});
  expect_groups(every_type(), {.keys = {{.column = 8, .recoding = {}, .as_written = true}}, .filters = {}});
}

TEST_P(SourceConformance, GroupsTheRowsThatPassTheFilters) {
  expect_groups(towns(), {.keys = {{0, {}}}, .filters = {{1, {"2", "3"}}}});
  expect_groups(towns(), {.keys = {{1, {}}}, .filters = {{0, {"Rome", "it's"}}, {1, {"2"}}}});
  expect_groups(towns(), {.keys = {}, .filters = {{0, {"Rome"}}}});
  expect_groups(towns(), {.keys = {}, .filters = {{0, {"Paris"}}}});
  expect_groups(towns(), {.keys = {{1, {}}}, .filters = {{0, {"?", "", "NA"}}}});
  expect_groups(towns(), {.keys = {{1, {}}}, .filters = {{0, {}}}});
  expect_groups(every_type(), {.keys = {{8, {}}}, .filters = {{3, {"0.1", "1e+16"}}}});
}

TEST_P(SourceConformance, SummarisesColumns) {
  for (const ConformanceTable& table : {towns(), every_type()}) {
    const auto source = make(table);
    MemoryTable memory = table.in_memory();
    Progress progress;
    for (const std::size_t most : {std::size_t{0}, std::size_t{3}, std::size_t{100}}) {
      const auto actual = source->summarise(all(*source), most, progress).value();
      const auto expected = memory.summarise(all(memory), most, progress).value();
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_EQ(actual[i].type, expected[i].type) << table.names[i];
        EXPECT_EQ(actual[i].distinct, expected[i].distinct) << table.names[i];
        EXPECT_EQ(actual[i].missing, expected[i].missing) << table.names[i];
        EXPECT_EQ(actual[i].counts, expected[i].counts) << table.names[i];
        ASSERT_EQ(actual[i].dictionary.has_value(), expected[i].dictionary.has_value()) << table.names[i];
        if (!actual[i].dictionary) continue;
        EXPECT_EQ(actual[i].dictionary->values, expected[i].dictionary->values) << table.names[i];
      }
    }
  }
}

TEST_P(SourceConformance, MayHaveNoRows) {
  ConformanceTable table = towns();
  table.rows.clear();
  const auto source = make(table);
  if (!source) GTEST_SKIP() << "such a source has rows";
  Progress progress;
  EXPECT_EQ(source->row_count().value(), 0U);
  EXPECT_EQ(scanned(*source, all(*source), Cells::text).size(), 0U);
  EXPECT_EQ(source->group(all(*source), progress).value().size(), 0U);
  EXPECT_EQ(source->summarise(all(*source), 10, progress).value()[0].distinct, 0U);
}

TEST_P(SourceConformance, RefusesColumnsThatAreNotThere) {
  const auto source = make(towns());
  const std::vector<std::size_t> absent = {0, 3};
  Progress progress;
  EXPECT_EQ(source->group(absent, progress).error().code, ErrorCode::unknown_column);
  EXPECT_EQ(source->group({.keys = {{0, {}}}, .filters = {{3, {"x"}}}}, progress).error().code,
            ErrorCode::unknown_column);
  EXPECT_EQ(source->scan(absent, Cells::text, progress).error().code, ErrorCode::unknown_column);
  EXPECT_EQ(source->summarise(absent, 10, progress).error().code, ErrorCode::unknown_column);
}

TEST_P(SourceConformance, StopsWhenAskedAndGoesOnAfterwards) {
  const auto source = make(numbered_rows());
  Progress stopped;
  stopped.request_stop();
  EXPECT_EQ(source->group(all(*source), stopped).error().code, ErrorCode::interrupted);
  EXPECT_EQ(source->summarise(all(*source), 10, stopped).error().code, ErrorCode::interrupted);
  const auto stream = source->scan(all(*source), Cells::text, stopped);
  EXPECT_EQ(stream ? (*stream)->next().error().code : stream.error().code, ErrorCode::interrupted);
  Progress progress;
  EXPECT_EQ(source->group(all(*source), progress).value().size(), 10'000U);
}

TEST_P(SourceConformance, CanBeAskedAgainAfterAStreamThatWasNotReadToItsEnd) {
  const auto source = make(numbered_rows());
  Progress progress;
  {
    const auto stream = source->scan(all(*source), Cells::text, progress).value();
    ASSERT_TRUE(stream->next().value());
  }
  EXPECT_EQ(scanned(*source, all(*source), Cells::text).size(), 10'000U);
  const std::vector<std::size_t> parity = {1};
  EXPECT_THAT(source->group(parity, progress).value().counts, ::testing::ElementsAre(5000, 5000));
}

}  // namespace gauze::table
