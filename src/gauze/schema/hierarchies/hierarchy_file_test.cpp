#include "gauze/schema/hierarchies/hierarchy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "gauze/files/atomic_file.h"
#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace hierarchy_file_test {

using std::string_literals::operator""s;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

HierarchyFile parsed(std::string_view text, std::optional<char> delimiter = {}) {
  auto file = parse_hierarchy(text, "test", delimiter);
  EXPECT_TRUE(file) << file.error().message;
  return file ? *file : HierarchyFile{*Hierarchy::make("none", {{""}}), false, 0};
}

std::string error_in(std::string_view text, std::optional<char> delimiter = {}) {
  return error_of(parse_hierarchy(text, "test", delimiter));
}

bool same(const Hierarchy& a, const Hierarchy& b) {
  if (a.levels() != b.levels() || a.size() != b.size()) return false;
  for (std::uint32_t row = 0; row < a.size(); ++row) {
    for (int level = 0; level < a.levels(); ++level) {
      if (a.text(level, a.code(level, row)) != b.text(level, b.code(level, row))) return false;
    }
  }
  return true;
}

TEST(HierarchyFile, ReadsEveryDelimiter) {
  for (const char delimiter : {';', ',', '\t', '|'}) {
    std::string text = "Bonn;NRW;*\nUlm;BW;*\n";
    std::replace(text.begin(), text.end(), ';', delimiter);
    const HierarchyFile file = parsed(text);
    EXPECT_EQ(file.delimiter, delimiter);
    EXPECT_EQ(file.hierarchy.levels(), 3);
    EXPECT_THAT(path_of(file.hierarchy, "Ulm"), ElementsAre("Ulm", "BW", "*"));
  }
}

TEST(HierarchyFile, SniffsTheDelimiterThatCutsAllLinesAlike) {
  // Commas inside the labels of intervals, and one stray semicolon in a file of commas.
  EXPECT_EQ(parsed("17;[0, 35);*\n40;[35, 46);*\n").delimiter, ';');
  EXPECT_EQ(parsed("a;b,x,*\nc,y,*\n").delimiter, ',');
  EXPECT_EQ(parsed("one\ntwo\n").hierarchy.levels(), 1);
  EXPECT_EQ(parsed("a,b\n").delimiter, ',');
  EXPECT_EQ(parsed("a,b\n", ';').hierarchy.levels(), 1);
  EXPECT_EQ(parsed("a:b\n", ':').hierarchy.levels(), 2);
}

TEST(HierarchyFile, SkipsWhatIsNotAValue) {
  const HierarchyFile file = parsed("\xEF\xBB\xBF 1 ;\tlow; * \r\n\r\n  \r\n2;low;*\r\n\n3;high;*");
  EXPECT_EQ(file.hierarchy.size(), 3U);
  EXPECT_THAT(path_of(file.hierarchy, "1"), ElementsAre("1", "low", "*"));
  EXPECT_THAT(path_of(file.hierarchy, "3"), ElementsAre("3", "high", "*"));
}

TEST(HierarchyFile, ReadsQuotes) {
  const HierarchyFile file =
      parsed("\"a;b\";\"say \"\"hi\"\"\";*\n \"c\" ;\"two\nlines\";*\n5\" pipe;x;*\n\"\";y;*\n");
  EXPECT_THAT(path_of(file.hierarchy, "a;b"), ElementsAre("a;b", "say \"hi\"", "*"));
  EXPECT_THAT(path_of(file.hierarchy, "c"), ElementsAre("c", "two\nlines", "*"));
  EXPECT_THAT(path_of(file.hierarchy, "5\" pipe"), ElementsAre("5\" pipe", "x", "*"));
  EXPECT_THAT(path_of(file.hierarchy, ""), ElementsAre("", "y", "*"));
  EXPECT_EQ(error_in("a;*\nb;\"c\nd;*\n"), "hierarchy 'test': line 2 has a quote that does not end");
  EXPECT_THAT(path_of(parsed("\"a\" b;*\n").hierarchy, "a b"), ElementsAre("a b", "*"));
}

TEST(HierarchyFile, NamesTheLineOfTheFile) {
  // Blank lines, the comment and line breaks in quotes count as lines.
  EXPECT_THAT(error_in("1;*\n\n2;low;*\n"), HasSubstr("line 3 has 3 levels"));
  EXPECT_THAT(error_in("# gauze: made from data\n1;*\n2;low;*\n"), HasSubstr("line 3 has 3 levels"));
  EXPECT_THAT(error_in("\"1\n\n\";*\n2;*\n2;*\n"), HasSubstr("line 5: the ground value of line 4"));
  EXPECT_THAT(error_in("1;a;*\n2;b;*\n3;a;x\n"), HasSubstr("on line 1 and another on line 3"));
}

TEST(HierarchyFile, RefusesWhatIsNoText) {
  EXPECT_EQ(error_in(""), "hierarchy 'test' has no lines");
  EXPECT_EQ(error_in("\n \r\n\n"), "hierarchy 'test' has no lines");
  EXPECT_EQ(error_in("1;*\n\xFF;*\n"), "hierarchy 'test': line 2 is not UTF-8");
  EXPECT_EQ(error_in("1;*\n2;*\nx\0;*\n"s), "hierarchy 'test': line 3 is not UTF-8");
}

