#include "gauze/schema/hierarchies/kinds/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace groups_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const GroupsSpec kEducation = {{{{"school", {"9th", "10th"}}, {"college", {"Bachelors"}}, {"大学", {"硕士", "博士"}}},
                                {{"low", {"school"}}, {"high", {"college", "大学"}}}}};

std::vector<std::string> path(const GroupsSpec& spec, std::string_view value) {
  const auto rule = make_generaliser(spec);
  EXPECT_TRUE(rule) << rule.error().message;
  std::vector<std::string> texts;
  return rule && (*rule)->generalise(value, texts) ? texts : std::vector<std::string>{};
}

TEST(Groups, LaterLevelsGroupTheGroups) {
  EXPECT_THAT(path(kEducation, "10th"), ElementsAre("school", "low"));
  EXPECT_THAT(path(kEducation, "Bachelors"), ElementsAre("college", "high"));
  EXPECT_THAT(path(kEducation, "硕士"), ElementsAre("大学", "high"));
  EXPECT_TRUE(path(kEducation, "Masters").empty());
  EXPECT_TRUE(path(kEducation, "school").empty());
}

TEST(Groups, KnowWhetherOneGroupIsLeft) {
  EXPECT_EQ((*make_generaliser(kEducation))->only_value(), std::nullopt);
  EXPECT_EQ((*make_generaliser(GroupsSpec{{{{"all", {"a", "b"}}}}}))->only_value(), "all");
  EXPECT_TRUE((*make_generaliser(kEducation))->lists_values());
}

TEST(Groups, MayBeNamedLikeTheirMembers) {
  const GroupsSpec spec = {{{{"a", {"a", "b"}}, {"c", {"c"}}}, {{"c", {"a", "c"}}}}};
  EXPECT_THAT(path(spec, "b"), ElementsAre("a", "c"));
  EXPECT_THAT(path(spec, "c"), ElementsAre("c", "c"));
}

TEST(Groups, RefuseAValueInTwoGroups) {
  EXPECT_EQ(error_of(check(GroupsSpec{{{{"x", {"a"}}, {"y", {"b", "a"}}}}})),
            "groups: 'a' is twice in level 1; a value has one group");
  EXPECT_THAT(error_of(check(GroupsSpec{{{{"x", {"a", "a"}}}}})), HasSubstr("twice"));
  EXPECT_THAT(error_of(check(GroupsSpec{{{{"x", {"a"}}, {"x", {"b"}}}}})), HasSubstr("the group 'x' twice"));
}

TEST(Groups, RefuseEmptyLevelsAndGroups) {
  EXPECT_THAT(error_of(check(GroupsSpec{})), HasSubstr("at least one level"));
  EXPECT_THAT(error_of(check(GroupsSpec{{{}}})), HasSubstr("level 1 has no groups"));
  EXPECT_THAT(error_of(check(GroupsSpec{{{{"x", {}}}}})), HasSubstr("'x' of level 1 has no members"));
}

TEST(Groups, RefuseLevelsThatDoNotFitTogether) {
  EXPECT_EQ(error_of(check(GroupsSpec{{{{"school", {"a"}}}, {{"low", {"shcool"}}}}})),
            "groups: 'shcool' in level 2 is not a group of level 1; did you mean 'school'?");
  EXPECT_EQ(error_of(check(GroupsSpec{{{{"x", {"a"}}, {"y", {"b"}}}, {{"low", {"x"}}}}})),
            "groups: the group 'y' of level 1 is in no group of level 2");
  EXPECT_THAT(error_of(make_generaliser(GroupsSpec{{{{"x", {}}}}})), HasSubstr("no members"));
}

}  // namespace groups_test
}  // namespace gauze::schema
