#include "gauze/schema/hierarchies/hierarchy_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <chrono>
#include <set>

#include "gauze/files/atomic_file.h"
#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace hierarchy_spec_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const IntervalsSpec kHours = {{{0, 35, 46, 100}, {0, 46, 100}}};
const GroupsSpec kEducation = {{{{"school", {"9th", "10th"}}, {"college", {"Bachelors", "?"}}}}};

/// A hierarchy file that is there as long as the test.
class CsvHierarchy : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / fmt::format("gauze-spec-{}.csv", ::getpid());
  }
  void TearDown() override { std::filesystem::remove(path_); }
  [[nodiscard]] CsvSpec write(std::string_view text) const {
    EXPECT_TRUE(write_file(path_, text));
    return {path_, std::nullopt};
  }

  std::filesystem::path path_;
};

std::vector<std::string> grounds(const Hierarchy& hierarchy) {
  std::vector<std::string> result;
  for (std::uint32_t row = 0; row < hierarchy.size(); ++row) result.push_back(hierarchy.text(0, row));
  return result;
}

TEST(HierarchySpec, NamesItsKind) {
  EXPECT_EQ(kind_name(AutomaticSpec{}), "automatic");
  EXPECT_EQ(kind_name(CsvSpec{"a.csv", {}}), "csv");
  EXPECT_EQ(kind_name(kHours), "intervals");
  EXPECT_EQ(kind_name(WidthsSpec{}), "intervals");
  EXPECT_EQ(kind_name(kEducation), "groups");
  EXPECT_EQ(kind_name(MaskSpec{}), "mask");
  EXPECT_EQ(kind_name(DatesSpec{}), "dates");
  EXPECT_EQ(kind_name(OrderSpec{}), "order");
}

TEST(HierarchySpec, ChecksWhatNeedsNoData) {
  EXPECT_TRUE(check(HierarchySpec(kHours)));
  EXPECT_TRUE(check(HierarchySpec(AutomaticSpec{})));
  EXPECT_THAT(error_of(check(HierarchySpec(CsvSpec{}))), HasSubstr("name of a file"));
  EXPECT_THAT(error_of(check(HierarchySpec(WidthsSpec{.from = 0, .to = 9, .width = 0, .then = {}}))),
              HasSubstr("positive"));
  EXPECT_THAT(error_of(check(HierarchySpec(MaskSpec{}))), HasSubstr("step"));
  EXPECT_THAT(error_of(check(HierarchySpec(OrderSpec{{}, 1}))), HasSubstr("fanout"));
}

TEST(Materialise, ARuleGivesOneRowForEveryValueInNaturalOrder) {
  const auto hierarchy = materialise(kHours, "hours", dictionary_of({"100", "40", "5", "46"}));
  ASSERT_TRUE(hierarchy) << hierarchy.error().message;
  EXPECT_EQ(hierarchy->name(), "hours");
  EXPECT_THAT(grounds(*hierarchy), ElementsAre("5", "40", "46", "100"));
  EXPECT_THAT(path_of(*hierarchy, "40"), ElementsAre("40", "[35, 46)", "[0, 46)", "*"));
}

TEST(Materialise, TheTopIsNotRepeated) {
  const auto hierarchy = materialise(IntervalsSpec{{{0, 5, 10}, {0, 10}}}, "x", dictionary_of({"1", "7"}));
  ASSERT_TRUE(hierarchy);
  EXPECT_THAT(path_of(*hierarchy, "1"), ElementsAre("1", "[0, 5)", "[0, 10]"));
  const auto masked = materialise(MaskSpec{MaskSpec::Side::right, {1, 2}}, "x", dictionary_of({"ab", "ac"}));
  ASSERT_TRUE(masked);
  EXPECT_THAT(path_of(*masked, "ab"), ElementsAre("ab", "a*", "*"));
}

TEST(Materialise, TheNumberOfLevelsOfAPublicRuleDoesNotDependOnTheData) {
  // All values lie in one interval; the rule has two, so the top stays.
  const auto hierarchy = materialise(IntervalsSpec{{{0, 5, 10}}}, "x", dictionary_of({"1", "2"}));
  ASSERT_TRUE(hierarchy);
  EXPECT_EQ(hierarchy->levels(), 3);
  EXPECT_EQ(known_height(IntervalsSpec{{{0, 5, 10}}}), 2);
  EXPECT_EQ(known_height(kEducation), 2);
  EXPECT_EQ(known_height(GroupsSpec{{{{"all", {"a"}}}}}), 1);
  EXPECT_EQ(known_height(DatesSpec{}), 4);
  EXPECT_EQ(known_height(WidthsSpec{.from = 0, .to = 10, .width = 1, .then = {5}}), 3);
  EXPECT_EQ(known_height(MaskSpec{MaskSpec::Side::left, {1}}), std::nullopt);
  EXPECT_EQ(known_height(CsvSpec{"x.csv", {}}), std::nullopt);
}

