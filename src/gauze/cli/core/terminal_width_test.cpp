#include "gauze/cli/core/terminal_width.h"

#include <gtest/gtest.h>

namespace gauze::cli {
namespace terminal_width_test {

TEST(TerminalWidth, ChineseTakesTwoColumns) {
  EXPECT_EQ(terminal_width(""), 0);
  EXPECT_EQ(terminal_width("age"), 3);
  EXPECT_EQ(terminal_width("Größe"), 5);
  EXPECT_EQ(terminal_width("年龄"), 4);
  EXPECT_EQ(terminal_width("年龄 x"), 6);
  EXPECT_EQ(terminal_width("한국"), 4);
  EXPECT_EQ(terminal_width("\U00020000"), 2);
}

TEST(TerminalWidth, PaddingAligns) {
  EXPECT_EQ(padded("age", 5), "age  ");
  EXPECT_EQ(padded("年龄", 5), "年龄 ");
  EXPECT_EQ(padded("too long", 3), "too long");
}

}  // namespace terminal_width_test
}  // namespace gauze::cli
