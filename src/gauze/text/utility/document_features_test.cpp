#include "gauze/text/utility/document_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/text/testing/utility_testing.h"
#include "gauze/text/utility/repetitions.h"

namespace gauze::text {
namespace document_features_test {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using testing::review_words;
using testing::tokenized;

TEST(WordFeatures, AreRootsOfCountsInRowsOfLengthOne) {
  const WordVectors vectors = review_words();
  const auto rows = word_features(tokenized(vectors, {"bad film bad Zorro bad 42", "", "was"}).clean(), 8);
  EXPECT_EQ(rows.columns, 9U);
  EXPECT_THAT(rows.starts, ElementsAre(0, 3, 3, 4));
  EXPECT_THAT(rows.indices, ElementsAre(2, 4, 8, 7));
  EXPECT_THAT(rows.values, ElementsAre(DoubleEq(std::sqrt(3.0 / 6)), DoubleEq(std::sqrt(1.0 / 6)),
                                       DoubleEq(std::sqrt(2.0 / 6)), DoubleEq(1)));
}

TEST(UnitMeans, HaveLengthOneOrZero) {
  const WordVectors vectors = review_words();
  const auto means = unit_means(tokenized(vectors, {"good awful good", "Zorro", "movie"}).clean(), vectors);
  ASSERT_EQ(means.size(), 12U);
  EXPECT_DOUBLE_EQ(means[0] * means[0] + means[1] * means[1], 1);
  EXPECT_DOUBLE_EQ(means[0] / means[1], 6 / 3.5);
  for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(means[i], 0);
  EXPECT_EQ(means[10], 1);
}

TEST(DocumentFeatures, DoNotDependOnTheOrderOfWords) {
  const WordVectors vectors = review_words();
  const auto one = tokenized(vectors, {"the film was good good Zorro"}).clean();
  const auto other = tokenized(vectors, {"Zorro good was film the good"}).clean();
  EXPECT_EQ(word_features(one, 8).values, word_features(other, 8).values);
  EXPECT_EQ(unit_means(one, vectors), unit_means(other, vectors));
}

TEST(DocumentFeatures, AVocabularyOfOneWord) {
  const std::vector<std::string> words = {"good"};
  const std::vector<float> values = {2};
  const WordVectors vectors = WordVectors::make(words, values).value();
  const auto bags = tokenized(vectors, {"good bad", "bad"}).clean();
  EXPECT_EQ(word_features(bags, 1).columns, 2U);
  EXPECT_THAT(unit_means(bags, vectors), ElementsAre(1, 0));
}

TEST(RepeatedFigure, HasTheMeanAndTheMiddleOfTheRepetitions) {
  const std::vector<double> one = {0.7};
  EXPECT_EQ(over_repetitions(one).low, 0.7);
  EXPECT_EQ(over_repetitions(one).high, 0.7);
  const std::vector<double> three = {0.9, 0.5, 0.7};
  EXPECT_DOUBLE_EQ(over_repetitions(three).mean, 0.7);
  EXPECT_DOUBLE_EQ(over_repetitions(three).low, 0.5 + 0.05 * 0.2);
  EXPECT_DOUBLE_EQ(over_repetitions(three).high, 0.9 - 0.05 * 0.2);
  // Three times one third is exactly that: nothing is lost in the sum.
  const std::vector<double> same = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  EXPECT_EQ(over_repetitions(same).mean, 1.0 / 3);
}

TEST(RepetitionSeeds, AreAllDifferent) {
  std::vector<std::uint64_t> seeds;
  for (const std::uint64_t seed : {1, 2})
    for (std::size_t repetition = 0; repetition < 20; ++repetition)
      for (std::size_t set = 0; set < 3; ++set) seeds.push_back(seed_of(seed, repetition, set));
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::adjacent_find(seeds.begin(), seeds.end()), seeds.end());
  EXPECT_EQ(seed_of(7, 3, 1), seed_of(7, 3, 1));
}

}  // namespace document_features_test
}  // namespace gauze::text
