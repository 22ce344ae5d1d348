#include "gauze/files/yaml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace gauze {
namespace yaml_reader_test {

using std::string_literals::operator""s;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(std::string_view text, const YamlLimits& limits = {}) {
  const auto node = parse_yaml(text, "p.yaml", limits);
  return node ? "" : node.error().message;
}

YamlNode parsed(std::string_view text) {
  auto node = parse_yaml(text);
  EXPECT_TRUE(node) << node.error().message;
  return node ? *node : YamlNode();
}

TEST(YamlReader, KeepsOrderLinesAndTexts) {
  const YamlNode root = parsed("b: 1\na:\n  - x y\n  - '?'\n  - 0.10\nc: {d: null}\n年龄: [39]\n");
  ASSERT_TRUE(root.is_map());
  ASSERT_EQ(root.keys.size(), 4U);
  EXPECT_EQ(root.keys[0].text, "b");
  EXPECT_EQ(root.keys[1].line, 2U);
  const YamlNode* list = root.find("a");
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->items[0].text, "x y");
  EXPECT_TRUE(list->items[1].quoted);
  EXPECT_EQ(list->items[2].text, "0.10");
  EXPECT_EQ(list->items[2].line, 5U);
  EXPECT_EQ(root.find("c")->find("d")->kind, YamlNode::Kind::null);
  EXPECT_EQ(root.find("年龄")->items[0].text, "39");
  EXPECT_EQ(root.find("z"), nullptr);
}

TEST(YamlReader, RefusesDuplicateKeysAtAnyDepth) {
  EXPECT_EQ(error_of("a: 1\nb: 2\na: 3\n"), "p.yaml:3: the key 'a' is there twice, first on line 1");
  EXPECT_THAT(error_of("x:\n  - {k: 1, k: 2}\n"), StartsWith("p.yaml:2: "));
  EXPECT_THAT(error_of("a: 1\n'a': 2\n"), HasSubstr("twice"));
}

TEST(YamlReader, RefusesWhatAPolicyNeedsNot) {
  EXPECT_THAT(error_of("a: !!binary aGk=\n"), HasSubstr("tags"));
  EXPECT_THAT(error_of("a: !x {b: 1}\n"), HasSubstr("tags"));
  EXPECT_THAT(error_of("a: 1\n---\nb: 2\n"), HasSubstr("more than one document"));
  EXPECT_THAT(error_of("? [a, b]\n: c\n"), HasSubstr("key must be"));
  EXPECT_THAT(error_of("? {a: b}\n: c\n"), HasSubstr("key must be"));
  EXPECT_THAT(error_of("~: c\n"), HasSubstr("key must be"));
  EXPECT_THAT(error_of("a: 1\nb: \"x\n"), HasSubstr("not YAML"));
  EXPECT_THAT(error_of("a: 1\nb: \"x\nc: 3\n"), HasSubstr("not YAML"));
  EXPECT_THAT(error_of("a: 1\nb: 'x\nc: 3\n"), HasSubstr("not YAML"));
  EXPECT_THAT(error_of("a: 1\nb: 'x\nc: 3\n\n\n"), HasSubstr("not YAML"));
  EXPECT_THAT(error_of("a: 1\nb: [x\n"), HasSubstr("not YAML"));
  EXPECT_THAT(error_of("a: 1\nb: \xFF\n"), StartsWith("p.yaml:2: the text is not UTF-8"));
  // yaml-cpp takes this byte for the end of the file: what follows would not be read.
  EXPECT_THAT(error_of("a: 1\n\x04\nk: 5\n"), StartsWith("p.yaml:2: the text has a control character"));
  EXPECT_THAT(error_of("a: \0\n"s), HasSubstr("control character"));
}

TEST(YamlReader, NamesTheLineWithoutAFile) {
  const auto node = parse_yaml("a: 1\na: 2\n");
  ASSERT_FALSE(node);
  EXPECT_THAT(node.error().message, StartsWith("line 2: "));
  EXPECT_EQ(node.error().code, ErrorCode::invalid_parameter);
}

