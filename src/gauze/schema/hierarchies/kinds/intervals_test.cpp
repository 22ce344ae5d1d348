#include "gauze/schema/hierarchies/kinds/intervals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace intervals_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> path(const IntervalsSpec& spec, std::string_view value) {
  const auto rule = make_generaliser(spec);
  EXPECT_TRUE(rule) << rule.error().message;
  std::vector<std::string> texts;
  return rule && (*rule)->generalise(value, texts) ? texts : std::vector<std::string>{};
}

const IntervalsSpec kHours = {{{0, 35, 46, 100}, {0, 46, 100}}};

TEST(Intervals, AreHalfOpenButForTheLast) {
  EXPECT_THAT(path(kHours, "0"), ElementsAre("[0, 35)", "[0, 46)"));
  EXPECT_THAT(path(kHours, "34"), ElementsAre("[0, 35)", "[0, 46)"));
  EXPECT_THAT(path(kHours, "34.9999999999999999999999"), ElementsAre("[0, 35)", "[0, 46)"));
  EXPECT_THAT(path(kHours, "35"), ElementsAre("[35, 46)", "[0, 46)"));
  EXPECT_THAT(path(kHours, "3.5e1"), ElementsAre("[35, 46)", "[0, 46)"));
  EXPECT_THAT(path(kHours, "46"), ElementsAre("[46, 100]", "[46, 100]"));
  EXPECT_THAT(path(kHours, "100"), ElementsAre("[46, 100]", "[46, 100]"));
}

TEST(Intervals, CoverNumbersInTheirRangeOnly) {
  for (const std::string_view value : {"-1", "100.0001", "", "?", "abc", "1,5", "nan", "1e999"}) {
    EXPECT_TRUE(path(kHours, value).empty()) << value;
  }
}

TEST(Intervals, KnowWhetherOneIntervalIsLeft) {
  EXPECT_EQ((*make_generaliser(kHours))->only_value(), std::nullopt);
  EXPECT_EQ((*make_generaliser(IntervalsSpec{{{0, 5, 10}, {0, 10}}}))->only_value(), "[0, 10]");
}

TEST(Intervals, WriteTheirBoundsExactly) {
  const IntervalsSpec spec = {{{*Rational::parse("-0.5"), *Rational::parse("0.25"), 1000000}}};
  EXPECT_THAT(path(spec, "0"), ElementsAre("[-0.5, 0.25)"));
  EXPECT_THAT(path(spec, "1"), ElementsAre("[0.25, 1000000]"));
}

TEST(Intervals, RefuseBoundsThatDoNotRise) {
  EXPECT_EQ(error_of(check(IntervalsSpec{{{0, 35, 35}}})),
            "intervals: the bounds of level 1 must rise, but 35 follows 35");
  EXPECT_THAT(error_of(check(IntervalsSpec{{{0, 35}, {35, 0}}})), HasSubstr("level 2 must rise"));
  EXPECT_THAT(error_of(check(IntervalsSpec{{{0}}})), HasSubstr("at least two bounds"));
  EXPECT_THAT(error_of(check(IntervalsSpec{{{}}})), HasSubstr("at least two bounds"));
  EXPECT_THAT(error_of(check(IntervalsSpec{})), HasSubstr("at least one list"));
  EXPECT_THAT(error_of(make_generaliser(IntervalsSpec{})), HasSubstr("at least one list"));
}

TEST(Intervals, RefuseLevelsThatAreNotNested) {
  EXPECT_EQ(error_of(check(IntervalsSpec{{{0, 35, 46, 100}, {0, 40, 100}}})),
            "intervals: levels are not nested: 40 is a bound of level 2 but not of level 1");
  EXPECT_EQ(error_of(check(IntervalsSpec{{{0, 35, 100}, {0, 35}}})),
            "intervals: level 2 must begin and end as level 1 does, with 0 and 100");
  EXPECT_THAT(error_of(check(IntervalsSpec{{{0, 35, 100}, {35, 100}}})), HasSubstr("begin and end"));
}

TEST(Intervals, ComeFromWidths) {
  const auto spec = bounds_of({.from = 0, .to = 22, .width = 5, .then = {10, 20}});
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_THAT(spec->bounds[0], ElementsAre(0, 5, 10, 15, 20, 22));
  EXPECT_THAT(spec->bounds[1], ElementsAre(0, 10, 20, 22));
  EXPECT_THAT(spec->bounds[2], ElementsAre(0, 20, 22));
  EXPECT_TRUE(check(*spec));
  EXPECT_THAT(path(*spec, "22"), ElementsAre("[20, 22]", "[20, 22]", "[20, 22]"));
}

TEST(Intervals, RefuseWrongWidths) {
  EXPECT_THAT(error_of(bounds_of({.from = 5, .to = 5, .width = 1, .then = {}})), HasSubstr("smaller than to"));
  EXPECT_THAT(error_of(bounds_of({.from = 0, .to = 5, .width = 0, .then = {}})), HasSubstr("positive"));
  EXPECT_THAT(error_of(bounds_of({.from = 0, .to = 5, .width = -1, .then = {}})), HasSubstr("positive"));
  EXPECT_EQ(error_of(bounds_of({.from = 0, .to = 50, .width = 5, .then = {12}})),
            "intervals: each width must be a multiple of the one before, but 12 follows 5");
  EXPECT_THAT(error_of(bounds_of({.from = 0, .to = 50, .width = 5, .then = {5}})), HasSubstr("multiple"));
  EXPECT_THAT(error_of(bounds_of({.from = 0, .to = 1000000, .width = 1, .then = {}})), HasSubstr("more than 100000"));
}

RC_GTEST_PROP(Intervals, GeneraliseAsASearchThroughTheBoundsWould, ()) {
  // Bounds of the finest level, each kept at the next one or not.
  const auto inner = *rc::gen::container<std::set<int>>(rc::gen::inRange(-49, 50));
  IntervalsSpec spec = {{{-50}}};
  for (const int bound : inner) spec.bounds[0].emplace_back(bound);
  spec.bounds[0].emplace_back(50);
  std::vector<Rational> coarser = {-50};
  for (const int bound : inner) {
    if (*rc::gen::arbitrary<bool>()) coarser.emplace_back(bound);
  }
  coarser.emplace_back(50);
  spec.bounds.push_back(coarser);
  const int value = *rc::gen::inRange(-50, 51);
  const auto texts = path(spec, std::to_string(value));
  RC_ASSERT(texts.size() == 2U);
  for (std::size_t level = 0; level < 2; ++level) {
    const auto& bounds = spec.bounds[level];
    const auto labels = interval_labels(bounds);
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      if (bounds[i] <= value && (value < bounds[i + 1] || i + 2 == bounds.size())) place = i;
    }
    RC_ASSERT(texts[level] == labels[place]);
  }
}

}  // namespace intervals_test
}  // namespace gauze::schema
