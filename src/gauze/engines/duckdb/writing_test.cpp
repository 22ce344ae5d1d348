#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <random>
#include <set>
#include <thread>

#include "gauze/base/testing/watched.h"
#include "gauze/engines/testing/engine_testing.h"

namespace gauze::engines {
namespace writing_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A table of many rows, numbered.
std::string numbered(std::size_t rows) {
  std::string text = "n,class,note\n";
  for (std::size_t i = 0; i < rows; ++i) {
    text += std::to_string(i);
    text += i % 3 == 0 ? ",A,\"x, y\"\n" : ", B ,?\n";
  }
  return text;
}

/// Marks class A, drops every tenth row.
table::Rewrite marking() {
  table::Rewrite rewrite;
  rewrite.inputs = {1, 0};
  rewrite.outputs = {1};
  rewrite.rewrite = [](const table::RowBatch& batch, table::RewrittenBatch& result) {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (batch.cells[0][row].text == "A") {
        result.storage.push_back("A" + std::string(batch.cells[1][row].text));
        result.cells[0][row] = result.storage.back();
      }
      result.keep[row] = batch.cells[1][row].text.back() != '0';
    }
  };
  return rewrite;
}

std::string expected_marking(std::size_t rows) {
  std::string text = "n,class,note\n";
  for (std::size_t i = 0; i < rows; ++i) {
    if (i % 10 == 0) continue;
    const std::string n = std::to_string(i);
    text += i % 3 == 0 ? fmt::format("{},A{},\"x, y\"\n", n, n) : fmt::format("{},B,?\n", n);
  }
  return text;
}

TEST(Writing, KeepsTheOrderOfManyRows) {
  const std::size_t rows = is_watched() ? 130'000 : 300'000;  // more than a row group of Parquet
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", numbered(rows)), {}).value().source;
  Progress progress;
  ASSERT_TRUE(write(*table, marking(), {.path = folder / "out.csv"}, progress));
  EXPECT_TRUE(read_all(folder / "out.csv") == expected_marking(rows));
  ASSERT_TRUE(write(*table, marking(), {.path = folder / "out.parquet"}, progress));
  auto again = shared_tables().open(folder / "out.parquet", {}).value().source;
  ASSERT_TRUE(write(*again, {}, {.path = folder / "again.csv"}, progress));
  EXPECT_TRUE(read_all(folder / "again.csv") == expected_marking(rows));
}

// 20,000 rows in a random order: the correlation of place and number is beyond 0.04 in 1e-8 of correct runs; an order that
// is kept within the engine's batches of 2,048 rows has one of about 0.995.
TEST(Writing, ShufflesRowsWhenAsked) {
  const Folder folder;
  std::string text = "id,more\n";
  constexpr int kRows = 20'000;
  for (int i = 0; i < kRows; ++i) text += fmt::format("{},\"a\n{}\"\n", i, i % 10);
  const std::string source = folder.write("x.csv", text);
  for (const char* name : {"out.csv", "out.parquet"}) {
    const auto table = shared_tables().open(source, {}).value().source;
    std::mt19937_64 random(3);
    table::Rewrite rewrite;
    rewrite.shuffle = [&](std::uint64_t n) { return random() % n; };
    Progress progress;
    ASSERT_TRUE(write(*table, rewrite, {.path = folder / name}, progress));
    const auto opened = open(folder / name);
    ASSERT_EQ(opened.rows.size(), static_cast<std::size_t>(kRows));
    std::set<std::string> seen;
    double sum = 0;
    for (std::size_t place = 0; place < opened.rows.size(); ++place) {
      const int number = std::stoi(opened.rows[place][0]);
      EXPECT_EQ(opened.rows[place][1], fmt::format("a\n{}", number % 10)) << "rows stay whole";
      seen.insert(opened.rows[place][0]);
      sum += (static_cast<double>(place) - kRows / 2.0) * (number - kRows / 2.0);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kRows));
    EXPECT_LT(std::abs(sum * 12 / std::pow(kRows, 3)), 0.04) << name;
  }
}

