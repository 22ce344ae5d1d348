#include "gauze/text/statistics/own_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/statistics/text_figures.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace own_words_test {

class OwnWords : public ::testing::Test {
 protected:
  // film and movie are near to each other, doctor is far from both.
  WordVectors vectors_ = *WordVectors::make(std::vector<std::string>{"film", "movie", "doctor", "nurse"},
                                            std::vector<float>{0, 0, 1, 0, 0, 9, 30, 30});
  Progress progress_;
};

TEST_F(OwnWords, AreCountedAsTheyAreSanitised) {
  const std::vector<std::string> documents = {"The film, a MOVIE!", "Film 3 and Zorro: film@x.org"};
  const auto words = words_of_text(vectors_, nullptr, Language::english, documents);
  ASSERT_TRUE(words) << words.error().message;
  ASSERT_EQ(words->known.size(), 2U);
  EXPECT_EQ(words->known[0].word, 0U);
  EXPECT_EQ(words->known[0].count, 2U) << "the address is none";
  EXPECT_EQ(words->known[1].count, 1U);
  EXPECT_EQ(words->known_tokens(), 3U);
  EXPECT_EQ(words->unknown, 4U) << "The, a, and, Zorro";
}

TEST_F(OwnWords, ThatAreNoTextAreRefusedByTheirNumber) {
  const std::vector<std::string> documents = {"film", "\xFF"};
  const auto words = words_of_text(vectors_, nullptr, Language::english, documents);
  ASSERT_FALSE(words);
  EXPECT_THAT(words.error().message, ::testing::HasSubstr("document 2"));
}

TEST_F(OwnWords, LikeliestToStayComeFirstAndNoMoreThanAskedFor) {
  const std::vector<WordCount> counts = {{0, 5}, {1, 7}, {2, 1}};
  const std::vector<double> stays = {0.5, 0.5, 0.9, 1};
  const auto chance = [&](std::uint32_t word) { return stays[word]; };
  const auto all = likeliest_to_stay(counts, chance, 10);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].word, 2U);
  EXPECT_EQ(all[1].word, 1U) << "of equal ones the more frequent";
  EXPECT_DOUBLE_EQ(all[1].stays, 0.5);
  EXPECT_EQ(likeliest_to_stay(counts, chance, 1).size(), 1U);
}

TEST_F(OwnWords, HaveTheChanceOfTheMechanismExactOrDrawn) {
  FiguresRequest request;
  request.own_words = {{0, 5}, {2, 1}};
  request.sample = 1;
  request.options.draws = 4000;
  const std::vector<Rational> epsilons = {Rational(1)};
  for (const MechanismKind kind : {MechanismKind::santext, MechanismKind::dchi}) {
    const auto figures = text_figures(vectors_, {.kind = kind}, epsilons, request, progress_);
    ASSERT_TRUE(figures) << figures.error().message;
    const auto& own = *figures->front().own_words;
    ASSERT_EQ(own.size(), 2U);
    EXPECT_EQ(own[0].word, 2U) << "the doctor, far from all others";
    EXPECT_GT(own[0].stays, 0.9);
    EXPECT_GT(own[0].stays, own[1].stays);
    if (kind == MechanismKind::santext) {
      EXPECT_DOUBLE_EQ(own[1].stays, figures->front().exact->stays[0]);
    }
  }
}

}  // namespace own_words_test
}  // namespace gauze::text