TEST(Materialise, ValuesThatAreNotCoveredAreLeftOut) {
  const auto hierarchy = materialise(kHours, "hours", dictionary_of({"5", "200", "abc"}));
  ASSERT_TRUE(hierarchy);
  EXPECT_THAT(grounds(*hierarchy), ElementsAre("5"));
  EXPECT_EQ(error_of(materialise(kHours, "hours", dictionary_of({"200", "abc"}))),
            "hierarchy 'hours' covers none of the 2 values of the column");
  EXPECT_EQ(error_of(materialise(kHours, "hours", dictionary_of({}))),
            "hierarchy 'hours' cannot be made: the column has no values");
}

TEST(Materialise, ErrorsNameTheHierarchy) {
  EXPECT_THAT(error_of(materialise(MaskSpec{}, "zip", dictionary_of({"1"}))), HasSubstr("hierarchy 'zip': mask:"));
  EXPECT_THAT(error_of(materialise(WidthsSpec{}, "age", dictionary_of({"1"}))),
              HasSubstr("hierarchy 'age': intervals:"));
  EXPECT_THAT(error_of(materialise(DatesSpec{}, "day", dictionary_of({"01/02/2003"}))),
              HasSubstr("hierarchy 'day': dates:"));
}

TEST(Materialise, MissingKeepsItsTextUpToASingleTop) {
  const auto hierarchy = materialise(kHours, "hours", dictionary_of({"5", "50"}, "?"));
  ASSERT_TRUE(hierarchy) << hierarchy.error().message;
  EXPECT_THAT(path_of(*hierarchy, "?"), ElementsAre("?", "?", "?", "*"));
  const auto only = materialise(IntervalsSpec{{{0, 5, 10}, {0, 10}}}, "x", dictionary_of({"1"}, ""));
  ASSERT_TRUE(only);
  EXPECT_THAT(path_of(*only, ""), ElementsAre("", "", "[0, 10]"));
  const auto masked = materialise(MaskSpec{MaskSpec::Side::right, {1}}, "zip", dictionary_of({"123"}, "?"));
  ASSERT_TRUE(masked);
  EXPECT_THAT(path_of(*masked, "?"), ElementsAre("?", "?", "*"));
  const auto alone = materialise(kHours, "hours", dictionary_of({}, "?"));
  ASSERT_TRUE(alone);
  EXPECT_THAT(path_of(*alone, "?"), ElementsAre("?", "?", "?", "*"));
}

TEST(Materialise, MissingThatIsListedIsAValue) {
  const auto hierarchy = materialise(kEducation, "education", dictionary_of({"9th"}, "?"));
  ASSERT_TRUE(hierarchy);
  EXPECT_THAT(path_of(*hierarchy, "?"), ElementsAre("?", "college", "*"));
  const auto ordered = materialise(OrderSpec{{"?", "low", "mid", "high"}, 2}, "o", dictionary_of({"low"}, "?"));
  ASSERT_TRUE(ordered);
  EXPECT_THAT(path_of(*ordered, "?"), ElementsAre("?", "[?, low]", "*"));
}

TEST_F(CsvHierarchy, TakesTheRowsAsTheyAre) {
  const auto hierarchy = materialise(write("3;x;*\n1;x;*\n2;y;*\n"), "file", dictionary_of({"1"}));
  ASSERT_TRUE(hierarchy) << hierarchy.error().message;
  EXPECT_THAT(grounds(*hierarchy), ElementsAre("3", "1", "2"));
}

TEST_F(CsvHierarchy, AddsARowForMissingUnlessItIsListed) {
  const auto added = materialise(write("1;x;*\n2;y;*\n"), "file", dictionary_of({"1"}, "?"));
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->size(), 3U);
  EXPECT_THAT(path_of(*added, "?"), ElementsAre("?", "?", "*"));
  const auto listed = materialise(write("1;x;*\n?;unknown;*\n"), "file", dictionary_of({"1"}, "?"));
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->size(), 2U);
  // The column's token is the empty text, the file writes a question mark: both mean missing.
  const auto other = materialise(write("1;x;*\n?;unknown;*\n"), "file", dictionary_of({"1"}, ""));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->size(), 2U);
  const auto two_tops = materialise(write("1;x\n2;y\n"), "file", dictionary_of({"1"}, "?"));
  ASSERT_TRUE(two_tops);
  EXPECT_THAT(path_of(*two_tops, "?"), ElementsAre("?", "?"));
}

