#include "gauze/table/row_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::table {
namespace row_stream_test {

using ::testing::ElementsAre;

TEST(MadeRows, ComeInBatchesThatOwnTheirTexts) {
  std::size_t made = 0;
  std::string text;
  MadeRows rows({"n", "note"}, [&](std::vector<std::string_view>& cells) {
    if (made == 5000) return false;
    text = "a rather long text, number " + std::to_string(made++);
    cells[0] = text;
    cells[1] = made % 2 == 0 ? "" : "odd";
    return true;
  });
  ASSERT_EQ(rows.columns().size(), 2U);
  EXPECT_EQ(rows.columns()[1].name, "note");
  EXPECT_EQ(rows.columns()[1].type, ValueType::text);
  std::vector<ValueBatch> batches;
  for (auto batch = rows.next().value(); batch; batch = rows.next().value()) batches.push_back(std::move(*batch));
  EXPECT_FALSE(rows.next().value()) << "the end stays the end";
  std::size_t seen = 0;
  for (const ValueBatch& batch : batches) {
    ASSERT_GT(batch.rows, 0U);
    for (std::size_t row = 0; row < batch.rows; ++row, ++seen) {
      ASSERT_EQ(batch.columns[0].texts[row], "a rather long text, number " + std::to_string(seen));
      ASSERT_EQ(batch.columns[1].is_null(row), seen % 2 == 1);
    }
  }
  EXPECT_EQ(seen, 5000U);
  EXPECT_GT(batches.size(), 1U);
}

TEST(MadeRows, KeepCellsThatAreNotChanged) {
  int left = 3;
  MadeRows rows({"a"}, [&](std::vector<std::string_view>& cells) {
    if (left == 3) cells[0] = "same";
    return left-- > 0;
  });
  EXPECT_THAT(rows.next().value()->columns[0].texts, ElementsAre("same", "same", "same"));
}

TEST(MadeRows, PassAFailureOn) {
  MadeRows rows({"a"}, [](std::vector<std::string_view>&) { return make_error(ErrorCode::bad_data, "line 2"); });
  EXPECT_EQ(rows.next().error().message, "line 2");
}

TEST(MadeRows, MayBeNone) {
  MadeRows rows({"a"}, [](std::vector<std::string_view>&) { return false; });
  EXPECT_FALSE(rows.next().value());
}

}  // namespace row_stream_test
}  // namespace gauze::table
