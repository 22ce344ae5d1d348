#include "gauze/table/rewritten_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gauze/table/testing/memory_table.h"

namespace gauze::table {
namespace rewritten_rows_test {

using ::testing::ElementsAre;

std::string csv_of(MemoryTable& table, const Rewrite& rewrite) {
  Progress progress;
  auto rows = RewrittenRows::open(table, rewrite, progress).value();
  std::string text;
  std::vector<std::string> cells;
  for (const auto& column : rows->columns()) cells.push_back(column.name);
  append_csv_line(text, cells, ',');
  for (auto batch = rows->next().value(); batch; batch = rows->next().value()) {
    EXPECT_GT(batch->rows, 0U);
    for (std::size_t row = 0; row < batch->rows; ++row) {
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = std::string(batch->columns[i].texts[row]);
      append_csv_line(text, cells, ',');
    }
  }
  return text;
}

TEST(RewrittenRows, AreThoseThatTheTableInMemoryWrites) {
  EXPECT_TRUE(rc::check("columns, rows and batches of any number", [] {
    const auto width = *rc::gen::inRange<std::size_t>(1, 4);
    const auto rows = *rc::gen::container<MemoryTable::Rows>(
        rc::gen::container<std::vector<std::string>>(width, rc::gen::element<std::string>("a", "b", "?", "", "c,d")));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < width; ++i) names.push_back("n" + std::to_string(i));
    MemoryTable table(names, rows, {}, *rc::gen::inRange<std::size_t>(1, 5));
    Rewrite rewrite;
    rewrite.inputs = {width - 1, 0};
    rewrite.outputs = {0};
    if (width > 2) rewrite.dropped = {1};
    rewrite.in_order = *rc::gen::arbitrary<bool>();
    rewrite.rewrite = [](const RowBatch& batch, RewrittenBatch& result) {
      for (std::size_t row = 0; row < batch.rows; ++row) {
        const auto& cell = batch.cells[0][row];
        if (cell.missing) continue;
        result.keep[row] = cell.text == "b" ? 0 : 1;
        if (cell.text == "a") continue;
        result.storage.push_back("was " + std::string(batch.cells[1][row].text));
        result.cells[0][row] = result.storage.back();
      }
    };
    RC_ASSERT(csv_of(table, rewrite) == table.rewritten(rewrite));
  }));
}

TEST(RewrittenRows, RefuseColumnsThatAreNotThere) {
  MemoryTable table({"a"}, {{"1"}});
  Progress progress;
  Rewrite rewrite;
  rewrite.dropped = {1};
  EXPECT_EQ(RewrittenRows::open(table, rewrite, progress).error().code, ErrorCode::unknown_column);
}

TEST(RewrittenRows, StopWhenAsked) {
  MemoryTable table({"a"}, {{"1"}, {"2"}}, {}, 1);
  Progress progress;
  Rewrite rewrite;
  rewrite.rewrite = [&](const RowBatch&, RewrittenBatch&) { progress.request_stop(); };
  auto rows = RewrittenRows::open(table, rewrite, progress).value();
  EXPECT_EQ(rows->next().error().code, ErrorCode::interrupted);
}

TEST(Rewrite, KeepsAllAtFirst) {
  Rewrite rewrite;
  rewrite.outputs = {0};
  auto result = rewrite.unchanged(2);
  rewrite.run({.rows = 2, .cells = {}}, result);
  EXPECT_THAT(result.keep, ElementsAre(1, 1));
  EXPECT_FALSE(result.cells[0][0]);
}

TEST(Rewrite, KnowsWhichColumnsAreWritten) {
  Rewrite rewrite;
  rewrite.dropped = {1, 3, 1};
  EXPECT_THAT(rewrite.written(5), ElementsAre(0, 2, 4));
  EXPECT_THAT(Rewrite{}.written(2), ElementsAre(0, 1));
}

}  // namespace rewritten_rows_test
}  // namespace gauze::table
