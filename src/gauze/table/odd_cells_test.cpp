#include "gauze/table/odd_cells.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::table {
namespace odd_cells_test {

using ::testing::ElementsAre;

std::vector<std::string> days(int count) {
  std::vector<std::string> made;
  for (int i = 0; i < count; ++i) made.push_back(fmt::format("{}-01-{:02}", 1980 + i, 1 + i % 28));
  return made;
}

TEST(OddCells, AreWhatIsNoDateAmongDates) {
  std::vector<std::string> values = days(40);
  std::vector<std::uint64_t> rows(values.size(), 49);
  values.insert(values.end(), {"-", "不详"});
  rows.insert(rows.end(), {10, 30});
  const auto found = find_odd_cells(values, rows);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->type, ColumnType::date);
  EXPECT_EQ(found->cells, 40U);
  EXPECT_THAT(found->values, ElementsAre("不详", "-"));
  EXPECT_EQ(found->to_text(), "98 % are dates, 40 are not ('不详', '-')");
  EXPECT_EQ(found->null_tokens("--null "), "--null '不详' --null '-'");
}

TEST(OddCells, AreWhatIsNoNumberAmongNumbers) {
  std::vector<std::string> values;
  for (int i = 0; i < 20; ++i) values.push_back(std::to_string(i) + (i % 2 == 0 ? "" : ".5"));
  values.emplace_back("n/a");
  const auto found = find_odd_cells(values);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->type, ColumnType::number);
  EXPECT_EQ(found->to_text(), "95.2 % are numbers, 1 is not ('n/a')");
}

TEST(OddCells, AreSuggestedInFullAndShownInPart) {
  std::vector<std::string> values = days(60);
  const std::string reason = "not asked because the person's answer to the question before was no";
  values.push_back(reason);
  const auto found = find_odd_cells(values);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->values, std::vector<std::string>{reason});
  EXPECT_EQ(found->to_text(), "98.4 % are dates, 1 is not ('not asked because the person's answer to...')");
  EXPECT_EQ(found->null_tokens(), "'not asked because the person'\\''s answer to the question before was no'");
}

TEST(OddCells, AreNoneInColumnsOfOneKindOrOfMany) {
  EXPECT_FALSE(find_odd_cells(days(40)));
  EXPECT_FALSE(find_odd_cells(std::vector<std::string>{"a", "b", "c", "1"}));
  EXPECT_FALSE(find_odd_cells(std::vector<std::string>{"1", "2", "x"})) << "too few to say";
  std::vector<std::string> half = days(10);
  for (int i = 0; i < 9; ++i) half.push_back(std::string(1, static_cast<char>('a' + i)));
  EXPECT_FALSE(find_odd_cells(half));
  EXPECT_FALSE(find_odd_cells(std::vector<std::string>{}));
}

TEST(OddCells, ASummaryCountsItsRows) {
  ColumnSummary summary;
  std::vector<std::string> values = days(9);
  values.insert(values.begin(), {"-", "?"});
  summary.dictionary = Dictionary{.values = values, .missing = 1};
  summary.counts.assign(values.size(), 10);
  summary.counts[0] = 1;
  EXPECT_TRUE(find_odd_cells(summary)) << "one in 91 cells, the missing ones left out";
  summary.counts[0] = 20;
  EXPECT_FALSE(find_odd_cells(summary)) << "20 in 110";
}

}  // namespace odd_cells_test
}  // namespace gauze::table
