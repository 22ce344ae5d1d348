#include "gauze/patterns/baskets/long_table.h"

#include <gtest/gtest.h>

#include "gauze/table/testing/memory_table.h"

namespace gauze::patterns {
namespace long_table_test {

table::MemoryTable orders() {
  return {
      {"order", "item", "price"},
      {{"2", "milk", "1"}, {"1", "bread, \"dark\"", "2"}, {"2", "?bread", ""}, {"1", "", "3"}, {"2", "milk", "4"}},
      {},
      2};
}

TEST(LongTable, BecomesTextInTheOrderOfItsRows) {
  table::MemoryTable table = orders();
  Progress progress;
  EXPECT_EQ(long_table_text(table, progress).value(),
            "order,item,price\n2,milk,1\n1,\"bread, \"\"dark\"\"\",2\n2,?bread,\n1,,3\n2,milk,4\n");
}

TEST(LongTable, HasTheTransactionsOfItsText) {
  table::MemoryTable table = orders();
  Progress progress;
  const BasketFile direct = read_long_table(table, {}, progress).value();
  const BasketFile text =
      BasketFile::parse(long_table_text(table, progress).value(), BasketFormat::long_table).value();
  EXPECT_FALSE(direct.has_bytes());
  EXPECT_TRUE(text.has_bytes());
  EXPECT_EQ(direct.database().rows(), text.database().rows());
  EXPECT_EQ(direct.notes().repeated_items, text.notes().repeated_items);
  EXPECT_EQ(direct.notes().empty_rows, text.notes().empty_rows);
}

TEST(LongTable, StopsWhenAsked) {
  table::MemoryTable table = orders();
  Progress progress;
  progress.request_stop();
  EXPECT_EQ(long_table_text(table, progress).error().code, ErrorCode::interrupted);
}

TEST(LongTable, GivesTheRowsOfItsText) {
  const std::string text = "order;item\n1; milk \n2;\"bread; dark\"\n2;?milk\n";
  const BasketFile file = BasketFile::parse(text, BasketFormat::long_table).value();
  const auto rows = long_table_rows(file).value();
  ASSERT_EQ(rows->columns().size(), 2U);
  EXPECT_EQ(rows->columns()[1].name, "item");
  std::vector<std::string> items;
  for (;;) {
    const auto batch = rows->next().value();
    if (!batch) break;
    for (std::size_t row = 0; row < batch->rows; ++row) items.emplace_back(batch->columns[1].texts[row]);
  }
  EXPECT_EQ(items, (std::vector<std::string>{"milk", "bread; dark", "?milk"}));
}

TEST(LongTable, RefusesALineOfAnotherWidth) {
  const BasketFile file = BasketFile::parse("order,item\n1,?\"milk, fresh\"\n", BasketFormat::long_table).value();
  const auto read = long_table_rows(file).value()->next();
  EXPECT_EQ(read.error().code, ErrorCode::bad_data);
  EXPECT_EQ(read.error().message.find("milk"), std::string::npos) << "cells are data";
}

}  // namespace long_table_test
}  // namespace gauze::patterns
