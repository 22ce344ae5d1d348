#include "gauze/text/statistics/text_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace text_figures_test {

using ::testing::ElementsAre;

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : *json.members()) keys.push_back(key);
  return keys;
}

class Figures : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<TextFigures> at(const WordVectors& vectors, const MechanismOptions& mechanism,
                                            const std::vector<Rational>& epsilons,
                                            const FiguresRequest& request = {}) {
    auto made = text_figures(vectors, mechanism, epsilons, request, progress_);
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }
  WordVectors cloud_ = testing::random_words(40, 3, 1, 1);
  WordVectors line_ = testing::words_at({{0}, {1}, {3}});
  Progress progress_;
};

TEST_F(Figures, OfACurveAreThoseOfEachEpsilonAlone) {
  std::vector<Rational> epsilons;
  for (int e = 1; e <= 10; ++e) epsilons.emplace_back(e);  // more than are worked out at once
  const auto curve = at(cloud_, {}, epsilons, {.words = {3, 7}});
  ASSERT_EQ(curve.size(), 10U);
  for (const std::size_t i : {0U, 7U, 8U, 9U}) {
    EXPECT_EQ(curve[i].epsilon, epsilons[i]);
    const auto alone = at(cloud_, {}, {epsilons[i]}, {.words = {3, 7}});
    EXPECT_EQ(to_json(curve[i], cloud_).dump(), to_json(alone.front(), cloud_).dump());
  }
}

TEST_F(Figures, AreExactWhereThereIsALaw) {
  for (const MechanismOptions& mechanism : std::vector<MechanismOptions>{
           {.kind = MechanismKind::santext}, {.kind = MechanismKind::dchi}, {.as_published = true}}) {
    const auto figures = at(line_, mechanism, {Rational(2)});
    EXPECT_TRUE(figures.front().exact);
    EXPECT_FALSE(figures.front().sampled);
  }
  EXPECT_FALSE(at(cloud_, {.kind = MechanismKind::dchi}, {Rational(2)}).front().exact);
}

TEST_F(Figures, AsPublishedAreThoseOfTheMechanismButForRounding) {
  const auto exact = at(line_, {}, {Rational(2)});
  const auto published = at(line_, {.as_published = true}, {Rational(2)});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(exact.front().stays()[i], published.front().stays()[i], 1e-5);
}

TEST_F(Figures, OfWordsAreTheirsInTheVocabulary) {
  const auto figures = at(cloud_, {}, {Rational(2)}, {.words = {7, 3}});
  ASSERT_EQ(figures.front().words.size(), 2U);
  const TextFigures::OfWord& first = figures.front().words.front();
  EXPECT_EQ(first.word, 7U);
  EXPECT_EQ(first.stays, figures.front().exact->stays[7]);
  EXPECT_EQ(first.inputs, figures.front().exact->inputs[7]);
}

TEST_F(Figures, OfASampleDrawTheWordsAskedForApart) {
  FiguresRequest request{.words = {5}, .sample = 10};
  request.options.seed = 3;
  const auto some = at(cloud_, {.kind = MechanismKind::dchi}, {Rational(2)}, request).front();
  EXPECT_EQ(some.sampled->words.size(), 10U);
  ASSERT_EQ(some.words.size(), 1U);
  EXPECT_EQ(some.words.front().word, 5U);
  EXPECT_FALSE(some.words.front().inputs) << "only some words were drawn";
  request.sample = std::nullopt;
  const auto all = at(cloud_, {.kind = MechanismKind::dchi}, {Rational(2)}, request).front();
  EXPECT_EQ(all.sampled->words.size(), cloud_.size()) << "of a small vocabulary all";
  EXPECT_EQ(all.words.front().word, 5U);
  EXPECT_EQ(all.words.front().stays, all.sampled->stays[5]);
  EXPECT_EQ(all.words.front().inputs, (*all.sampled->inputs)[5]);
  EXPECT_EQ(to_json(all, cloud_).dump(),
            to_json(at(cloud_, {.kind = MechanismKind::dchi}, {Rational(2)}, request).front(), cloud_).dump())
      << "the same seed";
}

TEST_F(Figures, LookAtThePriorOfTheRequest) {
  const auto figures = at(line_, {}, {Rational(1)}, {.prior = {0.98, 0.01, 0.01}});
  ASSERT_TRUE(figures.front().exact->bayes_prior);
  EXPECT_GE(*figures.front().exact->bayes_prior, 0.98) << "always the first word";
  EXPECT_FALSE(at(line_, {}, {Rational(1)}).front().exact->bayes_prior);
}

TEST_F(Figures, HaveTheKeysOfTheManual) {
  const MechanismOptions mechanism{.kind = MechanismKind::dchi};
  const FiguresRequest request{.words = {1}, .sample = 10};
  const auto figures = at(cloud_, mechanism, {Rational(1), Rational(2)}, request);
  const Json curve = curve_json(figures, cloud_, mechanism, request);
  EXPECT_THAT(keys_of(curve), ElementsAre("kind", "mechanism", "as_published", "vocabulary", "dimensions", "vectors",
                                          "eta", "runs", "exact", "sampled_words", "draws", "results"));
  EXPECT_EQ(curve.find("mechanism")->dump(), "\"dchi\"");
  EXPECT_EQ(curve.find("exact")->dump(), "false");
  EXPECT_EQ(curve.find("sampled_words")->dump(), "10");
  const Json& result = curve.find("results")->elements()->at(1);
  EXPECT_THAT(keys_of(result), ElementsAre("epsilon", "N", "S", "S_star", "distinct", "entropy", "bayes", "words"));
  EXPECT_THAT(keys_of(*result.find("N")), ElementsAre("mean", "q05", "q50", "q95", "low", "high", "sd"));
  EXPECT_EQ(result.find("S_star")->find("q50")->dump(), "null") << "of some words the mean alone is known";
  EXPECT_EQ(result.find("bayes")->find("uniform")->dump(), "null") << "a guess is one among all words";
  EXPECT_THAT(keys_of(*result.find("words")), ElementsAre("w1"));
  const Json exact = curve_json(at(line_, {}, {Rational(1)}), line_, {}, {});
  EXPECT_EQ(exact.find("draws")->dump(), "null");
  EXPECT_THAT(keys_of(*exact.find("results")->elements()->at(0).find("N")), ElementsAre("mean", "q05", "q50", "q95"));
}

TEST_F(Figures, AreRefusedWhereTheMechanismIs) {
  const std::vector<Rational> epsilons = {Rational(1), Rational(0)};
  EXPECT_FALSE(text_figures(line_, {}, epsilons, {}, progress_));
  EXPECT_FALSE(text_figures(line_, {.kind = MechanismKind::santext_plus}, {{Rational(1)}}, {}, progress_));
}

}  // namespace text_figures_test
}  // namespace gauze::text
