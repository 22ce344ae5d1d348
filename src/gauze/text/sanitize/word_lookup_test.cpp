#include "gauze/text/sanitize/word_lookup.h"

#include <gtest/gtest.h>

namespace gauze::text {
namespace word_lookup_test {

WordVectors vectors_of(const std::vector<std::string>& words) {
  std::vector<float> values;
  for (std::size_t i = 0; i < words.size(); ++i) values.push_back(static_cast<float>(i));
  return WordVectors::make(words, values).value();
}

TEST(WordLookup, FindsWordsAsTheyAreWrittenThenInSmallLettersThenWithAStraightApostrophe) {
  const WordVectors vectors = vectors_of({"us", "US", "n't", "l’été", "it's", "it’s"});
  EXPECT_EQ(find_word(vectors, "US"), 1U);
  EXPECT_EQ(find_word(vectors, "Us"), 0U);
  EXPECT_EQ(find_word(vectors, "N’T"), 2U);
  EXPECT_EQ(find_word(vectors, "L’e\xCC\x81te\xCC\x81"), 3U) << "a vocabulary with curly apostrophes, NFD";
  EXPECT_EQ(find_word(vectors, "It’s"), 5U);
  EXPECT_EQ(find_word(vectors, "It's"), 4U);
  EXPECT_FALSE(find_word(vectors, "we’re"));
}

TEST(WordLookup, FindsTraditionalChineseInSimplifiedCharactersWhereItIsNotItself) {
  const WordVectors vectors = vectors_of({"电影", "漢字", "汉字", "t恤"});
  bool simplified = false;
  EXPECT_EQ(find_word(vectors, "電影", &simplified), 0U);
  EXPECT_TRUE(simplified);
  EXPECT_EQ(find_word(vectors, "电影", &simplified), 0U);
  EXPECT_FALSE(simplified);
  EXPECT_EQ(find_word(vectors, "漢字", &simplified), 1U) << "the vocabulary has it as it is";
  EXPECT_FALSE(simplified);
  EXPECT_FALSE(find_word(vectors, "廣場", &simplified));
  EXPECT_FALSE(simplified);
  EXPECT_FALSE(find_word(vectors, "電 影"));
}

TEST(WordLookup, ListsHoldSmallLettersAndStraightApostrophes) {
  EXPECT_EQ(list_form("DON’T"), "don't");
  EXPECT_EQ(list_form("Ｔｈｅ"), "the");
}

TEST(WordLookup, TellsWhetherVectorsFitALanguage) {
  EXPECT_TRUE(has_words_of(vectors_of({"1", "film"}), Language::english));
  EXPECT_FALSE(has_words_of(vectors_of({"1", "film"}), Language::chinese));
  EXPECT_TRUE(has_words_of(vectors_of({"1", "电影"}), Language::chinese));
  EXPECT_FALSE(has_words_of(vectors_of({"1", "电影"}), Language::english));
  EXPECT_TRUE(has_words_of(vectors_of({"1", "电影"}), Language::automatic));
  EXPECT_FALSE(has_words_of(vectors_of({"1", "фильм"}), Language::automatic));
}

TEST(WordLookup, FindsTheWordsOfAListAsThoseOfATextAndCountsTheRest) {
  const WordVectors vectors = *WordVectors::make(std::vector<std::string>{"film", "movie"}, std::vector<float>{0, 1});
  const auto found = find_listed("Movie\n\nFILM\nmovie\nZorro\n", "list", vectors);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->words, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(found->unknown, 1U);
  EXPECT_FALSE(find_listed("Zorro\n", "list", vectors));
  EXPECT_FALSE(find_listed("\xFF\n", "list", vectors));
}

TEST(WordLookup, TellsWhenMostOfATextIsNotInTheVectors) {
  EXPECT_FALSE(misfit_of_text(0, 0, TokenPolicy::keep));
  EXPECT_FALSE(misfit_of_text(5, 10, TokenPolicy::keep));
  EXPECT_EQ(misfit_of_text(6, 10, TokenPolicy::mask)->subject, Warning::Subject::usage);
  EXPECT_EQ(misfit_of_text(6, 10, TokenPolicy::keep)->subject, Warning::Subject::privacy) << "they are printed";
}

}  // namespace word_lookup_test
}  // namespace gauze::text
