#include "gauze/text/sanitize/stop_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::text {
namespace stop_words_test {

using ::testing::UnorderedElementsAre;

TEST(StopWords, AreThoseOfTheLanguage) {
  SanitizePolicy policy{.language = Language::english};
  use_common_stop_words(policy);
  EXPECT_TRUE(policy.stop_word_list.contains("the"));
  EXPECT_FALSE(policy.stop_word_list.contains("的"));
  policy.language = Language::automatic;
  use_common_stop_words(policy);
  EXPECT_TRUE(policy.stop_word_list.contains("the") && policy.stop_word_list.contains("的"));
  EXPECT_FALSE(policy.own_stop_words);
}

TEST(StopWords, OfAListReplaceThemInSmallLetters) {
  SanitizePolicy policy;
  use_common_stop_words(policy);
  ASSERT_TRUE(use_stop_words(policy, "The\n don’t \n", "list"));
  EXPECT_THAT(policy.stop_word_list, UnorderedElementsAre("the", "don't"));
  EXPECT_TRUE(policy.own_stop_words);
}

TEST(StopWords, OfAnEmptyListAreRefused) {
  SanitizePolicy policy;
  const auto none = use_stop_words(policy, "\n\n", "list.txt");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "list.txt names no word");
}

}  // namespace stop_words_test
}  // namespace gauze::text
