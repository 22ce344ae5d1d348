#include "gauze/text/vectors/word_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace word_list_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(WordList, HasOneWordALineWithoutBlanksMarkAndEmptyLines) {
  EXPECT_THAT(*words_of_list("\xEF\xBB\xBFone\r\n\n  two words \t\nlast", "list"),
              ElementsAre("one", "two words", "last"));
  EXPECT_THAT(*words_of_list("", "list"), IsEmpty());
  EXPECT_THAT(*words_of_list("\n \n", "list"), IsEmpty());
}

TEST(WordList, MustBeUtf8AndIsNamedWithoutItsWords) {
  const auto bad = words_of_list("secret\n\xFF\n", "words.txt");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::bad_data);
  EXPECT_EQ(bad.error().message, "words.txt is not UTF-8");
}

TEST(WordList, MarksTheWordsThatTheVocabularyHas) {
  const WordVectors vectors = testing::words_at({{0}, {1}, {2}, {3}});
  EXPECT_THAT(*marked_words("w3\nw1\nw1\nzorro\n", "list", vectors), ElementsAre(false, true, false, true));
}

TEST(WordList, WithoutAnyWordOfTheVocabularyIsRefused) {
  const WordVectors vectors = testing::words_at({{0}, {1}});
  for (const char* list : {"", "zorro\n"}) {
    const auto none = marked_words(list, "list.txt", vectors);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("list.txt has no word of the vectors"));
  }
}

}  // namespace word_list_test
}  // namespace gauze::text
