#include "gauze/text/utility/trained_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/testing/utility_testing.h"

namespace gauze::text {
namespace trained_vectors_test {

using ::testing::ElementsAre;
using testing::review_words;
using testing::tokenized;

TEST(TrainedVectors, AreTheSameForTheSameTexts) {
  const WordVectors vectors = review_words();
  const auto bags = tokenized(vectors, {"good film", "bad movie", "the great was", "awful the", "was"}).clean();
  const std::vector<std::uint32_t> labels = {1, 0, 1, 0, 1};
  const auto asked = tokenized(vectors, {"film", "movie", "good bad", "the", "great awful was"}).clean();
  const auto answers = TrainedVectors::train(bags, labels, 2, vectors).predict(asked);
  EXPECT_EQ(TrainedVectors::train(bags, labels, 2, vectors).predict(asked), answers);
}

// A rate that fits short vectors must not make long ones blow up.
TEST(TrainedVectors, DoNotDependOnTheScaleOfTheVectors) {
  for (const float scale : {1e-4F, 1.0F, 1e3F}) {
    std::vector<std::string> words;
    std::vector<float> values;
    const WordVectors plain = review_words();
    for (std::size_t i = 0; i < plain.size(); ++i) {
      words.emplace_back(plain.word(i));
      std::vector<float> row(plain.dimensions());
      plain.copy_floats(i, 1, row.data());
      for (const float value : row) values.push_back(scale * value);
    }
    const WordVectors vectors = WordVectors::make(words, values).value();
    const auto bags = tokenized(vectors, {"good film", "bad movie", "great", "awful the"}).clean();
    const auto model = TrainedVectors::train(bags, std::vector<std::uint32_t>{1, 0, 1, 0}, 2, vectors);
    EXPECT_THAT(model.predict(tokenized(vectors, {"great film", "bad film"}).clean()), ElementsAre(1, 0)) << scale;
  }
}

// Only the texts tell "the" from "was"; where both stand, the mean decides.
TEST(TrainedVectors, LearnWhatThreeLabelsShare) {
  const WordVectors vectors = review_words();
  const auto bags = tokenized(vectors, {"the", "the good", "was", "was good", "film", "film good"}).clean();
  const auto model = TrainedVectors::train(bags, std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2}, 3, vectors);
  EXPECT_THAT(model.predict(tokenized(vectors, {"the the was", "was good good", "movie", "film the film"}).clean()),
              ElementsAre(0, 1, 2, 2));
}

TEST(TrainedVectors, CanBeMadeFromZeroVectorsAndEmptyTexts) {
  const std::vector<std::string> words = {"a", "b"};
  const std::vector<float> values = {0, 0};
  const WordVectors vectors = WordVectors::make(words, values).value();
  const auto bags = tokenized(vectors, {"", "a", "Zorro", "b b"}).clean();
  const auto model = TrainedVectors::train(bags, std::vector<std::uint32_t>{1, 1, 1, 0}, 2, vectors);
  EXPECT_THAT(model.predict(tokenized(vectors, {"", "Zorro"}).clean()), ElementsAre(1, 1));
}

}  // namespace trained_vectors_test
}  // namespace gauze::text
