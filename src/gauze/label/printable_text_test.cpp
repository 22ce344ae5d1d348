#include "gauze/label/printable_text.h"

#include <gtest/gtest.h>

#include <array>

namespace gauze {
namespace printable_text_test {

TEST(PrintableText, LeavesOrdinaryTextAlone) {
  for (const std::string text : {"", "plain", "naïve café", "中文", "emoji \xF0\x9F\x98\x80", "tilde ~ and blank"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_TRUE(is_printable(text));
  }
}

TEST(PrintableText, DefusesWhatSteersATerminal) {
  EXPECT_EQ(printable("\033[31mred"), "\xEF\xBF\xBD[31mred");
  EXPECT_EQ(printable(std::string("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_FALSE(is_printable("\x7F"));
  EXPECT_FALSE(is_printable("\xC2\x9B"));      // C1: another way to begin an escape sequence
  EXPECT_FALSE(is_printable("\xE2\x80\xAE"));  // right-to-left override
  EXPECT_FALSE(is_printable("\xE2\x81\xA6"));  // left-to-right isolate
}

TEST(PrintableText, MakesOneLineOfSeveral) {
  EXPECT_EQ(printable("a\nb\tc\rd"), "a b c d");
  EXPECT_FALSE(is_printable("a\nb"));
}

TEST(PrintableText, RefusesEveryMalformedSequence) {
  const std::array<std::string, 9> malformed = {"\x80",
                                                "\xC0\xAF",
                                                "\xC3",
                                                "\xE0\x80\x80",
                                                "\xED\xA0\x80",
                                                "\xF0\x80\x80\x80",
                                                "\xF5\x80\x80\x80",
                                                "\xF4\x90\x80\x80",
                                                "\xE4\xB8"};
  for (const auto& bytes : malformed) EXPECT_FALSE(is_printable(bytes));
}

TEST(PrintableText, IsPrintableAfterwardsWhateverTheBytes) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string bytes = {static_cast<char>(a), static_cast<char>(b), 'x'};
      const std::string shown = printable(bytes);
      EXPECT_TRUE(is_printable(shown));
      EXPECT_EQ(printable(shown), shown);
    }
  }
}

TEST(TextWidth, CountsCharactersNotBytes) {
  EXPECT_EQ(text_width("abc"), 3);
  EXPECT_EQ(text_width("naïve"), 5);
  EXPECT_EQ(text_width(""), 0);
}

TEST(WrapText, BreaksAtBlanksAndIndents) {
  EXPECT_EQ(wrap_text("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrap_text("one two three", 8, 0, 4), "one\ntwo\nthree");
  EXPECT_EQ(wrap_text("  one   two  ", 80), "one two");
  EXPECT_EQ(wrap_text("", 80), "");
}

TEST(HasInvisible, FindsWhatTakesNoRoom) {
  for (const char* invisible :
       {"\u00ad", "\u034f", "\u061c", "\u115f", "\u180e", "\u200b", "\u200d", "\u200f", "\u2028", "\u2060", "\u2064",
        "\u206a", "\u2800", "\u3164", "\ufe0f", "\ufeff", "\uffa0", "\ufff9", "\U000e0041"}) {
    EXPECT_TRUE(has_invisible(std::string("vis") + invisible + "its")) << ::testing::PrintToString(invisible);
  }
  for (const char* visible :
       {"", "visits", "Besuche f\u00fcr \u00c4rzte", "\u8bbf\u95ee", "\U0001f600", "a b", "\u0639"}) {
    EXPECT_FALSE(has_invisible(visible)) << visible;
  }
}

TEST(HasInvisible, LetsJoinersPassWhereTheyAreWanted) {
  EXPECT_FALSE(has_invisible("a\u200cb\u200dc", Joiners::pass));
  EXPECT_TRUE(has_invisible("a\u200bb", Joiners::pass));
}

TEST(WrapText, KeepsAWordThatIsTooLongWhole) { EXPECT_EQ(wrap_text("a extraordinary b", 5), "a\nextraordinary\nb"); }

TEST(WrapText, NeverLosesAWordNorExceedsTheWidth) {
  const std::string text =
      "Release, query, collect and learn from personal data, and defend every number that leaves.";
  for (int width = 12; width < 100; ++width) {
    const std::string wrapped = wrap_text(text, width, 3);
    std::size_t begin = 0;
    std::string words;
    while (begin <= wrapped.size()) {
      const std::size_t end = std::min(wrapped.find('\n', begin), wrapped.size());
      const std::string line = wrapped.substr(begin, end - begin);
      EXPECT_LE(text_width(line), width);
      words += (words.empty() ? "" : " ") + line.substr(std::min(line.find_first_not_of(' '), line.size()));
      begin = end + 1;
    }
    EXPECT_EQ(words, text);
  }
}

}  // namespace printable_text_test
}  // namespace gauze
