#include "gauze/base/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze {
namespace words_test {

enum class Colour { red, green, blue };
constexpr Words<Colour, 3> kColours = {{{Colour::green, "green"}, {Colour::red, "red"}, {Colour::blue, "dark-blue"}}};

TEST(Words, LeadToValuesAndBack) {
  for (const auto& [value, word] : kColours) {
    EXPECT_EQ(word_of(kColours, value), word);
    EXPECT_EQ(value_of(kColours, word), value);
  }
  static_assert(word_of(kColours, Colour::red) == "red");
}

TEST(Words, AnUnknownWordHasNoValue) {
  for (const char* word : {"", "Red", "red ", "blue"}) EXPECT_FALSE(value_of(kColours, word)) << word;
}

TEST(Words, AreListedInTheirOrder) {
  EXPECT_THAT(all_words(kColours), ::testing::ElementsAre("green", "red", "dark-blue"));
}

TEST(Words, AWrongOneIsAnsweredWithTheRightOnes) {
  const Error error = wrong_word("the colour", all_words(kColours), "gren");
  EXPECT_EQ(error.code, ErrorCode::invalid_parameter);
  EXPECT_EQ(error.message, "the colour must be green, red or dark-blue; did you mean 'green'?");
}

TEST(Words, AValueWithoutAWordIsAMistakeOfTheProgram) {
  constexpr Words<Colour, 1> few = {{{Colour::red, "red"}}};
  EXPECT_DEATH(static_cast<void>(word_of(few, Colour::blue)), "does not hold");
}

}  // namespace words_test
}  // namespace gauze
