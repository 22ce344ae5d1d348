#include "gauze/schema/policy/hierarchy_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace hierarchy_yaml_test {

using Unit = DatesSpec::Unit;
using ::testing::HasSubstr;

HierarchySpec parsed(std::string_view text, const std::filesystem::path& folder = {}) {
  auto spec = parse_hierarchy_spec(text, folder);
  EXPECT_TRUE(spec) << spec.error().message;
  return spec ? *spec : HierarchySpec();
}

std::string error_in(std::string_view text) { return error_of(parse_hierarchy_spec(text)); }

TEST(HierarchyYaml, ReadsEveryKind) {
  EXPECT_EQ(parsed("automatic"), HierarchySpec(AutomaticSpec{}));
  EXPECT_EQ(parsed("{csv: age.csv}"), HierarchySpec(CsvSpec{"age.csv", {}}));
  EXPECT_EQ(parsed("{csv: age.csv, delimiter: \"\\t\"}"), HierarchySpec(CsvSpec{"age.csv", '\t'}));
  EXPECT_EQ(parsed("{intervals: [[0, 35, 46, 100], [0, 46, 100]]}"),
            HierarchySpec(IntervalsSpec{{{0, 35, 46, 100}, {0, 46, 100}}}));
  EXPECT_EQ(parsed("{intervals: {from: 0, to: 100, width: 5, then: [10, 20]}}"),
            HierarchySpec(WidthsSpec{0, 100, 5, {10, 20}}));
  EXPECT_EQ(parsed("{intervals: {from: -0.5, to: 1, width: 0.1}}"),
            HierarchySpec(WidthsSpec{Rational(-1, 2), 1, Rational(1, 10), {}}));
  EXPECT_EQ(
      parsed("{groups: [{school: [9th, '10'], 大学: 博士}, {all: [school, 大学]}]}"),
      HierarchySpec(GroupsSpec{{{{"school", {"9th", "10"}}, {"大学", {"博士"}}}, {{"all", {"school", "大学"}}}}}));
  EXPECT_EQ(parsed("{mask: {side: left, steps: [1, 3]}}"), HierarchySpec(MaskSpec{MaskSpec::Side::left, {1, 3}}));
  EXPECT_EQ(parsed("{mask: {steps: [2]}}"), HierarchySpec(MaskSpec{MaskSpec::Side::right, {2}}));
  EXPECT_EQ(parsed("{dates: {}}"), HierarchySpec(DatesSpec{}));
  EXPECT_EQ(parsed("{dates: [day, year]}"), HierarchySpec(DatesSpec{{Unit::day, Unit::year}, {}}));
  EXPECT_EQ(parsed("{dates: {levels: [month], order: month-first}}"),
            HierarchySpec(DatesSpec{{Unit::month}, DateOrder::month_first}));
  EXPECT_EQ(parsed("{dates: {from: 1920-01-01, to: 2024-12-31, levels: [month, year]}}"),
            HierarchySpec(DatesSpec{{Unit::month, Unit::year}, {}, DateRange{{1920, 1, 1}, {2024, 12, 31}}}));
  EXPECT_EQ(parsed("{order: {values: [low, mid, high], fanout: 3}}"),
            HierarchySpec(OrderSpec{{"low", "mid", "high"}, 3}));
  EXPECT_EQ(parsed("{order: {}}"), HierarchySpec(OrderSpec{}));
}

