#include "gauze/engines/internal/flat_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace gauze::engines {
namespace flat_json_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// key=value for each member; "(array)", "(object)" and "(unreadable)" for those; "no object" when it is none.
std::vector<std::string> members(std::string_view line) {
  FlatJsonParser parser;
  std::vector<std::string> result;
  const bool object = parser.parse(line, [&](const FlatJsonMember& member) {
    using Kind = FlatJsonMember::Kind;
    std::string value(member.cell());
    if (member.kind == Kind::array) value = "(array)";
    if (member.kind == Kind::object) value = "(object)";
    if (member.kind == Kind::null) value = "(null)";
    if (!member.readable) value = "(unreadable)";
    result.push_back(std::string(member.key) + "=" + value);
  });
  return object ? result : std::vector<std::string>{"no object"};
}

TEST(FlatJson, ReadsSingleValuesAsTheyAreWritten) {
  EXPECT_THAT(members(R"({"a": 1.50, "b":"x", "c":true,"d":false, "e":null, "f":-0, "g":1e400})"),
              ElementsAre("a=1.50", "b=x", "c=true", "d=false", "e=(null)", "f=-0", "g=1e400"));
  EXPECT_THAT(members("{}"), IsEmpty());
  EXPECT_THAT(members(" { \"a\" : 7 } \r"), ElementsAre("a=7"));
  EXPECT_THAT(members(R"({"n":123456789012345678901234567890})"), ElementsAre("n=123456789012345678901234567890"));
}

TEST(FlatJson, UnderstandsEscapes) {
  EXPECT_THAT(members(R"({"a":"\"\\\/\b\f\n\r\t"})"), ElementsAre("a=\"\\/\b\f\n\r\t"));
  EXPECT_THAT(members(R"({"\u00e4":"\u4e0a\ud83d\ude00\u0041"})"), ElementsAre("ä=上😀A"));
  EXPECT_THAT(members(R"({"a":"\u0000"})"), ElementsAre(std::string("a=\0", 3)));
}

TEST(FlatJson, TellsWhatIsNoCharacter) {
  EXPECT_THAT(members("{\"a\":\"\xFF\",\"b\":1}"), ElementsAre("a=(unreadable)", "b=1"));
  EXPECT_THAT(members(R"({"a":"\ud800","b":"\udc00x","c":"\ud800\u0041"})"),
              ElementsAre("a=(unreadable)", "b=(unreadable)", "c=(unreadable)"));
  EXPECT_THAT(members("{\"k\xFF\":1}"), ElementsAre("k\xFF=(unreadable)"));
}

TEST(FlatJson, PassesOverNestedValues) {
  EXPECT_THAT(members(R"({"a":[1,{"b":["]"]}],"c":{"d":"}"},"e":2})"), ElementsAre("a=(array)", "c=(object)", "e=2"));
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_THAT(members(deep), ElementsAre("a=(array)"));
}

TEST(FlatJson, KnowsWhatIsNoObject) {
  for (const char* line : {"",
                           "[1]",
                           "1",
                           "\"a\"",
                           "{",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{\"a\":1",
                           "{\"a\":1}x",
                           "{a:1}",
                           "{\"a\":01}",
                           "{\"a\":1.}",
                           "{\"a\":.5}",
                           "{\"a\":+1}",
                           "{\"a\":1e}",
                           "{\"a\":tru}",
                           "{\"a\":\"\\x\"}",
                           "{\"a\":\"\\u12\"}",
                           "{\"a\":\"b}",
                           "{\"a\":[1}",
                           "{\"a\":[}",
                           "{\"a\" 1}",
                           "{,}",
                           "nul",
                           "{\"a\":nan}"})
    EXPECT_THAT(members(line), ElementsAre("no object")) << line;
}

// Another reader of JSON agrees, on lines made of pieces that are apt to go wrong.
TEST(FlatJson, AgreesWithAnotherReader) {
  const std::string pieces[] = {"{",      "}",        "\"a\"", ":",    ",", "1",
                                "-2.5e3", "\"x\\n\"", "null",  "true", " ", "\"a\":1"};
  std::uint64_t state = 1;
  int objects = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string line = "{";
    const int length = static_cast<int>(state >> 60);
    for (int i = 0; i < length; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      line += pieces[(state >> 33) % 12];
    }
    state = state * 6364136223846793005U + 1442695040888963407U;
    line += "}";
    const auto other = nlohmann::json::parse(line, nullptr, false);
    const auto mine = members(line);
    const bool object = mine != std::vector<std::string>{"no object"};
    bool nested = false;
    for (const auto& member : mine) nested |= member.ends_with("(object)");
    if (nested) continue;  // what is inside is not looked at
    ASSERT_EQ(object, other.is_object()) << line;
    objects += object ? 1 : 0;
  }
  EXPECT_GT(objects, 1000);
}

}  // namespace flat_json_test
}  // namespace gauze::engines