TEST(YamlReader, HoldsItsLimits) {
  EXPECT_THAT(error_of("a: 1234567890\n", {.bytes = 8}), HasSubstr("larger than 8 bytes"));
  EXPECT_THAT(error_of("[[[[[]]]]]", {.depth = 4}), HasSubstr("nested more than 4"));
  EXPECT_EQ(error_of("[[[[]]]]", {.depth = 4}), "");
  // yaml-cpp gives up on so many simple keys at once and makes them pairs; what matters is that it ends quickly.
  EXPECT_NE(error_of(std::string(100'000, '[')), "");
  std::string dashes;
  for (int i = 0; i < 50'000; ++i) dashes += "- ";
  EXPECT_THAT(error_of(dashes), HasSubstr("nested"));
  EXPECT_THAT(error_of("[1, 2, 3, 4]", {.nodes = 4}), HasSubstr("more than 4 values"));
}

TEST(YamlReader, AliasesRepeatAndCountInFull) {
  const YamlNode root = parsed("a: &x [1, 2]\nb: *x\n");
  ASSERT_EQ(root.find("b")->items.size(), 2U);
  EXPECT_EQ(root.find("b")->items[1].text, "2");
  EXPECT_THAT(error_of("a: &x [*x]\n"), HasSubstr("alias"));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  }
  EXPECT_THAT(error_of(bomb), HasSubstr("more than 200000 values"));
}

TEST(YamlReader, AnEmptyFileIsNothing) {
  EXPECT_EQ(parsed("").kind, YamlNode::Kind::null);
  EXPECT_EQ(parsed("# only a comment\n").kind, YamlNode::Kind::null);
  EXPECT_EQ(parsed("\xEF\xBB\xBFk: 1\n").find("k")->text, "1");
}

TEST(YamlReader, NullIsAWordAsAKeyAndNothingAsAValue) {
  const YamlNode root = parsed("年龄: {null: [a], b: null}\nc:\nnull: 5\n");
  EXPECT_EQ(root.find("年龄")->find("null")->items[0].text, "a");
  EXPECT_EQ(root.find("年龄")->find("b")->kind, YamlNode::Kind::null);
  EXPECT_EQ(root.find("c")->kind, YamlNode::Kind::null);
  EXPECT_EQ(root.find("null")->text, "5");
  EXPECT_THAT(error_of("null: 1\nnull: 2\n"), HasSubstr("twice"));
  EXPECT_EQ(parsed("\xEF\xBB\xBF# é\r\nnull: 1\r\n").find("null")->text, "1");
  EXPECT_THAT(read_texts(parsed("[a, null]"), "values").error().message, HasSubstr("in quotes"));
  EXPECT_THAT(read_text(parsed("~"), "value").error().message, HasSubstr("in quotes"));
}

TEST(YamlReader, UnknownKeysComeWithTheNearestKnownOne) {
  const YamlNode root = parsed("metric: loss\nsupression: 0.05\n");
  const auto checked = check_keys(root, {"metric", "suppression"}, "search");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message, "line 2: search has an unknown key 'supression'; did you mean 'suppression'?");
  EXPECT_TRUE(check_keys(root, {"metric", "supression"}, "search"));
  EXPECT_THAT(check_keys(parsed("[1]"), {}, "search").error().message, HasSubstr("must be a map"));
}

TEST(YamlReader, ReadsScalarsOfEachKind) {
  const YamlNode root = parsed("t: true\nq: \"true\"\nn: 0.1\nk: 5\nw: los\nl: [a, 1]\nm: {}\nnothing:\n");
  EXPECT_EQ(read_bool(*root.find("t"), "t"), true);
  EXPECT_FALSE(read_bool(*root.find("q"), "q"));
  EXPECT_FALSE(read_bool(*root.find("n"), "n"));
  EXPECT_EQ(*read_number(*root.find("n"), "n"), Rational(1, 10));
  EXPECT_FALSE(read_number(*root.find("w"), "w"));
  EXPECT_FALSE(read_number(*root.find("l"), "l"));
  EXPECT_EQ(read_count(*root.find("k"), "k", 1, 9), 5U);
  EXPECT_EQ(read_count(*root.find("k"), "k", 6, 9).error().message,
            "line 4: k must be a whole number between 6 and 9, but is 5");
  EXPECT_FALSE(read_count(*root.find("k"), "k", 1, 4));
  EXPECT_FALSE(read_count(*root.find("n"), "n", 0, 4));
  EXPECT_EQ(*read_text(*root.find("k"), "k"), "5");
  EXPECT_FALSE(read_text(*root.find("nothing"), "nothing"));
  EXPECT_EQ(*read_texts(*root.find("l"), "l"), (std::vector<std::string>{"a", "1"}));
  EXPECT_EQ(*read_texts(*root.find("w"), "w"), (std::vector<std::string>{"los"}));
  EXPECT_FALSE(read_texts(*root.find("m"), "m"));
  constexpr Words<int, 3> kWords = {{{5, "loss"}, {7, "aecs"}, {9, "entropy"}}};
  EXPECT_EQ(read_word(*root.find("w"), "metric", kWords).error().message,
            "line 5: metric must be loss, aecs or entropy; did you mean 'loss'?");
  EXPECT_EQ(read_word(parsed("aecs"), "metric", kWords), 7);
}

TEST(YamlReader, WrittenScalarsReadBack) {
  for (const std::string& text : {""s,
                                  "a"s,
                                  "-"s,
                                  "- a"s,
                                  "null"s,
                                  "~"s,
                                  "true"s,
                                  "a: b"s,
                                  "a#b"s,
                                  " a "s,
                                  "\"\\"s,
                                  "a\nb\tc"s,
                                  "\x01\x1F\x7F"s,
                                  "病人"s,
                                  "é"s,
                                  "\xE2\x80\xA8"s,
                                  "\xEF\xBB\xBF"s,
                                  "*x"s,
                                  "&x"s,
                                  "!t"s,
                                  "%d"s,
                                  "@"s,
                                  "`"s,
                                  "a,b"s,
                                  "[x]"s,
                                  "?"s,
                                  "..."s,
                                  "---"s,
                                  "0.10"s,
                                  "<=50K"s,
                                  ">50K"s,
                                  "\xC2\x85"s,
                                  "'"s,
                                  "\0x"s}) {
    const YamlNode root = parsed(fmt::format("{{{}: [{}, x]}}\n", yaml_scalar(text + "k"), yaml_scalar(text)));
    ASSERT_TRUE(root.is_map()) << text;
    EXPECT_EQ(root.keys[0].text, text + "k");
    ASSERT_TRUE(root.items[0].items[0].is_scalar()) << text;
    EXPECT_EQ(root.items[0].items[0].text, text);
  }
  EXPECT_EQ(yaml_scalar("native-country"), "native-country");
  EXPECT_EQ(yaml_scalar("年龄"), "年龄");
}

RC_GTEST_PROP(YamlReader, AnyAsciiTextReadsBack, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  const auto root = parse_yaml(fmt::format("a: {}\n", yaml_scalar(text)));
  RC_ASSERT(root.has_value());
  RC_ASSERT(root->items[0].is_scalar());
  RC_ASSERT(root->items[0].text == text);
}

}  // namespace yaml_reader_test
}  // namespace gauze