TEST(HierarchyFile, MessagesDoNotQuoteValues) {
  for (const std::string_view text : {"secret;*\nsecret;*\n", "secret;a;*\nb\n", "x;secret;1\ny;secret;2\n"}) {
    EXPECT_THAT(error_in(text), ::testing::Not(HasSubstr("secret")));
  }
}

TEST(HierarchyFile, KnowsWhetherItWasMadeFromData) {
  EXPECT_TRUE(parsed("# gauze: made from data\r\n1;*\n").made_from_data);
  EXPECT_TRUE(parsed("\xEF\xBB\xBF# gauze: made from data\n1;*\n").made_from_data);
  EXPECT_FALSE(parsed("1;*\n").made_from_data);
  // Nothing else is a comment: a value may begin with a hash.
  EXPECT_EQ(parsed("#1;*\n# gauze: made from data;*\n").hierarchy.size(), 2U);
  EXPECT_THAT(error_in("# gauze: made from data"), HasSubstr("no lines"));
}

TEST(HierarchyFile, ReadsChinese) {
  const HierarchyFile file = parsed("朝阳区,北京,中国\n浦东,上海,中国\n");
  EXPECT_THAT(path_of(file.hierarchy, "浦东"), ElementsAre("浦东", "上海", "中国"));
}

TEST(HierarchyFile, WhatIsWrittenReadsBack) {
  const auto hierarchy = Hierarchy::make("odd", {{"a;b", "x,y", "*"},
                                                 {"# gauze: made from data", "\"", "*"},
                                                 {"two\nlines", "t\tab", "*"},
                                                 {"", "|", "*"},
                                                 {"年龄", "[0, 35)", "*"}});
  ASSERT_TRUE(hierarchy);
  for (const bool made : {false, true}) {
    const HierarchyFile file = parsed(format_hierarchy(*hierarchy, made));
    EXPECT_EQ(file.made_from_data, made);
    EXPECT_TRUE(same(file.hierarchy, *hierarchy));
  }
  const auto marked = Hierarchy::make("marked", {{"b\xEF\xBB\xBF\x63"}, {"a"}});  // at the ends it is a blank
  EXPECT_TRUE(same(parsed(format_hierarchy(*marked, false)).hierarchy, *marked));
  // One level whose values look delimited, and an empty value on a line of its own.
  const auto flat = Hierarchy::make("flat", {{"[0, 35)"}, {"[35, 46)"}, {""}});
  EXPECT_TRUE(same(parsed(format_hierarchy(*flat, false)).hierarchy, *flat));
}

RC_GTEST_PROP(HierarchyFile, AnyTextsReadBack, ()) {
  const auto text = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab;,|\t\"\n#' ")));
  const auto trimmed_text = rc::gen::map(text, [](const std::string& s) {
    const auto begin = s.find_first_not_of(" \t\n");
    return begin == std::string::npos ? std::string() : s.substr(begin, s.find_last_not_of(" \t\n") - begin + 1);
  });
  const auto values = *rc::gen::unique<std::vector<std::string>>(trimmed_text);
  RC_PRE(!values.empty());
  const auto levels = *rc::gen::inRange(1, 4);
  std::vector<std::vector<std::string>> rows;
  for (const std::string& value : values) rows.emplace_back(static_cast<std::size_t>(levels), value);
  const auto hierarchy = Hierarchy::make("random", rows);
  RC_ASSERT(hierarchy.has_value());
  const auto back = parse_hierarchy(format_hierarchy(*hierarchy, false), "back");
  RC_ASSERT(back.has_value());
  RC_ASSERT(same(back->hierarchy, *hierarchy));
}

TEST(HierarchyFile, WritesAndReadsFiles) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("gauze-hierarchy-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const auto hierarchy = Hierarchy::make("age", {{"1", "*"}, {"2", "*"}});
  ASSERT_TRUE(write_hierarchy_file(folder / "age.csv", *hierarchy, true));
  EXPECT_EQ(*read_file(folder / "age.csv"), "# gauze: made from data\n1;*\n2;*\n");
  const auto back = read_hierarchy_file(folder / "age.csv", "age");
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->made_from_data);
  const auto absent = read_hierarchy_file(folder / "absent.csv", "age");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::io);
  std::filesystem::remove_all(folder);
}

TEST(HierarchyFile, ReadsTheFilesOfArx) {
  const auto data = data_folder();
  if (!data) GTEST_SKIP() << "no data folder: set GAUZE_DATA";
  const std::vector<std::pair<std::string, std::pair<std::uint32_t, int>>> expected = {
      {"age", {100, 5}},           {"education", {16, 4}},  {"marital-status", {7, 3}},
      {"native-country", {41, 3}}, {"occupation", {14, 3}}, {"race", {5, 2}},
      {"salary-class", {2, 2}},    {"sex", {2, 2}},         {"workclass", {8, 3}}};
  for (const auto& [name, shape] : expected) {
    const auto file = read_hierarchy_file(*data / "arx-adult" / ("adult_hierarchy_" + name + ".csv"), name);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->delimiter, ';');
    EXPECT_EQ(file->hierarchy.size(), shape.first) << name;
    EXPECT_EQ(file->hierarchy.levels(), shape.second) << name;
    EXPECT_EQ(file->hierarchy.value_count(file->hierarchy.height()), 1U) << name;
    EXPECT_FALSE(file->made_from_data);
  }
}

}  // namespace hierarchy_file_test
}  // namespace gauze::schema
