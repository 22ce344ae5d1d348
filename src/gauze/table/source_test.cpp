#include "gauze/table/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/table/testing/memory_table.h"

namespace gauze::table {
namespace source_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MemoryTable people() {
  return {{"name", "age", "city"},
          {{"Ann", " 39", "Rome"},
           {"Bob", "?", "Oslo"},
           {"Cem", "39", ""},
           {"Dan", "NULL", " Rome "},
           {"Eve", "", "Rome"}}};
}

TEST(Source, FindsAColumnByItsName) { EXPECT_EQ(people().column("age").value(), 1U); }

TEST(Source, SuggestsTheNearestName) {
  const auto result = people().column("agee");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unknown_column);
  EXPECT_THAT(result.error().message, HasSubstr("'age'"));
}

TEST(Source, SuggestsNothingFarFetched) {
  const auto result = people().column("postcode");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message.find("did you mean"), std::string::npos);
}

TEST(Source, NamesItsTypes) {
  EXPECT_EQ(to_string(ColumnType::integer), "integer");
  EXPECT_EQ(to_string(ColumnType::number), "number");
  EXPECT_EQ(to_string(ColumnType::date), "date");
  EXPECT_EQ(to_string(ColumnType::boolean), "boolean");
  EXPECT_EQ(to_string(ColumnType::text), "text");
}

TEST(MemoryTable, GroupsWithMissingUnified) {
  auto table = people();
  Progress progress;
  const std::vector<std::size_t> columns = {2, 1};
  const auto groups = table.group(columns, progress).value();
  EXPECT_THAT(groups.dictionaries[0].values, ElementsAre("", "Oslo", "Rome"));
  EXPECT_EQ(groups.dictionaries[0].missing, 0U);
  EXPECT_THAT(groups.dictionaries[1].values, ElementsAre("", "39"));
  EXPECT_EQ(groups.dictionaries[1].missing, 0U);
  EXPECT_THAT(groups.codes[0], ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(groups.codes[1], ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(groups.counts, ElementsAre(1, 1, 2, 1));
}

TEST(MemoryTable, GroupsNoColumnsIntoOneTuple) {
  auto table = people();
  Progress progress;
  const auto groups = table.group(Grouping{}, progress).value();
  EXPECT_THAT(groups.counts, ElementsAre(5));
}

TEST(MemoryTable, SummarisesColumns) {
  auto table = people();
  Progress progress;
  const std::vector<std::size_t> columns = {1, 0};
  const auto summaries = table.summarise(columns, 4, progress).value();
  EXPECT_EQ(summaries[0].type, ColumnType::integer);
  EXPECT_EQ(summaries[0].distinct, 1U);
  EXPECT_EQ(summaries[0].missing, 3U);
  EXPECT_THAT(summaries[0].counts, ElementsAre(3, 2));
  EXPECT_EQ(summaries[1].distinct, 5U);
  EXPECT_FALSE(summaries[1].dictionary);
}

TEST(MemoryTable, RewritesDropsAndKeepsOrder) {
  const auto table = people();
  Rewrite rewrite{.inputs = {1}, .outputs = {2}, .dropped = {0}, .rewrite = {}};
  rewrite.rewrite = [](const RowBatch& batch, RewrittenBatch& result) {
    for (std::size_t row = 0; row < batch.rows; ++row) {
      if (batch.cells[0][row].missing) result.cells[0][row] = "a,b";
      if (row == 3) result.keep[row] = 0;
    }
  };
  EXPECT_EQ(table.rewritten(rewrite), "age,city\n39,Rome\n?,\"a,b\"\n39,\n,\"a,b\"\n");
}

TEST(MemoryTable, StopsWhenAsked) {
  auto table = people();
  Progress progress;
  progress.request_stop();
  EXPECT_EQ(table.group(Grouping{}, progress).error().code, ErrorCode::interrupted);
}

}  // namespace source_test
}  // namespace gauze::table