TEST(Writing, CallsTheRewriteOnceARowInOrderWhenAsked) {
  const auto all = watched_less<std::size_t>(200'000);
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", numbered(all)), {}).value().source;
  for (const char* name : {"out.csv", "out.parquet"}) {
    std::size_t next = 0;
    bool in_order = true;
    table::Rewrite rewrite;
    rewrite.inputs = {0};
    rewrite.in_order = true;
    rewrite.rewrite = [&](const table::RowBatch& batch, table::RewrittenBatch& result) {
      for (std::size_t row = 0; row < batch.rows; ++row) {
        in_order = in_order && batch.cells[0][row].text == std::to_string(next++);
        result.keep[row] = next % 2 == 0;
      }
    };
    Progress progress;
    ASSERT_TRUE(write(*table, rewrite, {.path = folder / name}, progress));
    EXPECT_TRUE(in_order);
    EXPECT_EQ(next, all) << name << ": once a row";
  }
}

TEST(Writing, CallsTheRewriteOnceARowInParallel) {
  const auto all = watched_less<std::size_t>(200'000);
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", numbered(all)), {}).value().source;
  for (const char* name : {"out.csv", "out.parquet"}) {
    std::atomic<std::size_t> rows{0};
    auto rewrite = marking();
    rewrite.rewrite = [&, inner = rewrite.rewrite](const table::RowBatch& batch, table::RewrittenBatch& result) {
      rows += batch.rows;
      inner(batch, result);
    };
    Progress progress;
    ASSERT_TRUE(write(*table, rewrite, {.path = folder / name}, progress));
    EXPECT_EQ(rows, all) << name;
  }
}

TEST(Writing, WritesCsvAsTheTableInMemoryDoes) {
  const Rows rows = {{"a,b", "?", "x"}, {"q\"q", " z ", ""}, {"two\nlines", "NULL", "ü"}};
  table::MemoryTable memory({"one", "tw;o", "three"}, rows);
  std::string text = "one,tw;o,three\n";
  for (const auto& row : rows) table::append_csv_line(text, row, ',');
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", text), {}).value().source;
  table::Rewrite rewrite;
  rewrite.inputs = {2, 0};
  rewrite.outputs = {2};
  rewrite.dropped = {1};
  rewrite.rewrite = [](const table::RowBatch& batch, table::RewrittenBatch& result) {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (batch.cells[0][row].missing) result.cells[0][row] = batch.cells[1][row].text;
    }
  };
  Progress progress;
  for (const char* delimiter : {",", ";", "\t"}) {
    ASSERT_TRUE(write(*table, rewrite, {.path = folder / "out.csv", .format = {}, .form = {.delimiter = delimiter}},
                      progress));
    EXPECT_EQ(read_all(folder / "out.csv"), memory.rewritten(rewrite, *delimiter));
  }
}

TEST(Writing, CompressesByName) {
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", numbered(100'000)), {}).value().source;
  Progress progress;
  for (const char* name : {"out.csv.gz", "out.csv.zst"}) {
    ASSERT_TRUE(write(*table, marking(), {.path = folder / name}, progress));
    EXPECT_LT(std::filesystem::file_size(folder / name), 500'000U);
    auto again = shared_tables().open(folder / name, {}).value().source;
    EXPECT_EQ(again->columns(), table->columns());
    ASSERT_TRUE(write(*again, {}, {.path = folder / "again.csv"}, progress));
    EXPECT_TRUE(read_all(folder / "again.csv") == expected_marking(100'000));
  }
}

TEST(Writing, ReplacesWhatIsThereAndLeavesNothingElse) {
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", "a,b\n1,2\n"), {}).value().source;
  Progress progress;
  for (const char* name : {"out.csv", "out.parquet"}) {
    static_cast<void>(folder.write(name, "old"));
    ASSERT_TRUE(write(*table, {}, {.path = folder / name}, progress));
    EXPECT_NE(read_all(folder / name), "old");
  }
  EXPECT_THAT(folder.list(), ElementsAre("in.csv", "out.csv", "out.parquet"));
}

TEST(Writing, CanReplaceItsOwnInput) {
  const Folder folder;
  const auto path = folder.write("in.csv", "a,b\n1,2\n");
  auto table = shared_tables().open(path, {}).value().source;
  Progress progress;
  ASSERT_TRUE(write(*table, {.dropped = {0}}, {.path = path}, progress));
  EXPECT_EQ(read_all(path), "b\n2\n");
}

TEST(Writing, LeavesNothingWhenItFails) {
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", "a,b\n1,2\n"), {}).value().source;
  Progress progress;
  EXPECT_EQ(write(*table, {}, {.path = folder / "absent/out.csv"}, progress).error().code, ErrorCode::io);
  EXPECT_EQ(write(*table, {}, {.path = folder / "absent/out.parquet"}, progress).error().code, ErrorCode::io);
  EXPECT_EQ(write(*table, {.dropped = {0, 1}}, {.path = folder / "out.csv"}, progress).error().code,
            ErrorCode::invalid_parameter);
  EXPECT_EQ(write(*table, {}, {.path = folder / "out.csv", .format = {}, .form = {.delimiter = "::"}}, progress)
                .error()
                .code,
            ErrorCode::invalid_parameter);
  EXPECT_EQ(write(*table, {}, {.path = folder / "out.jsonl", .format = table::FileFormat::json_lines}, progress)
                .error()
                .code,
            ErrorCode::unsupported);
  EXPECT_THAT(folder.list(), ElementsAre("in.csv"));
}

TEST(Writing, StopsWhenAskedAndLeavesNothing) {
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", numbered(500'000)), {}).value().source;
  for (const char* name : {"out.csv", "out.parquet"}) {
    Progress progress;
    auto rewrite = marking();
    rewrite.rewrite = [&](const table::RowBatch&, table::RewrittenBatch&) { progress.request_stop(); };
    const auto written = write(*table, rewrite, {.path = folder / name}, progress);
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().code, ErrorCode::interrupted) << written.error().message;
  }
  EXPECT_THAT(folder.list(), ElementsAre("in.csv"));
  Progress progress;
  EXPECT_TRUE(write(*table, {}, {.path = folder / "out.parquet"}, progress)) << "the table can be used again";
}

TEST(Writing, ReportsProgressByRows) {
  const Folder folder;
  auto table = shared_tables().open(folder.write("in.csv", numbered(100'000)), {}).value().source;
  for (const char* name : {"out.csv", "out.parquet"}) {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};
    Progress progress([&](const Progress::Report& report) { done = report.done, total = report.total; });
    ASSERT_TRUE(write(*table, marking(), {.path = folder / name}, progress));
    EXPECT_EQ(done, 100'000U);
    EXPECT_EQ(total, 100'000U);
  }
}

TEST(Writing, AKilledWriterLeavesNoTarget) {
  const Folder folder;
  const auto input = folder.write("in.csv", numbered(300'000));
  const ::pid_t child = ::fork();
  if (child == 0) {
    FileTables tables({.threads = 1, .memory_limit = {}, .temporary = folder.path().string()});
    auto table = tables.open(input, {});
    table::Rewrite rewrite = marking();
    rewrite.in_order = true;
    rewrite.rewrite = [](const table::RowBatch&, table::RewrittenBatch&) { ::raise(SIGKILL); };
    Progress progress;
    static_cast<void>(write(*table->source, rewrite, {.path = folder / "out.csv"}, progress));
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.csv"));
}

/// Runs work with the standard output going to a file, or the standard input coming from one.
template <class Work>
int in_child(const std::string& path, int flags, int descriptor, const Work& work) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(path.c_str(), flags, 0600);
    ::dup2(file, descriptor);
    FileTables tables({.threads = 1});
    const bool good = work(tables);
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(Writing, WritesToTheStandardOutput) {
  const Folder folder;
  const auto input = folder.write("in.csv", "a,b\n1,2\n");
  for (const auto format : {table::FileFormat::csv, table::FileFormat::parquet}) {
    const auto work = [&](FileTables& tables) {
      auto table = tables.open(input, {});
      Progress progress;
      return table && write(*table->source, {}, {.path = "-", .format = format}, progress).has_value();
    };
    ASSERT_EQ(in_child(folder / "stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO, work), 0);
    EXPECT_THAT(open(folder / "stdout").rows, ElementsAre(ElementsAre("1", "2")));
  }
}

TEST(Reading, ReadsTheStandardInputAndPipes) {
  const Folder folder;
  const auto input = folder.write("in.csv", "a,b\n1,2\n");
  const auto work = [&](FileTables& tables) {
    auto table = tables.open("-", {});
    return table && table->source->row_count() == 1U && table->source->columns().front() == "a";
  };
  EXPECT_EQ(in_child(input, O_RDONLY, STDIN_FILENO, work), 0);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(folder / "pipe") << numbered(50'000); });
  auto table = shared_tables().open(folder / "pipe", {});
  writer.join();
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->source->row_count().value(), 50'000U);
}

TEST(Reading, SurvivesItsEngine) {
  const Folder folder;
  std::unique_ptr<table::Source> table;
  {
    FileTables tables({.threads = 2, .memory_limit = {}, .temporary = folder.path().string()});
    table = tables.open(folder.write("in.csv", numbered(10)), {}).value().source;
  }
  Progress progress;
  const std::vector<std::size_t> columns = {1};
  EXPECT_EQ(table->group(columns, progress).value().size(), 2U);
  table.reset();
  EXPECT_THAT(folder.list(), ElementsAre("in.csv")) << "temporary files are gone";
}

TEST(Reading, StopsWhenAsked) {
  auto opened = open_text("a,b\n1,2\n");
  Progress progress;
  progress.request_stop();
  EXPECT_EQ(opened.table->group(all_columns(*opened.table), progress).error().code, ErrorCode::interrupted);
  EXPECT_EQ(opened.table->summarise(all_columns(*opened.table), 10, progress).error().code, ErrorCode::interrupted);
}

TEST(Engine, SaysWhenTheLibraryIsNotThere) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    // A child that has not loaded it yet: the shared engine of this program may have.
    ::setenv("GAUZE_DUCKDB_LIBRARY", "/nonexistent/libduckdb.so", 1);
    ::execl("/proc/self/exe", "tests", "--gtest_filter=Engine.DISABLED_MakesNone", "--gtest_also_run_disabled_tests",
            static_cast<char*>(nullptr));
    ::_exit(2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Engine, DISABLED_MakesNone) {
  const auto engine = DuckDbEngine::make();
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::io);
  EXPECT_THAT(engine.error().message, HasSubstr("libduckdb.so"));
}

TEST(Engine, RefusesATemporaryFolderThatIsNotThere) {
  const auto engine = DuckDbEngine::make({.threads = 1, .memory_limit = {}, .temporary = "/nonexistent"});
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::io);
}

}  // namespace writing_test
}  // namespace gauze::engines
