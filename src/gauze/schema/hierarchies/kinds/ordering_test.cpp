#include "gauze/schema/hierarchies/kinds/ordering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace ordering_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> ordered(const std::vector<std::string>& values) {
  std::vector<std::string> result;
  for (const std::uint32_t place : natural_order(values)) result.push_back(values[place]);
  return result;
}

std::vector<std::string> path(const OrderSpec& spec, const std::vector<std::string>& values, std::string_view value) {
  const auto rule = make_generaliser(spec, values);
  EXPECT_TRUE(rule) << rule.error().message;
  std::vector<std::string> texts;
  return rule && (*rule)->generalise(value, texts) ? texts : std::vector<std::string>{};
}

TEST(NaturalOrder, IsThatOfNumbersWhereAllAreNumbers) {
  EXPECT_THAT(ordered({"10", "9", "-1", "1e1", "0.5"}), ElementsAre("-1", "0.5", "9", "10", "1e1"));
  EXPECT_THAT(ordered({"10", "9", "x"}), ElementsAre("10", "9", "x"));
  EXPECT_THAT(ordered({"张", "b", "é", "a"}), ElementsAre("a", "b", "é", "张"));
  EXPECT_TRUE(ordered({}).empty());
}

TEST(Order, GroupsNeighbours) {
  const OrderSpec sizes = {{"XS", "S", "M", "L", "XL"}, 2};
  EXPECT_THAT(path(sizes, {}, "XS"), ElementsAre("[XS, S]", "[XS, L]"));
  EXPECT_THAT(path(sizes, {}, "L"), ElementsAre("[M, L]", "[XS, L]"));
  EXPECT_THAT(path(sizes, {}, "XL"), ElementsAre("XL", "XL"));
  EXPECT_TRUE(path(sizes, {}, "XXL").empty());
}

TEST(Order, TakesTheNaturalOrderWhereNoneIsGiven) {
  const std::vector<std::string> values = {"1", "10", "2", "20", "3"};
  EXPECT_THAT(path({{}, 3}, values, "2"), ElementsAre("[1, 3]"));
  EXPECT_THAT(path({{}, 3}, values, "10"), ElementsAre("[10, 20]"));
}

TEST(Order, HasNothingBetweenWhereOneGroupHoldsAll) {
  EXPECT_EQ((*make_generaliser(OrderSpec{{"a", "b"}, 2}, {}))->levels(), 0U);
  EXPECT_EQ((*make_generaliser(OrderSpec{{"a", "b", "c"}, 2}, {}))->levels(), 1U);
  EXPECT_EQ((*make_generaliser(OrderSpec{}, {}))->levels(), 0U);
  EXPECT_EQ((*make_generaliser(OrderSpec{{"a"}, 2}, {}))->only_value(), std::nullopt);
}

TEST(Order, RefusesValuesTwiceAndWrongFanouts) {
  EXPECT_EQ(error_of(check(OrderSpec{{"a", "b", "a"}, 2})), "order: 'a' is listed twice");
  EXPECT_THAT(error_of(check(OrderSpec{{}, 1})), HasSubstr("fanout must lie between 2 and"));
  EXPECT_THAT(error_of(check(OrderSpec{{}, 1'000'001})), HasSubstr("fanout"));
  EXPECT_THAT(error_of(make_generaliser(OrderSpec{{}, 0}, {})), HasSubstr("fanout"));
}

RC_GTEST_PROP(OrderProperty, GroupsHaveTheirSize, ()) {
  const auto count = *rc::gen::inRange(1, 200);
  const auto fanout = *rc::gen::inRange<std::uint32_t>(2, 9);
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) values.push_back(std::to_string(i));
  const auto rule = make_generaliser(OrderSpec{values, fanout}, {});
  RC_ASSERT(rule.has_value());
  std::vector<std::set<std::string>> seen((*rule)->levels());
  std::vector<std::string> texts;
  for (const std::string& value : values) {
    RC_ASSERT((*rule)->generalise(value, texts));
    for (std::size_t level = 0; level < texts.size(); ++level) seen[level].insert(texts[level]);
  }
  std::size_t expected = values.size();
  for (const auto& level : seen) {
    expected = (expected + fanout - 1) / fanout;
    RC_ASSERT(level.size() == expected);
  }
  RC_ASSERT((expected + fanout - 1) / fanout == 1U);
}

}  // namespace ordering_test
}  // namespace gauze::schema
