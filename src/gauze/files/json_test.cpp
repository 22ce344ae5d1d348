#include "gauze/files/json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace gauze {
namespace json_test {

using Parsed = nlohmann::ordered_json;  // keeps the order of keys

TEST(Json, PrintsScalars) {
  EXPECT_EQ(Json().dump(), "null");
  EXPECT_EQ(Json(nullptr).dump(), "null");
  EXPECT_EQ(Json(true).dump(), "true");
  EXPECT_EQ(Json(false).dump(), "false");
  EXPECT_EQ(Json(-7).dump(), "-7");
  EXPECT_EQ(Json("text").dump(), "\"text\"");
  EXPECT_EQ(Json(std::string("a")).dump(), "\"a\"");
  EXPECT_EQ(Json(std::string_view("b")).dump(), "\"b\"");
}

TEST(Json, IntegersOfAllWidthsAreExact) {
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
  EXPECT_EQ(Json(std::uint8_t{255}).dump(), "255");
  EXPECT_EQ(Json(std::size_t{0}).dump(), "0");
}

TEST(Json, DoublesAreTheShortestThatReadBack) {
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(1e300).dump(), "1e+300");
  EXPECT_EQ(Json(0.1F).dump(), "0.10000000149011612");
}

TEST(Json, InfiniteAndUndefinedFiguresAreNull) {
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json(-std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  EXPECT_TRUE(Json(std::nan("")).is_null());
}

TEST(Json, ANumberKeepsItsDigits) {
  const std::string digits = "0.1000000000000000000000000000000000000001";
  EXPECT_EQ(Json::number(digits).dump(), digits);
  EXPECT_EQ(Json::number(digits).text(), digits);
}

TEST(Json, EscapesWhatMustBeEscaped) {
  EXPECT_EQ(Json("say \"hi\"").dump(), R"("say \"hi\"")");
  EXPECT_EQ(Json("a\\b").dump(), R"("a\\b")");
  EXPECT_EQ(Json("1\n2\r3\t4").dump(), R"("1\n2\r3\t4")");
  EXPECT_EQ(Json(std::string_view("\0\x01\x1f", 3)).dump(), R"("\u0000\u0001\u001f")");
  EXPECT_EQ(Json("/\x7f").dump(), "\"/\x7f\"") << "neither needs it";
}

TEST(Json, EscapesKeysToo) { EXPECT_EQ(Json().set("a\"\n", 1).dump(), R"({"a\"\n":1})"); }

TEST(Json, LeavesUtf8AsItIs) {
  for (const char* text :
       {"Z\xC3\xBCrich", "\xE9\x9A\x90\xE7\xA7\x81", "\xF0\x9F\x94\x92", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(Json(text).dump(), std::string("\"") + text + "\"");
  }
}

TEST(Json, ReplacesBytesThatAreNotUtf8) {
  const std::string mark = "\xEF\xBF\xBD";
  const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
  EXPECT_EQ(Json("a\xFFz").dump(), quoted("a" + mark + "z"));
  EXPECT_EQ(Json("\xC3").dump(), quoted(mark)) << "cut off";
  EXPECT_EQ(Json("\xC3(").dump(), quoted(mark + "("));
  EXPECT_EQ(Json("\xC0\xAF").dump(), quoted(mark + mark)) << "overlong";
  EXPECT_EQ(Json("\xE0\x80\xAF").dump(), quoted(mark + mark + mark)) << "overlong";
  EXPECT_EQ(Json("\xED\xA0\x80").dump(), quoted(mark + mark + mark)) << "surrogate";
  EXPECT_EQ(Json("\xF4\x90\x80\x80").dump(), quoted(mark + mark + mark + mark)) << "above U+10FFFF";
  EXPECT_EQ(Json("\x80").dump(), quoted(mark)) << "continuation alone";
}

TEST(Json, KeysKeepTheirOrderAndSetReplaces) {
  Json json;
  json.set("z", 1).set("a", 2).set("m", 3);
  EXPECT_EQ(json.dump(), R"({"z":1,"a":2,"m":3})");
  json.set("a", "new");
  EXPECT_EQ(json.dump(), R"({"z":1,"a":"new","m":3})") << "in its old place";
  ASSERT_NE(json.members(), nullptr);
  EXPECT_EQ(json.members()->size(), 3U);
}

TEST(Json, FindsMembers) {
  const Json json = Json::object({{"a", 1}, {"b", Json::array({"x"})}});
  ASSERT_NE(json.find("a"), nullptr);
  EXPECT_EQ(json.find("a")->text(), "1");
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(Json(3).find("a"), nullptr);
  ASSERT_NE(json.find("b")->elements(), nullptr);
  EXPECT_EQ(json.find("b")->elements()->front().text(), "x");
  EXPECT_EQ(Json(true).text(), "");
  EXPECT_EQ(json.elements(), nullptr);
}

TEST(Json, ANullGrowsIntoWhatIsAdded) {
  Json list;
  list.push(1);
  list.push(nullptr);
  EXPECT_EQ(list.dump(), "[1,null]");
  EXPECT_EQ(Json::array().dump(), "[]");
  EXPECT_EQ(Json::object().dump(), "{}");
  EXPECT_EQ(Json::object().dump(2), "{}");
  EXPECT_EQ(Json::array().dump(2), "[]");
}

TEST(JsonDeathTest, MixingKindsIsABrokenInvariant) {
  EXPECT_DEATH(Json(1).set("a", 2), "members");
  EXPECT_DEATH(Json::object().push(1), "elements");
}

TEST(Json, IndentedTextIsPleasantToRead) {
  Json json;
  json.set("mechanism", "laplace").set("values", Json::array({1, 2, 3}));
  json.set("parameters", Json::object({{"epsilon", Json::number("0.1")}}));
  json.set("rows", Json::array({Json::array({1, 2}), Json::object({{"a", nullptr}})}));
  EXPECT_EQ(json.dump(2), R"({
  "mechanism": "laplace",
  "values": [1, 2, 3],
  "parameters": {
    "epsilon": 0.1
  },
  "rows": [
    [1, 2],
    {
      "a": null
    }
  ]
})");
}

TEST(Json, IndentChangesNothingButBlanks) {
  const Json json = Json::object({{"a", Json::array({1, Json::object(), Json::array({"x", 2.5})})},
                                  {"b", Json::object({{"c", false}, {"d", Json::array()}})}});
  const auto flat = Parsed::parse(json.dump());
  for (const int indent : {1, 2, 4}) EXPECT_EQ(Parsed::parse(json.dump(indent)), flat) << indent;
  EXPECT_EQ(flat.dump(), json.dump()) << "an independent writer agrees to the letter";
}

TEST(Json, CopiesAreIndependent) {
  Json a = Json::object({{"k", 1}});
  Json b = a;
  b.set("k", 2);
  EXPECT_EQ(a.dump(), R"({"k":1})");
}

RC_GTEST_PROP(JsonProperty, AnyBytesGiveAValidDocument, ()) {
  const auto text = *rc::gen::arbitrary<std::string>();
  const auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  const Json json = Json::object({{text, bytes}});
  RC_ASSERT(Parsed::accept(json.dump()));
  RC_ASSERT(Parsed::accept(json.dump(2)));
}

RC_GTEST_PROP(JsonProperty, AsciiTextComesBack, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  RC_ASSERT(Parsed::parse(Json(text).dump()).get<std::string>() == text);
}

RC_GTEST_PROP(JsonProperty, DoublesComeBack, (double value)) {
  RC_PRE(std::isfinite(value));
  RC_ASSERT(Parsed::parse(Json(value).dump()).get<double>() == value);
}

RC_GTEST_PROP(JsonProperty, IntegersComeBack, (std::int64_t value, std::uint64_t natural)) {
  RC_ASSERT(Parsed::parse(Json(value).dump()).get<std::int64_t>() == value);
  RC_ASSERT(Parsed::parse(Json(natural).dump()).get<std::uint64_t>() == natural);
}

}  // namespace json_test
}  // namespace gauze
