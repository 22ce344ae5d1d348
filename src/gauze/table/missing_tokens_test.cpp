#include "gauze/table/missing_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/base/utf8.h"

namespace gauze::table {
namespace missing_tokens_test {

TEST(MissingTokens, AreQuestionMarkNothingAndNull) {
  const MissingTokens tokens;
  for (const char* text : {"?", "", "NULL"}) EXPECT_TRUE(tokens.contains(text)) << text;
  for (const char* text : {"null", "Null", "??", "0", "NA", "-", "*"}) EXPECT_FALSE(tokens.contains(text)) << text;
}

TEST(MissingTokens, CanBeConfigured) {
  const MissingTokens tokens({"NA", " - ", "not known", "NA", "?"});
  for (const char* text : {"NA", "-", "not known", "?", "", "NULL"}) EXPECT_TRUE(tokens.contains(text)) << text;
  for (const char* text : {"N", "NAN", "not knowns", "na"}) EXPECT_FALSE(tokens.contains(text)) << text;
  EXPECT_THAT(tokens.all(), ::testing::ElementsAre("", "-", "?", "NA", "NULL", "not known"));
}

TEST(TrimBlanks, TakesBlanksFromBothEnds) {
  EXPECT_EQ(trimmed(" \t a b\r\n\v\f"), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\xE3\x80\x80x"), "x") << "an ideographic space";
}

}  // namespace missing_tokens_test
}  // namespace gauze::table
