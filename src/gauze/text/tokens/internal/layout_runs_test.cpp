#include "gauze/text/tokens/internal/layout_runs.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <random>
#include <string>

namespace gauze::text {
namespace layout_runs_test {

std::string utf8(UChar32 c) {
  std::string bytes(4, '\0');
  std::int32_t size = 0;
  UBool error = false;
  U8_APPEND(reinterpret_cast<std::uint8_t*>(bytes.data()), size, 4, c, error);
  EXPECT_FALSE(error);
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

/// The layout of a text, one piece after the other.
std::string layout_of(const std::string& text) {
  Tokenizer tokenizer;
  std::vector<Token> tokens;
  tokenizer.split(text, tokens);
  std::string layout;
  std::size_t end = 0;
  for (const Token& token : tokens) {
    EXPECT_EQ(token.begin, end);
    end = token.end;
    if (token.kind == TokenKind::layout) layout += text.substr(token.begin, token.end - token.begin);
  }
  EXPECT_EQ(end, text.size());
  return layout;
}

/// Letters, digits, marks, pictures, private and unassigned characters.
bool has_content(const std::string& text) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t i = 0; i < size;) {
    UChar32 c = 0;
    U8_NEXT(bytes, i, size, c);
    constexpr std::uint32_t kContent =
        U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK | U_GC_S_MASK | U_GC_CO_MASK | U_GC_CN_MASK;
    if (c != '`' && (U_GET_GC_MASK(c) & kContent) != 0) return true;
  }
  return false;
}

TEST(Layout, HasNoNamesThatInvisibleCharactersFollow) {
  for (const char* text : {"Zebulon\u200d\u2764", "홍길동\u200e", "홍길동\u00ad", "Zebulon_\u200e", "X1234567_\u00ad",
                           "홍길동\u200e씨", "12\u200d\u2122"})
    EXPECT_FALSE(has_content(layout_of(text))) << text;
}

TEST(Layout, HasNoSymbolsOfAnyKind) {
  for (const char* text :
       {"$ 5 + 6 = 11", "a<b>c", "x^2 ~ |y|", "5€ £6 ¥7 ＄8", "a≤b±c∑d", "´¨¯ ˚", "©®™ ☎", "🏽", "^_^"})
    EXPECT_FALSE(has_content(layout_of(text))) << text;
  EXPECT_EQ(layout_of("$+<=>^|~"), "") << "those of ASCII";
  EXPECT_EQ(layout_of("!\"#%&'()*,-./:;?@[\\]_`{}"), "!\"#%&'()*,-./:;?@[\\]_`{}") << "punctuation";
}

TEST(Layout, HasNoCharactersThatSpellWords) {
  for (const char* text : {"⒥⒪⒣⒩", "⠵⠑⠃", "①③⑧", "\ue000", "👩🏽‍⚕️", "々", "½", "🇩🇪", "\U000E0061"})
    EXPECT_FALSE(has_content(layout_of(text))) << text;
  EXPECT_EQ(layout_of("(a) + b = 3 $, – \"c\"!"), "()     , – \"\"!");
}

TEST(Layout, OfEveryCharacterIsDecidedByItsKind) {
  for (UChar32 c = 1; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string one = utf8(c);
    if (has_content(one)) {
      ASSERT_FALSE(has_content(layout_of(one))) << c;
    }
  }
}

// Words and signs of many scripts with everything that may join them.
TEST(Layout, NeverCarriesContentWhateverStandsBesideIt) {
  const std::vector<UChar32> pieces = {'a',    'Z',    '7',    '_',    '\'',   '-',     '.',     ',',
                                       '@',    ' ',    0xAD,   0x301,  0x5D0,  0x627,   0x915,   0x94D,
                                       0xE01,  0xAC00, 0x1100, 0x3042, 0x30A2, 0x3005,  0x4E2D,  0x200B,
                                       0x200C, 0x200D, 0x200E, 0x2060, 0x2764, 0xFE0F,  0xFF9E,  0x2122,
                                       0x2460, 0xB2,   0xA8B0, 0xA182, 0xE000, 0x1F469, 0x1F3FD, 0x1F1E9};
  std::mt19937_64 random(5);
  for (int i = 0; i < 60'000; ++i) {
    std::string text;
    for (std::size_t n = 1 + random() % 6; n > 0; --n) text += utf8(pieces[random() % pieces.size()]);
    ASSERT_FALSE(has_content(layout_of(text))) << text;
  }
}

}  // namespace layout_runs_test
}  // namespace gauze::text
