#include "gauze/files/json_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace gauze {
namespace json_reader_test {

std::string again(std::string_view text) {
  const auto json = read_json(text);
  return json ? json->dump() : json.error().message;
}

TEST(JsonReader, GivesBackWhatItRead) {
  for (const char* text : {"null", "true", "false", "0", "-12", "\"\"", "[]", "{}", "[1,[2,{\"a\":null}]]",
                           R"({"b":1,"a":[true,"x"],"c":{"d":"e"}})", R"("quotes \" and \\ and \n")"}) {
    EXPECT_EQ(again(text), text);
  }
}

TEST(JsonReader, KeepsTheDigitsOfFractionsAndHugeIntegers) {
  for (const char* text :
       {"0.1", "1.50", "1e-5", "2.5E+3", "123456789012345678901234567890", "0.1000000000000000055511151231257827"}) {
    EXPECT_EQ(again(text), text);
  }
}

TEST(JsonReader, KeepsTheOrderOfKeys) { EXPECT_EQ(again(R"({"z":1,"a":2,"m":3})"), R"({"z":1,"a":2,"m":3})"); }

TEST(JsonReader, RefusesWhatIsNotJson) {
  for (const char* text : {"", " ", "{", "[1,]", "{\"a\"}", "nul", "1 2", "01", "+1", ".5", "NaN", "Infinity", "'a'",
                           "\"\xFF\"", "\"\x01\"", "// comment\n1", "{\"a\":1,}"}) {
    const auto json = read_json(text);
    ASSERT_FALSE(json) << text;
    EXPECT_EQ(json.error().code, ErrorCode::bad_data);
  }
}

TEST(JsonReader, RefusesDuplicateKeys) {
  EXPECT_EQ(again(R"({"a":1,"a":2})"), "cannot read JSON: a key occurs twice in one object");
  EXPECT_EQ(again(R"({"a":{"b":1},"b":2})"), R"({"a":{"b":1},"b":2})");
}

TEST(JsonReader, RefusesDeepNestingInsteadOfCrashing) {
  EXPECT_TRUE(read_json(std::string(64, '[') + std::string(64, ']')));
  EXPECT_FALSE(read_json(std::string(65, '[') + std::string(65, ']')));
  EXPECT_FALSE(read_json(std::string(5'000'000, '[')));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_FALSE(read_json(objects));
}

TEST(JsonReader, RefusesHugeNumbersAndManyKeys) {
  EXPECT_EQ(again("1e400"), "cannot read JSON: a number is beyond the range of doubles");
  std::string object = "{";
  for (int i = 0; i < 2000; ++i) object += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":0";
  EXPECT_FALSE(read_json(object + "}"));
}

TEST(JsonReader, DoesNotQuoteTheTextInItsErrors) {
  for (const char* text :
       {R"({"name":"Jane Roe", oops})", "[\"Jane Roe\", 1e999]", "Jane Roe", "{\"Jane Roe\":1,\"Jane Roe\":2}"}) {
    EXPECT_EQ(again(text).find("Jane"), std::string::npos) << again(text);
  }
}

TEST(JsonReader, SurvivesEveryBeginningOfADocument) {
  const std::string text = R"({"a":[1,2.5,{"b":null}],"c":"text é","d":true})";
  for (std::size_t length = 0; length < text.size(); ++length) EXPECT_FALSE(read_json(text.substr(0, length)));
}

TEST(JsonKind, TellsValuesApart) {
  EXPECT_EQ(kind_of(Json()), JsonKind::null);
  EXPECT_EQ(kind_of(Json(true)), JsonKind::boolean);
  EXPECT_EQ(kind_of(Json(false)), JsonKind::boolean);
  EXPECT_EQ(kind_of(Json(-1)), JsonKind::number);
  EXPECT_EQ(kind_of(Json("true")), JsonKind::string);
  EXPECT_EQ(kind_of(Json("")), JsonKind::string);
  EXPECT_EQ(kind_of(Json::array()), JsonKind::array);
  EXPECT_EQ(kind_of(Json::object()), JsonKind::object);
}

}  // namespace json_reader_test
}  // namespace gauze
