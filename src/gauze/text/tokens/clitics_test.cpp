#include "gauze/text/tokens/clitics.h"

#include <gtest/gtest.h>

namespace gauze::text {
namespace clitics_test {

/// The word with a bar before its clitic.
std::string divided(std::string word) {
  if (const auto place = find_clitic(word)) word.insert(*place, "|");
  return word;
}

TEST(Clitics, AreThoseOfTheTreebank) {
  for (const char* word : {"do|n't", "ca|n't", "wo|n't", "is|n't", "it|'s", "they|'re", "they|'ve", "we|'ll", "he|'d",
                           "I|'m", "James|'s"})
    for (const bool curly : {false, true}) {
      std::string expected = word;
      if (curly) expected.replace(expected.find('\''), 1, kCurlyApostrophe);
      std::string joined = expected;
      joined.erase(joined.find('|'), 1);
      EXPECT_EQ(divided(joined), expected);
    }
}

TEST(Clitics, AreFoundInAnyCaseAndAfterAnyLetters) {
  EXPECT_EQ(divided("DON'T"), "DO|N'T");
  EXPECT_EQ(divided("IT’S"), "IT|’S");
  EXPECT_EQ(divided("café's"), "café|'s");
  EXPECT_EQ(divided("cafe\xCC\x81's"), "cafe\xCC\x81|'s") << "NFD";
  EXPECT_EQ(divided("O'Neil's"), "O'Neil|'s") << "the last one";
  EXPECT_EQ(divided("shouldn’t've"), "shouldn’t|'ve");
}

TEST(Clitics, AreNotInOtherWords) {
  for (const char* word : {"rock'n'roll", "O'Neil", "gonna", "'tis", "James'", "James’", "o'clock", "ma'am", "'", "",
                           "s", "isn't\xCC\x81", "'\xCC\x81s", "it´s"})
    EXPECT_FALSE(find_clitic(word)) << word;
}

TEST(Clitics, StandAlone) {
  for (const char* word : {"n't", "N’T", "'s", "’S", "'t", "'ll"}) EXPECT_TRUE(is_clitic(word)) << word;
  for (const char* word : {"it's", "t", "the", ""}) EXPECT_FALSE(is_clitic(word)) << word;
}

TEST(Clitics, ApostrophesAreMadeStraight) {
  EXPECT_EQ(straight_apostrophes("rock’n’roll’"), "rock'n'roll'");
  EXPECT_EQ(straight_apostrophes("电影"), "电影");
}

}  // namespace clitics_test
}  // namespace gauze::text
