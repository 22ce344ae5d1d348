#include "gauze/engines/open_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "gauze/engines/testing/engine_testing.h"

namespace gauze::engines {
namespace open_source_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

TEST(OpenSource, ReadsFilesAndSaysHowTheyAreWritten) {
  const Folder folder;
  auto opened = open_source(folder.write("x.csv", "a;b\n1;2\n"), {}).value();
  EXPECT_EQ(opened.format, table::FileFormat::csv);
  EXPECT_EQ(opened.form.delimiter, ";");
  EXPECT_THAT(rows_of(*opened.source), ElementsAre(ElementsAre("1", "2")));
}

TEST(OpenSource, RefusesSchemesOfServers) {
  for (const char* uri : {"postgresql://host/db?table=t", "clickhouse://host/db?table=t", "https://host/x.csv"}) {
    const auto opened = open_source(uri, {});
    ASSERT_FALSE(opened) << uri;
    EXPECT_EQ(opened.error().code, ErrorCode::unsupported);
    EXPECT_THAT(opened.error().message, HasSubstr("reads files"));
    EXPECT_EQ(open_declared_source(uri, {{.name = "a"}}, {}).error().code, ErrorCode::unsupported);
  }
  EXPECT_THAT(open_source("postgresql://ann:secret@host/db", {}).error().message, Not(HasSubstr("secret")));
}

TEST(OpenSource, TakesOtherNamesForFiles) {
  EXPECT_EQ(open_source("://x", {}).error().code, ErrorCode::io);
  EXPECT_EQ(open_source("no such: //file", {}).error().code, ErrorCode::io);
  const Folder folder;
  std::filesystem::create_directories(folder / "odd:");
  const auto path = folder.write("odd:/x.csv", "a,b\n1,2\n");
  EXPECT_TRUE(open_source(path, {}));
}

table::MadeRows numbered(std::size_t count, std::size_t& made) {
  return {{"n", "odd \"name\""}, [count, &made](std::vector<std::string_view>& cells) {
            static thread_local std::string text;
            if (made == count) return false;
            text = std::to_string(made++);
            cells[0] = text;
            cells[1] = made % 2 == 0 ? " x,\"y\" " : "";
            return true;
          }};
}

TEST(TableWriter, WritesMadeRowsInEveryFormat) {
  constexpr std::size_t kRows = 50'000;
  const Folder folder;
  const auto writer = make_table_writer();
  for (const char* name : {"out.csv", "out.csv.gz", "out.csv.zst", "out.parquet"}) {
    std::size_t made = 0;
    auto rows = numbered(kRows, made);
    Progress progress;
    const auto written =
        writer->write(rows, {.path = folder / name, .format = {}, .form = {.delimiter = ";"}}, progress);
    ASSERT_TRUE(written) << written.error().message;
    const auto opened = open(folder / name);
    EXPECT_THAT(opened.names, ElementsAre("n", "odd \"name\"")) << name;
    ASSERT_EQ(opened.rows.size(), kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      ASSERT_EQ(opened.rows[i][0], std::to_string(i)) << name;
      ASSERT_EQ(opened.rows[i][1], i % 2 == 0 ? "<missing>" : "x,\"y\"");
    }
  }
  EXPECT_THAT(read_all(folder / "out.csv"),
              ::testing::StartsWith("n;\"odd \"\"name\"\"\"\n0;\n1;\" x,\"\"y\"\" \"\n"));
}

TEST(TableWriter, KeepsTheTypesOfAStream) {
  const Folder folder;
  const auto session = open_session().value();
  const std::string select =
      "SELECT -5 AS i, 18446744073709551616::HUGEINT AS h, 0.25::DOUBLE AS d, NULL::BIGINT AS z, 'x' AS s";
  const auto writer = make_table_writer();
  Progress progress;
  for (const char* name : {"out.parquet", "out.csv"}) {
    const auto rows = session->run(select, "test").value();
    ASSERT_TRUE(writer->write(*rows, {.path = folder / name}, progress));
    EXPECT_THAT(open(folder / name).rows,
                ElementsAre(ElementsAre("-5", "18446744073709551616", "0.25", "<missing>", "x")));
  }
  const auto opened = open(folder / "out.parquet");
  EXPECT_EQ(opened.table->schema()[0].type, table::StoredType::integer);
  EXPECT_EQ(opened.table->schema()[2].type, table::StoredType::real);
  EXPECT_EQ(opened.table->schema()[4].type, table::StoredType::text);
}

TEST(TableWriter, LeavesNothingWhenAStreamFails) {
  const Folder folder;
  for (const char* name : {"out.csv", "out.parquet"}) {
    std::size_t made = 0;
    table::MadeRows rows({"a"}, [&](std::vector<std::string_view>& cells) -> Result<bool> {
      if (++made == 5000) return make_error(ErrorCode::bad_data, "line 5000 is odd");
      cells[0] = "x";
      return true;
    });
    Progress progress;
    const auto written = make_table_writer()->write(rows, {.path = folder / name}, progress);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::bad_data);
    EXPECT_EQ(written.error().message, "line 5000 is odd");
  }
  EXPECT_THAT(folder.list(), ElementsAre());
}

TEST(TableWriter, WritesSourcesOfAnyKind) {
  table::MemoryTable memory({"a", "b"}, {{"1", "x"}, {"2", "y"}, {"3", "z"}});
  table::Rewrite rewrite;
  rewrite.inputs = {0};
  rewrite.outputs = {1};
  rewrite.rewrite = [](const table::RowBatch& batch, table::RewrittenBatch& result) {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      result.keep[row] = batch.cells[0][row].text == "2" ? 0 : 1;
      if (batch.cells[0][row].text == "1") result.cells[0][row] = "new";
    }
  };
  std::mt19937_64 random(3);
  const Folder folder;
  Progress progress;
  for (const bool shuffled : {false, true}) {
    if (shuffled) rewrite.shuffle = [&](std::uint64_t n) { return random() % n; };
    for (const char* name : {"out.csv", "out.parquet"}) {
      ASSERT_TRUE(write(memory, rewrite, {.path = folder / name}, progress));
      EXPECT_THAT(open(folder / name).rows, UnorderedElementsAre(ElementsAre("1", "new"), ElementsAre("3", "z")));
    }
  }
}

// 20,000 rows in a random order: the correlation of place and number is beyond 0.04 in 1e-8 of correct runs.
TEST(TableWriter, ShufflesSourcesOfAnyKind) {
  constexpr int kRows = 20'000;
  table::MemoryTable::Rows rows;
  for (int i = 0; i < kRows; ++i) rows.push_back({std::to_string(i)});
  table::MemoryTable memory({"n"}, rows);
  std::mt19937_64 random(5);
  table::Rewrite rewrite;
  rewrite.shuffle = [&](std::uint64_t n) { return random() % n; };
  const Folder folder;
  Progress progress;
  ASSERT_TRUE(write(memory, rewrite, {.path = folder / "out.parquet"}, progress));
  const auto opened = open(folder / "out.parquet");
  ASSERT_EQ(opened.rows.size(), static_cast<std::size_t>(kRows));
  double sum = 0;
  for (std::size_t place = 0; place < opened.rows.size(); ++place)
    sum += (static_cast<double>(place) - kRows / 2.0) * (std::stoi(opened.rows[place][0]) - kRows / 2.0);
  EXPECT_LT(std::abs(sum * 12 / std::pow(kRows, 3)), 0.04);
}

}  // namespace open_source_test
}  // namespace gauze::engines
