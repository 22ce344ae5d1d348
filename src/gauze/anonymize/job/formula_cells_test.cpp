#include "gauze/anonymize/job/formula_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/files/atomic_file.h"
#include "gauze/files/scratch_folder.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace formula_cells_test {

const std::vector<std::size_t> kAll = {0, 1, 2, 3};

using table::MemoryTable;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

MemoryTable people() {
  return MemoryTable({"name", "age", "note", "debt"},
                     {{"Ada", "34", "=1+1", "-5"}, {"@Ben", "36", "fine", "+3.2"}, {"Cleo", "31", "-A1", "-1e3"}}, {},
                     2);
}

TEST(FormulaCells, AreFoundInTheColumnsThatHaveThem) {
  MemoryTable table = people();
  Progress progress;
  EXPECT_THAT(formula_columns(table, progress).value(), ElementsAre(0, 2));
  MemoryTable plain({"a"}, {{"1"}, {"-2"}, {"x"}});
  EXPECT_THAT(formula_columns(plain, progress).value(), IsEmpty());
}

TEST(FormulaCells, AreToldAndLeftAloneUnlessTextIsWanted) {
  MemoryTable table = people();
  FormulaCells cells(table);
  EXPECT_EQ(table.rewritten(cells.watch({}, kAll, false)), table.rewritten({}));
  EXPECT_THAT(cells.found(), ElementsAre(0, 2));
}

TEST(FormulaCells, GetAnApostropheAndNothingElseChanges) {
  MemoryTable table = people();
  FormulaCells cells(table);
  EXPECT_EQ(table.rewritten(cells.watch({}, kAll, true)),
            "name,age,note,debt\nAda,34,'=1+1,-5\n'@Ben,36,fine,+3.2\nCleo,31,'-A1,-1e3\n");
}

// What counts is what comes out: a cell that the rewrite makes, not the one that it replaces.
TEST(FormulaCells, AreThoseThatLeaveTheRewrite) {
  MemoryTable table = people();
  table::Rewrite rewrite;
  rewrite.inputs = {2, 1};
  rewrite.outputs = {2, 1};
  rewrite.dropped = {0};
  rewrite.rewrite = [](const table::RowBatch& batch, table::RewrittenBatch& result) {
    ASSERT_EQ(result.cells.size(), 2U);
    for (std::size_t row = 0; row < batch.rows; ++row) {
      result.cells[0][row] = "*";
      result.storage.push_back("=" + std::string(batch.cells[1][row].text));
      result.cells[1][row] = result.storage.back();
      result.keep[row] = batch.cells[1][row].text == "36" ? 0 : 1;
    }
  };
  FormulaCells cells(table);
  EXPECT_EQ(table.rewritten(cells.watch(rewrite, kAll, true)), "age,note,debt\n'=34,*,-5\n'=31,*,-1e3\n");
  EXPECT_THAT(cells.found(), ElementsAre(1));
}

TEST(FormulaCells, OfRowsThatAreLeftOutDoNotCount) {
  MemoryTable table = people();
  table::Rewrite rewrite;
  rewrite.inputs = {0};
  rewrite.rewrite = [](const table::RowBatch& batch, table::RewrittenBatch& result) {
    for (std::size_t row = 0; row < batch.rows; ++row) result.keep[row] = batch.cells[0][row].text == "Ada" ? 1 : 0;
  };
  FormulaCells cells(table);
  EXPECT_EQ(table.rewritten(cells.watch(rewrite, kAll, false)), "name,age,note,debt\nAda,34,=1+1,-5\n");
  EXPECT_THAT(cells.found(), ElementsAre(2));
}

TEST(FormulaCells, OfColumnsThatStayAreLookedForOnlyWhereAsked) {
  MemoryTable table = people();
  FormulaCells cells(table);
  EXPECT_EQ(table.rewritten(cells.watch({}, {2, 3}, true)),
            "name,age,note,debt\nAda,34,'=1+1,-5\n@Ben,36,fine,+3.2\nCleo,31,'-A1,-1e3\n");
  EXPECT_THAT(cells.found(), ElementsAre(2));
}

TEST(FormulaCells, NamesOfColumnsMayBeFormulasToo) {
  const MemoryTable table({"=a", "b", "+c"}, {});
  EXPECT_THAT(formula_names(table, {}), ElementsAre("=a", "+c"));
  EXPECT_THAT(formula_names(table, {0}), ElementsAre("+c"));
}

}  // namespace formula_cells_test
}  // namespace gauze::anonymize
