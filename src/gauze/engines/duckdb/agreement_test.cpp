// DuckDB and the table in memory say the same about random tables.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gauze/engines/testing/engine_testing.h"

namespace gauze::engines {
namespace agreement_test {

const std::vector<std::string> kNulls = {"NA"};

rc::Gen<std::string> cells() {
  return rc::gen::oneOf(
      rc::gen::element<std::string>("a", "b", "c", "?", "", "NULL", "NA", " a", "b ", "\tc", "1", "01", "1.0", "年",
                                    "é", "x,y", "p;q", "say \"hi\"", "\"", "two\nlines", "car\rriage", "'", "|",
                                    "a\tb", "#"),
      rc::gen::container<std::string>(rc::gen::element('a', '"', ',', ';', '\n', '\r', ' ', '\t', '\'', 'Z')));
}

struct RandomTable {
  std::vector<std::string> names;
  Rows rows;
};

RandomTable random_table() {
  RandomTable table;
  const auto columns = *rc::gen::inRange<std::size_t>(1, 5);
  for (std::size_t i = 0; i < columns; ++i) table.names.push_back("name " + std::to_string(i));
  table.rows = *rc::gen::container<Rows>(rc::gen::container<std::vector<std::string>>(columns, cells()));
  return table;
}

TEST(Agreement, OnCsvInEveryDialect) {
  EXPECT_TRUE(rc::check("group, rows and output", [] {
    const RandomTable random = random_table();
    const char delimiter = *rc::gen::element(',', ';', '\t', '|');
    const bool crlf = *rc::gen::arbitrary<bool>();
    std::string text;
    const auto add = [&](const std::vector<std::string>& row) {
      table::append_csv_line(text, row, delimiter);
      if (crlf) text.insert(text.size() - 1, "\r");
    };
    add(random.names);
    for (const auto& row : random.rows) add(row);
    const Folder folder;
    table::ReadOptions options;
    options.delimiter = std::string(1, delimiter);
    options.quote = "\"";
    options.header = true;
    options.null_tokens = kNulls;
    auto opened = shared_tables().open(folder.write("x.csv", text), options);
    RC_ASSERT(opened.has_value());
    table::MemoryTable memory(random.names, random.rows, kNulls);
    auto& source = *opened->source;
    RC_ASSERT(source.columns() == memory.columns());
    Progress progress;
    expect_same(source.group(all_columns(memory), progress).value(),
                memory.group(all_columns(memory), progress).value());
    const table::Rewrite nothing;
    RC_ASSERT(write(source, nothing, {.path = folder / "out.csv"}, progress).has_value());
    RC_ASSERT(read_all(folder / "out.csv") == memory.rewritten(nothing));
  }));
}

TEST(Agreement, AfterParquet) {
  EXPECT_TRUE(rc::check("written as Parquet and read back", [] {
    const RandomTable random = random_table();
    std::string text;
    table::append_csv_line(text, random.names, ',');
    for (const auto& row : random.rows) table::append_csv_line(text, row, ',');
    const Folder folder;
    table::ReadOptions options;
    options.delimiter = ",";
    options.quote = "\"";
    options.header = true;
    options.null_tokens = kNulls;
    auto opened = shared_tables().open(folder.write("x.csv", text), options).value().source;
    Progress progress;
    const auto written = write(*opened, {}, {.path = folder / "x.parquet"}, progress);
    RC_ASSERT(written.has_value());
    auto again = shared_tables().open(folder / "x.parquet", options).value().source;
    table::MemoryTable memory(random.names, random.rows, kNulls);
    RC_ASSERT(again->columns() == memory.columns());
    expect_same(again->group(all_columns(memory), progress).value(),
                memory.group(all_columns(memory), progress).value());
  }));
}

TEST(Agreement, OnSummaries) {
  EXPECT_TRUE(rc::check("small and large limits", [] {
    const RandomTable random = random_table();
    std::string text;
    table::append_csv_line(text, random.names, ',');
    for (const auto& row : random.rows) table::append_csv_line(text, row, ',');
    const Folder folder;
    auto opened = shared_tables()
                      .open(folder.write("x.csv", text), {.delimiter = ",", .quote = "\"", .header = true})
                      .value()
                      .source;
    table::MemoryTable memory(random.names, random.rows);
    const auto limit = *rc::gen::inRange<std::size_t>(0, 6);
    Progress progress;
    const auto actual = opened->summarise(all_columns(memory), limit, progress).value();
    const auto expected = memory.summarise(all_columns(memory), limit, progress).value();
    RC_ASSERT(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      RC_ASSERT(actual[i].type == expected[i].type);
      RC_ASSERT(actual[i].distinct == expected[i].distinct);
      RC_ASSERT(actual[i].missing == expected[i].missing);
      RC_ASSERT(actual[i].counts == expected[i].counts);
      RC_ASSERT(actual[i].dictionary.has_value() == expected[i].dictionary.has_value());
      if (actual[i].dictionary) RC_ASSERT(actual[i].dictionary->values == expected[i].dictionary->values);
    }
  }));
}

TEST(Agreement, DoesNotDependOnTheNumberOfThreads) {
  std::string text = "a,b,c\r\n";
  for (unsigned i = 0; i < 400'000; ++i)
    text += fmt::format("{},{},{}\r\n", i % 1000, i * 7919 % 97, i % 2 == 0 ? "?" : " x");
  const Folder folder;
  const auto path = folder.write("x.csv", text);
  Progress progress;
  std::optional<table::TupleCounts> first;
  for (const int threads : {1, 2, 5}) {
    FileTables tables({.threads = threads, .memory_limit = {}, .temporary = {}});
    auto table = tables.open(path, {}).value().source;
    auto groups = table->group(all_columns(*table), progress).value();
    if (first) expect_same(groups, *first);
    if (!first) first = std::move(groups);
  }
}

TEST(Agreement, HoldsWhenMemoryIsShort) {
  std::string text = "a,b\n";
  for (int i = 0; i < 2'000'000; ++i) text += fmt::format("value number {},{}\n", i, i % 7);
  const Folder folder;
  FileTables tables({.threads = 2, .memory_limit = std::uint64_t{350} << 20, .temporary = folder.path().string()});
  auto table = tables.open(folder.write("x.csv", text), {}).value().source;
  Progress progress;
  const auto groups = table->group(all_columns(*table), progress);
  ASSERT_TRUE(groups) << groups.error().message;
  EXPECT_EQ(groups->size(), 2'000'000U);
}

TEST(Summaries, WorkForThousandsOfColumns) {
  std::string text;
  for (int column = 0; column < 5000; ++column) text += fmt::format("{}c{}", column == 0 ? "" : ",", column);
  text += "\n";
  for (int row = 0; row < 100; ++row) {
    for (int column = 0; column < 5000; ++column)
      text += fmt::format("{}{}", column == 0 ? "" : ",", row % (column % 50 + 1));
    text += "\n";
  }
  const Folder folder;
  auto table = shared_tables().open(folder.write("x.csv", text), {}).value().source;
  Progress progress;
  const auto summaries = table->summarise(all_columns(*table), 40, progress).value();
  ASSERT_EQ(summaries.size(), 5000U);
  EXPECT_EQ(summaries[0].distinct, 1U);
  EXPECT_EQ(summaries[4939].distinct, 40U);
  EXPECT_TRUE(summaries[4939].dictionary);
  EXPECT_EQ(summaries[4999].distinct, 50U);
  EXPECT_FALSE(summaries[4999].dictionary);
  EXPECT_EQ(summaries[4999].type, table::ColumnType::integer);
}

}  // namespace agreement_test
}  // namespace gauze::engines
