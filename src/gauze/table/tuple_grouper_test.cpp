#include "gauze/table/tuple_grouper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gauze/table/testing/memory_table.h"

namespace gauze::table {
namespace tuple_grouper_test {

using ::testing::ElementsAre;

const MissingTokens kTokens;

TupleCounts group(const std::vector<std::vector<std::string>>& rows, std::size_t width,
                  const std::string& unreadable = "other") {
  TupleGrouper grouper(std::vector<std::string>(width, unreadable), kTokens);
  for (const auto& row : rows) {
    const std::vector<std::string_view> cells(row.begin(), row.end());
    grouper.add(cells);
  }
  return grouper.finish();
}

TEST(TupleGrouper, CountsEqualRows) {
  const TupleCounts counts = group({{"b", "1"}, {"a", "1"}, {" b ", "1"}}, 2);
  EXPECT_THAT(counts.dictionaries[0].values, ElementsAre("a", "b"));
  EXPECT_THAT(counts.codes[0], ElementsAre(0, 1));
  EXPECT_THAT(counts.counts, ElementsAre(1, 2));
}

TEST(TupleGrouper, WhatIsNotTextCountsAsWhatTheColumnSays) {
  const TupleCounts counts = group({{"\xFF"}, {"other"}, {"a\xC3"}, {"ä"}}, 1);
  EXPECT_THAT(counts.dictionaries[0].values, ElementsAre("other", "ä"));
  EXPECT_THAT(counts.counts, ElementsAre(3, 1));
}

TEST(TupleGrouper, WhatIsNotTextCanBeMissing) {
  const TupleCounts counts = group({{"\xFF"}, {"?"}, {"x"}}, 1, "");
  EXPECT_THAT(counts.dictionaries[0].values, ElementsAre("", "x"));
  EXPECT_EQ(counts.dictionaries[0].missing, 0U);
  EXPECT_THAT(counts.counts, ElementsAre(2, 1));
}

TEST(TupleGrouper, ARowCanBeUnreadableAsAWhole) {
  TupleGrouper grouper({"other", ""}, kTokens);
  grouper.add_unreadable();
  const TupleCounts counts = grouper.finish();
  EXPECT_THAT(counts.dictionaries[0].values, ElementsAre("other"));
  EXPECT_EQ(counts.dictionaries[1].missing, 0U);
}

TEST(TupleGrouper, NothingIsAnAnswerToo) {
  EXPECT_EQ(group({}, 2).size(), 0U);
  EXPECT_EQ(group({}, 2).dictionaries.size(), 2U);
}

RC_GTEST_PROP(TupleGrouper, GroupsAsATableInMemoryDoes, ()) {
  const auto cell = rc::gen::elementOf(std::vector<std::string>{"a", "b", " a", "?", "", "NULL", "ß", "12345"});
  const auto rows = *rc::gen::container<std::vector<std::vector<std::string>>>(
      rc::gen::container<std::vector<std::string>>(3, cell));
  MemoryTable table({"x", "y", "z"}, rows);
  Progress progress;
  const auto expected = table.group(std::vector<std::size_t>{0, 1, 2}, progress).value();
  const TupleCounts actual = group(rows, 3);
  RC_ASSERT(actual.counts == expected.counts);
  RC_ASSERT(actual.codes == expected.codes);
  for (std::size_t i = 0; i < 3; ++i) {
    RC_ASSERT(actual.dictionaries[i].values == expected.dictionaries[i].values);
    RC_ASSERT(actual.dictionaries[i].missing == expected.dictionaries[i].missing);
  }
}

TEST(TupleGrouper, ManyDifferentRowsKeepTheirCounts) {
  std::vector<std::vector<std::string>> rows;
  for (int i = 0; i < 30'000; ++i) rows.push_back({std::to_string(i % 10'000), std::to_string(i % 7)});
  const TupleCounts counts = group(rows, 2);
  EXPECT_EQ(counts.size(), 30'000U);
  EXPECT_TRUE(std::all_of(counts.counts.begin(), counts.counts.end(), [](auto count) { return count == 1; }));
}

}  // namespace tuple_grouper_test
}  // namespace gauze::table
