#include "gauze/text/statistics/target_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace target_choice_test {

using ::testing::HasSubstr;

class ChoiceForATarget : public ::testing::Test {
 protected:
  [[nodiscard]] Result<TargetChoice> choose(const WordVectors& vectors, const MechanismOptions& mechanism,
                                            ChoiceTarget target, const char* value, FiguresRequest request = {}) {
    return choose_for_target(vectors, mechanism, target, *Rational::parse(value), std::move(request), progress_);
  }
  WordVectors two_ = testing::words_at({{0}, {1}});
  WordVectors cloud_ = testing::random_words(20, 3, 1, 2);
  Progress progress_;
};

TEST_F(ChoiceForATarget, HasANameThatReadsBack) {
  for (const auto& one : kTargetWords) EXPECT_EQ(to_string(*value_of(kTargetWords, one.second)), one.second);
  EXPECT_FALSE(value_of(kTargetWords, "mean"));
}

TEST_F(ChoiceForATarget, IsTheClosedFormForTwoWords) {
  // N = 1 / (1 + exp(-epsilon / 2)) for both words, so epsilon = 2 ln(N / (1 - N)); the best guess is what is printed.
  const double expected = 2 * std::log(0.8 / 0.2);
  for (const ChoiceTarget target :
       {ChoiceTarget::mean_n, ChoiceTarget::q05_n, ChoiceTarget::q50_n, ChoiceTarget::q95_n, ChoiceTarget::bayes}) {
    for (const bool as_published : {false, true}) {
      const auto found = choose(two_, {.as_published = as_published}, target, "0.8");
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_NEAR(found->choice.epsilon.to_double(), expected, 1.1e-3) << to_string(target);
      EXPECT_LE(found->choice.achieved, 0.8);
      EXPECT_GT(found->choice.next, 0.8);
      EXPECT_EQ(found->figures.epsilon, found->choice.epsilon);
      EXPECT_FALSE(found->interval()) << "exact";
    }
  }
}

TEST_F(ChoiceForATarget, IsMetByTheLikeliestOfTheWordsThatMatter) {
  // Words at 0, 1 and 10: the last one stays much likelier than the others.
  const WordVectors line = testing::words_at({{0}, {1}, {10}});
  const auto all = choose(line, {}, ChoiceTarget::max_n, "0.6");
  const auto near = choose(line, {}, ChoiceTarget::max_n, "0.6", {.words = {0, 1}});
  ASSERT_TRUE(all && near);
  EXPECT_LT(all->choice.epsilon, near->choice.epsilon) << "the lone word asks for more";
  const auto largest = [](const TargetChoice& choice, std::vector<std::size_t> words) {
    double found = 0;
    for (const std::size_t word : words) found = std::max(found, choice.figures.exact->stays[word]);
    return found;
  };
  EXPECT_DOUBLE_EQ(all->choice.achieved, largest(*all, {0, 1, 2}));
  EXPECT_DOUBLE_EQ(near->choice.achieved, largest(*near, {0, 1}));
  EXPECT_GT(near->figures.exact->stays[2], 0.6);
  EXPECT_FALSE(all->interval());
}

TEST_F(ChoiceForATarget, HoldsForEveryDrawnWordThatMatters) {
  FiguresRequest request{.words = {2, 5, 11}, .sample = 4};
  request.options.draws = 400;
  request.options.seed = 5;
  const MechanismOptions dchi{.kind = MechanismKind::dchi};
  const auto few = choose(cloud_, dchi, ChoiceTarget::max_n, "0.7", request);
  ASSERT_TRUE(few) << few.error().message;
  ASSERT_TRUE(few->interval());
  EXPECT_DOUBLE_EQ(few->interval()->second, few->choice.achieved) << "the upper end";
  EXPECT_LE(few->choice.achieved, 0.7);
  for (const auto& word : few->figures.words) EXPECT_LT(word.stays, few->choice.achieved);
  request.words.clear();
  const auto all = choose(cloud_, dchi, ChoiceTarget::max_n, "0.7", request);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->figures.sampled->words.size(), cloud_.size()) << "the largest of all is one of all";
  EXPECT_LT(all->choice.epsilon, few->choice.epsilon);
}

TEST_F(ChoiceForATarget, KeepsTheUpperEndOfWhatIsSampledBelowTheValue) {
  FiguresRequest request;
  request.options.draws = 400;
  request.options.seed = 5;
  const MechanismOptions dchi{.kind = MechanismKind::dchi};
  EXPECT_TRUE(*is_sampled(cloud_, dchi));
  for (const ChoiceTarget target : {ChoiceTarget::mean_n, ChoiceTarget::bayes}) {
    const auto found = choose(cloud_, dchi, target, "0.7", request);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_TRUE(found->interval());
    EXPECT_DOUBLE_EQ(found->interval()->second, found->choice.achieved);
    EXPECT_LT(found->interval()->first, found->interval()->second);
    EXPECT_LE(found->choice.achieved, 0.7);
  }
  const auto quantile = choose(cloud_, dchi, ChoiceTarget::q50_n, "0.7", request);
  ASSERT_TRUE(quantile);
  EXPECT_FALSE(quantile->interval());
}

TEST_F(ChoiceForATarget, DrawsAllWordsForAGuess) {
  FiguresRequest request{.sample = 3};
  request.options.draws = 200;
  const auto found = choose(cloud_, {.kind = MechanismKind::dchi}, ChoiceTarget::bayes, "0.7", request);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->figures.sampled->words.size(), cloud_.size());
}

TEST_F(ChoiceForATarget, NeedsAPriorForAGuessWithOne) {
  const auto without = choose(two_, {}, ChoiceTarget::bayes_prior, "0.8");
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message, HasSubstr("needs a prior"));
  const auto with = choose(two_, {}, ChoiceTarget::bayes_prior, "0.8", {.prior = {0.5, 0.5}});
  ASSERT_TRUE(with) << with.error().message;
  EXPECT_NEAR(with->choice.epsilon.to_double(), 2 * std::log(4.0), 1.1e-3) << "as without: all words alike";
}

TEST_F(ChoiceForATarget, SaysWhenNoEpsilonReachesIt) {
  const auto none = choose(two_, {}, ChoiceTarget::mean_n, "0.3");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::infeasible) << "N is at least one half";
}

TEST_F(ChoiceForATarget, IsSampledForDchiWithoutALawAlone) {
  EXPECT_FALSE(*is_sampled(cloud_, {}));
  EXPECT_FALSE(*is_sampled(two_, {.kind = MechanismKind::dchi}));
  EXPECT_TRUE(*is_sampled(two_, {.kind = MechanismKind::dchi, .as_published = true}));
}

TEST_F(ChoiceForATarget, IsWrittenWithItsFigures) {
  const auto found = choose(two_, {}, ChoiceTarget::q50_n, "0.8");
  const Json json = to_json(*found, two_);
  EXPECT_EQ(json.find("epsilon")->dump(), found->choice.epsilon.to_decimal());
  EXPECT_EQ(json.find("target")->dump(), "\"q50-n\"");
  EXPECT_EQ(json.find("value")->dump(), "0.8");
  EXPECT_EQ(json.find("exact")->dump(), "true");
  EXPECT_EQ(json.find("figures")->dump(), to_json(found->figures, two_).dump());
}

}  // namespace target_choice_test
}  // namespace gauze::text
