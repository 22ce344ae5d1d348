#include "gauze/collect/task/value_list.h"

#include <gtest/gtest.h>

namespace gauze::collect::value_list_test {
namespace {

TEST(ValueList, ACopyFindsItsValuesWhenTheFirstIsGone) {
  auto first = std::make_unique<ValueList>(
      ValueList::listed({"a", "bb", "a text that is too long to be held in place"}).value());
  const ValueList copy = *first;
  first.reset();
  EXPECT_EQ(copy.find("a"), 0U);
  EXPECT_EQ(copy.find("a text that is too long to be held in place"), 2U);
  EXPECT_EQ(copy.text(1), "bb");
  EXPECT_EQ(copy.find("c"), std::nullopt);
}

TEST(ValueList, NumbersAreTheirOwnTexts) {
  const ValueList list = ValueList::numbered(12).value();
  EXPECT_EQ(list.find("11"), 11U);
  EXPECT_EQ(list.text(11), "11");
  for (const char* text : {"12", "-1", "+1", "01", " 1", "1 ", "1.0", "", "4294967296", "18446744073709551617"})
    EXPECT_EQ(list.find(text), std::nullopt) << text;
  EXPECT_EQ(list.find("0"), 0U);
}

TEST(ValueList, RefusesWhatIsNone) {
  EXPECT_FALSE(ValueList::listed({"a"}));
  EXPECT_FALSE(ValueList::listed({"a", "a"}));
  EXPECT_FALSE(ValueList::listed({"a", ""}));
  EXPECT_FALSE(ValueList::listed({"a", "b\n"}));
  EXPECT_FALSE(ValueList::numbered(1));
  EXPECT_FALSE(ValueList::numbered((1U << 24) + 1));
  EXPECT_TRUE(ValueList::numbered(1U << 24));
}

}  // namespace
}  // namespace gauze::collect::value_list_test
