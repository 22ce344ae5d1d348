#include "gauze/schema/hierarchies/kinds/masking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace masking_test {

using Side = MaskSpec::Side;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> path(const MaskSpec& spec, const std::vector<std::string>& values, std::string_view value) {
  const auto rule = make_generaliser(spec, values);
  EXPECT_TRUE(rule) << rule.error().message;
  std::vector<std::string> texts;
  return rule && (*rule)->generalise(value, texts) ? texts : std::vector<std::string>{};
}

TEST(Mask, TakesCharactersAwayStepByStep) {
  const std::vector<std::string> zips = {"81667", "81675"};
  EXPECT_THAT(path({Side::right, {1, 3, 5}}, zips, "81667"), ElementsAre("8166*", "81***", "*"));
  EXPECT_THAT(path({Side::left, {1, 3, 5}}, zips, "81667"), ElementsAre("*1667", "***67", "*"));
}

TEST(Mask, TreatsShorterValuesAsIfTheyWentOnMasked) {
  const std::vector<std::string> values = {"123", "1234", "12"};
  EXPECT_THAT(path({Side::right, {1, 2, 3}}, values, "1234"), ElementsAre("123*", "12**", "1***"));
  EXPECT_THAT(path({Side::right, {1, 2, 3}}, values, "123"), ElementsAre("123*", "12**", "1***"));
  EXPECT_THAT(path({Side::right, {1, 2, 3}}, values, "12"), ElementsAre("12**", "12**", "1***"));
  EXPECT_THAT(path({Side::left, {1, 2}}, values, "12"), ElementsAre("**12", "**12"));
  EXPECT_THAT(path({Side::left, {1, 2}}, values, "1234"), ElementsAre("*234", "**34"));
  EXPECT_THAT(path({Side::right, {1, 2, 3}}, values, ""), ElementsAre("****", "****", "****"));
}

TEST(Mask, CountsCharactersNotBytes) {
  const std::vector<std::string> values = {"北京市朝阳区", "上海市浦东"};
  EXPECT_THAT(path({Side::right, {3, 4, 6}}, values, "北京市朝阳区"), ElementsAre("北京市***", "北京****", "*"));
  EXPECT_THAT(path({Side::right, {1, 3}}, values, "上海市浦东"), ElementsAre("上海市浦东*", "上海市***"));
  EXPECT_THAT(path({Side::left, {4}}, values, "北京市朝阳区"), ElementsAre("****阳区"));
  EXPECT_THAT(path({Side::left, {1}}, {"aé😀"}, "aé😀"), ElementsAre("*é😀"));
}

TEST(Mask, KnowsWhetherNothingIsLeft) {
  const std::vector<std::string> values = {"abc"};
  EXPECT_EQ((*make_generaliser(MaskSpec{Side::right, {1, 2}}, values))->only_value(), std::nullopt);
  EXPECT_EQ((*make_generaliser(MaskSpec{Side::right, {1, 3}}, values))->only_value(), "*");
  EXPECT_EQ((*make_generaliser(MaskSpec{Side::right, {1, 9}}, values))->only_value(), "*");
}

TEST(Mask, RefusesStepsThatDoNotRise) {
  EXPECT_THAT(error_of(check(MaskSpec{Side::right, {}})), HasSubstr("at least one step"));
  EXPECT_EQ(error_of(check(MaskSpec{Side::right, {1, 1}})),
            "mask: steps must rise, from 1 to at most 1000, but 1 follows 1");
  EXPECT_THAT(error_of(check(MaskSpec{Side::right, {0}})), HasSubstr("must rise"));
  EXPECT_THAT(error_of(check(MaskSpec{Side::right, {1001}})), HasSubstr("must rise"));
}

TEST(Mask, RefusesValuesThatWouldMakeAllOthersHuge) {
  const std::vector<std::string> values = {"a", std::string(1001, 'b')};
  EXPECT_THAT(error_of(make_generaliser(MaskSpec{Side::right, {1}}, values)), HasSubstr("1001 characters"));
}

RC_GTEST_PROP(Mask, LevelsAreNestedForAnyTexts, ()) {
  const auto text = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab*")));
  const auto values = *rc::gen::unique<std::vector<std::string>>(text);
  RC_PRE(!values.empty());
  const MaskSpec spec = {*rc::gen::element(Side::left, Side::right), {1, 2, 4}};
  std::map<std::pair<std::size_t, std::string>, std::string> parent;
  for (const std::string& value : values) {
    const auto texts = path(spec, values, value);
    RC_ASSERT(texts.size() == 3U);
    for (std::size_t level = 0; level + 1 < texts.size(); ++level) {
      const auto [known, is_new] = parent.emplace(std::pair(level, texts[level]), texts[level + 1]);
      RC_ASSERT(is_new || known->second == texts[level + 1]);
    }
  }
}

}  // namespace masking_test
}  // namespace gauze::schema
