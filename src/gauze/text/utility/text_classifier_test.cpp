#include "gauze/text/utility/text_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "gauze/models/performance.h"
#include "gauze/text/testing/utility_testing.h"

namespace gauze::text {
namespace text_classifier_test {

using ::testing::ElementsAre;
using testing::review_words;
using testing::tokenized;

class Classifier : public ::testing::TestWithParam<TextModel> {
 protected:
  WordVectors vectors_ = review_words();

  [[nodiscard]] DocumentBags bags(const std::vector<std::string>& texts) const {
    return tokenized(vectors_, texts).clean();
  }
  [[nodiscard]] std::vector<std::uint32_t> learn(const std::vector<std::string>& texts,
                                                 const std::vector<std::uint32_t>& labels, std::size_t count,
                                                 const std::vector<std::string>& asked) const {
    const auto trained = TextClassifier::train(GetParam(), bags(texts), vectors_, labels, count);
    EXPECT_TRUE(trained) << trained.error().message;
    return trained->predict(bags(asked));
  }
};

TEST_P(Classifier, TellsTwoLabelsApart) {
  const std::vector<std::string> texts = {"the film was good", "the movie was great", "the film was bad",
                                          "the movie was awful"};
  EXPECT_THAT(learn(texts, {1, 1, 0, 0}, 2, {"great film", "the bad movie", "good", "awful was the film"}),
              ElementsAre(1, 0, 1, 0));
}

TEST_P(Classifier, TellsFourLabelsApart) {
  const std::vector<std::string> texts = {"good great", "great", "bad awful", "awful",
                                          "film movie", "movie", "the was",   "was"};
  EXPECT_THAT(learn(texts, {0, 0, 1, 1, 2, 2, 3, 3}, 4, {"great good", "bad", "film", "the", "was was"}),
              ElementsAre(0, 1, 2, 3, 3));
}

TEST_P(Classifier, WithoutAnyKnownWordAnswersByTheShareOfLabels) {
  const std::vector<std::string> nothing = {"", "", "", "", ""};
  EXPECT_THAT(learn(nothing, {1, 1, 1, 0, 0}, 2, {"", "good"}), ElementsAre(1, 1));
  EXPECT_THAT(learn(nothing, {2, 2, 1, 0, 2}, 3, {""}), ElementsAre(2));
  if (GetParam() == TextModel::vectors) return;  // has learnt in some order: equal shares are not quite equal to it
  // Equal shares: the first label.
  EXPECT_THAT(learn({"", "", "", ""}, {1, 1, 0, 0}, 2, {""}), ElementsAre(0));
  EXPECT_THAT(learn({"", "", ""}, {2, 1, 0}, 3, {""}), ElementsAre(0));
}

INSTANTIATE_TEST_SUITE_P(Models, Classifier, ::testing::Values(TextModel::logistic, TextModel::vectors),
                         [](const auto& one) { return std::string(to_string(one.param)); });

// Two words with the same vector are told apart once they are trained.
TEST(TextModels, LearnWordsThatHaveTheSameVector) {
  const std::vector<std::string> words = {"up", "down"};
  const std::vector<float> values = {1, 1};
  const WordVectors vectors = WordVectors::make(words, values).value();
  const auto bags = tokenized(vectors, {"up", "up", "up", "down", "down"}).clean();
  const std::vector<std::uint32_t> labels = {1, 1, 1, 0, 0};
  for (const TextModel model : {TextModel::logistic, TextModel::vectors}) {
    const auto trained = TextClassifier::train(model, bags, vectors, labels, 2, 0.1);
    EXPECT_EQ(agreement(trained->predict(bags), labels).accuracy, 1);
  }
}

TEST(Agreement, CountsTextsAndLabels) {
  const std::vector<std::uint32_t> truth = {0, 0, 0, 1, 4};
  const std::vector<std::uint32_t> predicted = {0, 0, 1, 1, 1};
  const Agreement found = agreement(predicted, truth);
  EXPECT_DOUBLE_EQ(found.accuracy, 3.0 / 5);
  EXPECT_DOUBLE_EQ(found.balanced_accuracy, (2.0 / 3 + 1 + 0) / 3) << "labels 2 and 3 do not occur";
}

TEST(Agreement, IsThatOfThePlainMeasureForTwoLabels) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<std::uint32_t> truth = {0, 1};
    std::vector<std::uint32_t> predicted = {1, 1};
    for (int i = 0; i < 20; ++i) {
      truth.push_back(random() % 2);
      predicted.push_back(random() % 2);
    }
    std::vector<double> probability(predicted.begin(), predicted.end());
    std::vector<double> positive(truth.begin(), truth.end());
    std::vector<double> negative;
    for (const std::uint32_t one : truth) negative.push_back(1.0 - one);
    const models::Performance expected = models::measure(probability, positive, negative);
    const Agreement found = agreement(predicted, truth);
    EXPECT_DOUBLE_EQ(found.accuracy, *expected.accuracy);
    EXPECT_DOUBLE_EQ(found.balanced_accuracy, *expected.balanced_accuracy);
  }
}

TEST(Agreement, OfOneAnswerIsBalancedToOneOverTheLabels) {
  const std::vector<std::uint32_t> truth = {0, 0, 0, 0, 1, 2};
  const std::vector<std::uint32_t> always(6, 0);
  EXPECT_DOUBLE_EQ(agreement(always, truth).accuracy, 4.0 / 6);
  EXPECT_DOUBLE_EQ(agreement(always, truth).balanced_accuracy, 1.0 / 3);
}

TEST(TextModels, HaveNames) {
  EXPECT_EQ(to_string(TextModel::logistic), "logistic");
  EXPECT_EQ(to_string(TextModel::vectors), "vectors");
}

// Vectors carry what was learnt to words that no training text has; words alone cannot.
TEST(TextModels, OnlyVectorsKnowWordsTheyHaveNotLearnt) {
  const WordVectors vectors = review_words();
  const auto train = tokenized(vectors, {"good", "good", "bad", "bad", "bad"}).clean();
  const auto asked = tokenized(vectors, {"great", "awful"}).clean();
  const std::vector<std::uint32_t> labels = {1, 1, 0, 0, 0};
  const auto answers = [&](TextModel model) {
    return TextClassifier::train(model, train, vectors, labels, 2, 0.1)->predict(asked);
  };
  EXPECT_THAT(answers(TextModel::vectors), ElementsAre(1, 0));
  EXPECT_THAT(answers(TextModel::logistic), ElementsAre(0, 0)) << "the more frequent label";
}

}  // namespace text_classifier_test
}  // namespace gauze::text