TEST(HierarchyYaml, RefusesWrongForms) {
  const std::vector<std::pair<std::string_view, std::string_view>> wrong = {
      {"none", "must be automatic, or a map of one kind"},
      {"[a]", "must be automatic, or a map of one kind"},
      {"", "must be automatic, or a map of one kind"},
      {"{}", "one kind"},
      {"{csv: a.csv, mask: {steps: [1]}}", "one kind"},
      {"{mask: {steps: [1]}, delimiter: \";\"}", "delimiter belongs to csv"},
      {"{delimiter: \";\"}", "one kind"},
      {"{cvs: a.csv}", "unknown key 'cvs'"},
      {"{csv: [a]}", "csv must be a text"},
      {"{csv: ''}", "name of a file"},
      {"{csv: a.csv, delimiter: ab}", "one character"},
      {"{csv: a.csv, delimiter: ''}", "one character"},
      {"{intervals: 5}", "intervals must be a map"},
      {"{intervals: [0, 5]}", "must be a list of numbers"},
      {"{intervals: [[0, x]]}", "decimal"},
      {"{intervals: [[5, 0]]}", "must rise"},
      {"{intervals: []}", "at least one list"},
      {"{intervals: {from: 0, to: 5}}", "need from, to and width"},
      {"{intervals: {from: 0, to: 5, width: 1, next: [2]}}", "unknown key 'next'"},
      {"{intervals: {from: 0, to: 5, width: 2, then: [3]}}", "multiple"},
      {"{groups: {a: [b]}}", "one map of groups a level"},
      {"{groups: [a]}", "must be a map"},
      {"{groups: [{a: [b], a: [c]}]}", "twice"},
      {"{groups: [{a: [[b]]}]}", "members of a group"},
      {"{groups: [{a: {b: c}}]}", "members of a group"},
      {"{groups: [{a: [b], c: [b]}]}", "twice in level 1"},
      {"{mask: right}", "mask must be a map"},
      {"{mask: {side: up, steps: [1]}}", "side must be left or right"},
      {"{mask: {side: right}}", "needs steps"},
      {"{mask: {steps: [0]}}", "whole number between 1"},
      {"{mask: {steps: [1.5]}}", "whole number"},
      {"{mask: {steps: [3, 1]}}", "must rise"},
      {"{dates: [week]}", "day, month, year or decade"},
      {"{dates: [year, month]}", "coarser"},
      {"{dates: []}", "at least one level"},
      {"{dates: {levels: year}}", "must be a list"},
      {"{dates: {order: dmy}}", "day-first or month-first"},
      {"{dates: {from: 1920-01-01}}", "from and to belong together"},
      {"{dates: {to: 1920-01-01}}", "from and to belong together"},
      {"{dates: {from: 1920-01-01, to: soon}}", "to must be a day"},
      {"{dates: {from: 1920-01, to: 1930-01-01}}", "from must be a day"},
      {"{dates: {from: 1920-02-30, to: 1930-01-01}}", "from must be a day"},
      {"{dates: {from: 1930-01-01, to: 1920-01-01}}", "before"},
      {"{order: {fanout: 1}}", "fanout"},
      {"{order: {values: []}}", "must not be empty"},
      {"{order: {values: [a, a]}}", "listed twice"},
      {"{order: [a, b]}", "order must be a map"},
  };
  for (const auto& [text, message] : wrong) EXPECT_THAT(error_in(text), HasSubstr(message)) << text;
}

TEST(HierarchyYaml, JoinsPathsWithTheFolder) {
  EXPECT_EQ(parsed("{csv: h/age.csv}", "policies"), HierarchySpec(CsvSpec{"policies/h/age.csv", {}}));
  EXPECT_EQ(parsed("{csv: ../age.csv}", "policies"), HierarchySpec(CsvSpec{"age.csv", {}}));
  EXPECT_EQ(parsed("{csv: /data/age.csv}", "policies"), HierarchySpec(CsvSpec{"/data/age.csv", {}}));
}

TEST(HierarchyYaml, WritesPathsRelativeToTheFolder) {
  EXPECT_EQ(relative_to("out", "data/age.csv"), "../data/age.csv");
  EXPECT_EQ(relative_to(".", "data/age.csv"), "data/age.csv");
  EXPECT_EQ(relative_to("", "data/age.csv"), "data/age.csv");
  EXPECT_EQ(relative_to("a/b", "a/b/c.csv"), "c.csv");
  EXPECT_EQ(relative_to("out", "/data/age.csv"), "/data/age.csv");
  EXPECT_EQ(relative_to("/somewhere", "/data/age.csv"), "/data/age.csv");
  for (const char* folder : {"", ".", "out", "a/b", "a/../b"}) {
    for (const char* path : {"x.csv", "a/x.csv", "a/b/c/x.csv", "../x.csv", "/x.csv"}) {
      EXPECT_EQ(joined_with(folder, relative_to(folder, path)), std::filesystem::path(path)) << folder << ' ' << path;
    }
  }
}

TEST(HierarchyYaml, WhatIsWrittenReadsBack) {
  const std::vector<HierarchySpec> specs = {
      AutomaticSpec{},
      CsvSpec{"h/a: b #1.csv", ','},
      CsvSpec{"/abs/年龄.csv", {}},
      IntervalsSpec{{{Rational(-1, 2), 0, Rational(1, 4), *Rational::parse("1e300")},
                     {Rational(-1, 2), *Rational::parse("1e300")}}},
      WidthsSpec{0, 100, Rational(1, 8), {1, 5}},
      WidthsSpec{0, 100, 5, {}},
      GroupsSpec{{{{"a: b", {"null", "", "~", "x, y"}}, {"[c]", {"病"}}}, {{"*", {"a: b", "[c]"}}}}},
      MaskSpec{MaskSpec::Side::left, {1, 2, 1000}},
      DatesSpec{{Unit::day, Unit::month, Unit::year, Unit::decade}, DateOrder::day_first},
      DatesSpec{{Unit::decade}, {}},
      DatesSpec{{Unit::day}, DateOrder::month_first, DateRange{{5, 1, 2}, {12, 11, 30}}},
      OrderSpec{{"true", "?", "-"}, 7},
      OrderSpec{},
  };
  for (const HierarchySpec& spec : specs) {
    const std::string text = format_hierarchy_spec(spec, "some/folder");
    EXPECT_EQ(parsed(text, "some/folder"), spec) << text;
  }
}

}  // namespace hierarchy_yaml_test
}  // namespace gauze::schema
