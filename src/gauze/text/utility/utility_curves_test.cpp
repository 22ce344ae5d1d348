#include "gauze/text/utility/utility_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/testing/example_curves.h"
#include "gauze/text/testing/utility_testing.h"

namespace gauze::text {
namespace utility_curves_test {

using ::testing::ElementsAre;

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : *json.members()) keys.push_back(key);
  return keys;
}

class UtilityCurves : public ::testing::Test, protected ExampleCurves {};

TEST_F(UtilityCurves, ClassificationHasTheKeysOfTheManual) {
  const Json json = to_json(classification);
  EXPECT_THAT(keys_of(json), ElementsAre("train_documents", "test_documents", "labels", "majority",
                                         "unseen_test_documents", "language", "repetitions", "results", "notice"));
  EXPECT_EQ(json.find("majority")->dump(), R"({"label":"yes","accuracy":0.625})");
  EXPECT_EQ(json.find("unseen_test_documents")->dump(), "3");
  EXPECT_EQ(json.find("notice")->dump(), "\"" + std::string(kUtilityNotice) + "\"");
  const Json& result = json.find("results")->elements()->at(0);
  EXPECT_THAT(keys_of(result), ElementsAre("epsilon", "models", "unchanged_share", "masked_share"));
  EXPECT_EQ(result.find("epsilon")->dump(), "0.1") << "as it was given";
  EXPECT_EQ(
      result.find("models")->find("vectors")->find("sanitized_clean")->dump(),
      R"({"accuracy":{"mean":0.5,"low":0.25,"high":0.75,"sd":0},"balanced_accuracy":{"mean":0.25,"low":0.125,"high":0.375,"sd":0}})");
}

TEST_F(UtilityCurves, RankingHasTheKeysOfTheManual) {
  const Json json = to_json(ranking);
  EXPECT_THAT(keys_of(json),
              ElementsAre("queries", "pairs", "left_out", "random", "language", "repetitions", "results", "notice"));
  EXPECT_EQ(json.find("random")->dump(), R"({"map":0.25,"mrr":0.375})");
  EXPECT_EQ(json.find("pairs")->dump(), "12");
  EXPECT_EQ(json.find("left_out")->dump(), "2");
  EXPECT_EQ(
      json.find("results")->elements()->at(0).find("sanitized_clean")->dump(),
      R"({"map":{"mean":0.5,"low":0.25,"high":0.75,"sd":0},"mrr":{"mean":0.625,"low":0.5,"high":0.75,"sd":0}})");
}

TEST_F(UtilityCurves, FollowEpsilonsWithTheirOwnSeeds) {
  const WordVectors vectors = testing::review_words();
  std::vector<std::string> texts, labels;
  for (int i = 0; i < 50; ++i) {
    texts.insert(texts.end(), {"good film", "bad movie"});
    labels.insert(labels.end(), {"yes", "no"});
  }
  const auto study = ClassificationTask::make(testing::tokenized(vectors, texts), labels,
                                              testing::tokenized(vectors, texts), labels);
  ASSERT_TRUE(study);
  std::vector<TextMechanism> mechanisms;
  for (const int epsilon : {1000, 1})
    mechanisms.push_back(TextMechanism::make(vectors, {.epsilon = Rational(epsilon)}).value());
  Progress progress;
  const UtilityOptions options{.repetitions = 2, .seed = 3};
  const std::vector<TextModel> models = {TextModel::logistic};
  const auto curve = classification_curve(mechanisms, *study, models, options, progress);
  ASSERT_TRUE(curve) << curve.error().message;
  EXPECT_THAT(curve->epsilons, ElementsAre(Rational(1000), Rational(1)));
  EXPECT_EQ(curve->outcomes[0].unchanged_share, 1) << "nothing is drawn as another word";
  EXPECT_EQ(curve->outcomes[0].models[0].sanitized_sanitized.accuracy.mean,
            curve->outcomes[0].models[0].clean_clean.accuracy.mean);
  const auto last = classification_curve(std::span(mechanisms).last(1), *study, models, options, progress);
  EXPECT_EQ(to_json(*curve).find("results")->elements()->at(1).dump(),
            to_json(*last).find("results")->elements()->at(0).dump())
      << "an epsilon alone gives what it gives in a list";
  EXPECT_FALSE(classification_curve({}, *study, models, options, progress));
}

TEST_F(UtilityCurves, RankAtEveryEpsilon) {
  const WordVectors vectors = testing::review_words();
  const std::vector<std::string> queries = {"good film", "good film"};
  const std::vector<std::string> candidates = {"great movie", "the was"};
  const std::vector<std::string> relevance = {"1", "0"};
  const auto study = RankingTask::make(vectors, nullptr, {}, queries, candidates, relevance);
  ASSERT_TRUE(study);
  std::vector<TextMechanism> mechanisms;
  mechanisms.push_back(TextMechanism::make(vectors, {.epsilon = Rational(1000)}).value());
  Progress progress;
  const auto curve = ranking_curve(mechanisms, *study, {.repetitions = 1}, progress);
  ASSERT_TRUE(curve) << curve.error().message;
  EXPECT_EQ(curve->random.map, 0.75) << "first or second of two";
  EXPECT_EQ(curve->outcomes.front().sanitized_sanitized.map.mean, 1);
  EXPECT_FALSE(ranking_curve({}, *study, {}, progress));
}

TEST_F(UtilityCurves, ThinOutEvenly) {
  std::vector<std::string> entries = {"0", "1", "2", "3", "4", "5"};
  thin_out(entries, 9);
  EXPECT_EQ(entries.size(), 6U);
  thin_out(entries, 3);
  EXPECT_THAT(entries, ElementsAre("1", "3", "5"));
  thin_out(entries, 1);
  EXPECT_THAT(entries, ElementsAre("3"));
}

}  // namespace utility_curves_test
}  // namespace gauze::text