TEST_F(CsvHierarchy, ReportsTheFileThatIsNotThere) {
  const auto hierarchy = materialise(CsvSpec{"/nonexistent/age.csv", {}}, "age", dictionary_of({"1"}));
  ASSERT_FALSE(hierarchy);
  EXPECT_EQ(hierarchy.error().code, ErrorCode::io);
}

TEST_F(CsvHierarchy, HasADomainWithoutData) {
  const CsvSpec spec = write("3;x;*\n1;x;*\n2;y;*\n");
  EXPECT_THAT(*domain(spec, "file", 0), ElementsAre("3", "1", "2"));
  EXPECT_THAT(*domain(spec, "file", 1), ElementsAre("x", "y"));
  EXPECT_THAT(*domain(spec, "file", 2), ElementsAre("*"));
  EXPECT_EQ(error_of(domain(spec, "file", 3)), "hierarchy 'file' has the levels 0 to 2, not 3");
  EXPECT_FALSE(domain(spec, "file", -1));
}

TEST(Domain, FollowsFromPublicRules) {
  EXPECT_THAT(*domain(kHours, "hours", 1), ElementsAre("[0, 35)", "[35, 46)", "[46, 100]"));
  EXPECT_THAT(*domain(kHours, "hours", 2), ElementsAre("[0, 46)", "[46, 100]"));
  EXPECT_THAT(*domain(kHours, "hours", 3), ElementsAre("*"));
  EXPECT_THAT(error_of(domain(kHours, "hours", 4)), HasSubstr("levels 0 to 3"));
  EXPECT_THAT(error_of(domain(kHours, "hours", 0)), HasSubstr("no list of values at level 0"));
  EXPECT_THAT(*domain(WidthsSpec{.from = 0, .to = 10, .width = 5, .then = {10}}, "x", 2), ElementsAre("[0, 10]"));
  EXPECT_THAT(*domain(kEducation, "education", 0), ElementsAre("9th", "10th", "Bachelors", "?"));
  EXPECT_THAT(*domain(kEducation, "education", 1), ElementsAre("school", "college"));
  EXPECT_THAT(*domain(kEducation, "education", 2), ElementsAre("*"));
}

TEST(Domain, IsRefusedWhereItWouldComeFromTheData) {
  EXPECT_THAT(error_of(domain(MaskSpec{MaskSpec::Side::right, {1}}, "zip", 1)), HasSubstr("follows from the data"));
  EXPECT_THAT(error_of(domain(AutomaticSpec{}, "x", 1)), HasSubstr("follows from the data"));
  EXPECT_THAT(error_of(domain(IntervalsSpec{}, "x", 1)), HasSubstr("hierarchy 'x'"));
  EXPECT_TRUE(is_public(kHours));
  EXPECT_TRUE(is_public(kEducation));
  EXPECT_TRUE(is_public(CsvSpec{"a.csv", {}}));
  EXPECT_FALSE(is_public(DatesSpec{}));
  EXPECT_FALSE(is_public(OrderSpec{{"a", "b"}, 2}));
}

RC_GTEST_PROP(MaterialiseProperty, EveryLevelStaysInsideThePublicDomain, ()) {
  const auto inner = *rc::gen::container<std::set<int>>(rc::gen::inRange(-49, 50));
  IntervalsSpec spec = {{{-50}, {-50}}};
  for (const int bound : inner) {
    spec.bounds[0].emplace_back(bound);
    if (*rc::gen::arbitrary<bool>()) spec.bounds[1].emplace_back(bound);
  }
  for (auto& level : spec.bounds) level.emplace_back(50);
  const auto values = *rc::gen::container<std::set<int>>(rc::gen::inRange(-50, 51));
  RC_PRE(!values.empty());
  std::vector<std::string> texts;
  for (const int value : values) texts.push_back(std::to_string(value));
  const auto hierarchy = materialise(spec, "x", dictionary_of(texts));
  RC_ASSERT(hierarchy.has_value());
  RC_ASSERT(hierarchy->height() == *known_height(spec));
  for (int level = 1; level <= hierarchy->height(); ++level) {
    const auto allowed = *domain(spec, "x", level);
    for (std::uint32_t code = 0; code < hierarchy->value_count(level); ++code) {
      RC_ASSERT(std::find(allowed.begin(), allowed.end(), hierarchy->text(level, code)) != allowed.end());
    }
  }
}

}  // namespace hierarchy_spec_test
}  // namespace gauze::schema
