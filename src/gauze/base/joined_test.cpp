#include "gauze/base/joined.h"

#include <gtest/gtest.h>

namespace gauze {
namespace joined_test {

TEST(Joined, PutsTheSeparatorBetweenWordsOnly) {
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"age"}), "age");
  EXPECT_EQ(joined({"age", "sex"}), "age, sex");
  EXPECT_EQ(joined({"a", "b", "c"}, "|"), "a|b|c");
}

TEST(Joined, KeepsEmptyWords) { EXPECT_EQ(joined({"", "a", ""}), ", a, "); }

TEST(Joined, EnumeratesAsASentenceDoes) {
  EXPECT_EQ(enumerated({}), "");
  EXPECT_EQ(enumerated({"age"}), "age");
  EXPECT_EQ(enumerated({"age", "sex"}), "age and sex");
  EXPECT_EQ(enumerated({"age", "sex", "zip"}), "age, sex and zip");
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(2, "query", "queries"), "2 queries");
  EXPECT_EQ(counted(1, "query", "queries"), "1 query");
}

}  // namespace joined_test
}  // namespace gauze
