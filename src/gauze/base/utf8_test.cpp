#include "gauze/base/utf8.h"

#include <gtest/gtest.h>

namespace gauze {
namespace utf8_test {

using std::string_view_literals::operator""sv;

TEST(Utf8, KnowsTheLengthOfACharacter) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("é"), 2U);
  EXPECT_EQ(utf8_length("病人"), 3U);
  EXPECT_EQ(utf8_length("\xF0\x9F\x98\x80"), 4U);
  EXPECT_EQ(utf8_length("\0"sv), 1U);
  EXPECT_EQ(utf8_length(""), 0U);
}

TEST(Utf8, RefusesWhatIsNotWellFormed) {
  for (const std::string_view bad :
       {"\x80"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xC3"sv, "\xE0\x80\x80"sv, "\xED\xA0\x80"sv, "\xE4\xB8"sv,
        "\xE4\xB8x"sv, "\xF0\x80\x80\x80"sv, "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xFF"sv, "\xFE\xFF"sv}) {
    EXPECT_EQ(utf8_length(bad), 0U);
    EXPECT_EQ(find_invalid_utf8(bad), 0U);
  }
  // The ends of the ranges are characters.
  for (const std::string_view good : {"\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv, "\xED\x9F\xBF"sv,
                                      "\xEE\x80\x80"sv, "\xF0\x90\x80\x80"sv, "\xF4\x8F\xBF\xBF"sv}) {
    EXPECT_EQ(utf8_length(good), good.size());
    EXPECT_FALSE(find_invalid_utf8(good));
  }
  EXPECT_EQ(find_invalid_utf8("年龄\xFFx"), 6U);
  for (std::size_t place = 0; place < 40; ++place) {
    std::string text(40, 'a');
    text[place] = '\xFF';
    EXPECT_EQ(find_invalid_utf8(text), place);
  }
}

TEST(Utf8, CountsCharactersNotBytes) {
  EXPECT_EQ(character_count("年龄"), 2U);
  EXPECT_EQ(character_count("añb"), 3U);
  EXPECT_EQ(character_count("\xFF\xFE"), 2U);
  EXPECT_EQ(character_offset("年龄a", 1), 3U);
  EXPECT_EQ(character_offset("年龄a", 2), 6U);
  EXPECT_EQ(character_offset("年龄a", 9), 7U);
  EXPECT_EQ(character_offset("年龄a", 0), 0U);
}

TEST(Utf8, TrimsBlanksAtTheEndsOnly) {
  EXPECT_EQ(trimmed("  a b\t\r"), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Utf8, TrimsWhatLooksLikeNothing) {
  EXPECT_EQ(trimmed("\u00A0HIV\u3000 "), "HIV");
  EXPECT_EQ(trimmed("\u2003\u200B年 龄\uFEFF\u202F"), "年 龄");
  EXPECT_EQ(trimmed("\u3000\t\u00A0"), "");
  EXPECT_EQ(trimmed("a\u00A0b"), "a\u00A0b");
  // Bytes that only look like the end of a blank.
  EXPECT_EQ(trimmed("\u0420"), "\u0420");
  EXPECT_EQ(trimmed("\xA0x\x80"), "\xA0x\x80");
  for (std::size_t place = 0; place < kBlanks.size();) {
    const std::size_t length = utf8_length(kBlanks.substr(place));
    ASSERT_GT(length, 0U);
    EXPECT_EQ(trimmed(kBlanks.substr(place, length)), "");
    place += length;
  }
}

}  // namespace utf8_test
}  // namespace gauze
