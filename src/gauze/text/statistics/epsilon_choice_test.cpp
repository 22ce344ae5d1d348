#include "gauze/text/statistics/epsilon_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/text/statistics/word_statistics.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace epsilon_choice_test {

using testing::random_words;

/// Two words at distance 1 under SanText.
Result<double> two_words(const Rational& epsilon) { return 1 / (1 + std::exp(-epsilon.to_double() / 2)); }

TEST(EpsilonChoice, IsTheInverseOfAClosedForm) {
  for (const double target : {0.51, 0.6, 0.75, 0.9, 0.999, 0.9999999}) {
    const auto choice = choose_epsilon(two_words, target);
    ASSERT_TRUE(choice) << choice.error().message;
    const double truth = 2 * std::log(target / (1 - target));
    EXPECT_LE(choice->epsilon.to_double(), truth * (1 + 1e-12));
    EXPECT_NEAR(choice->epsilon.to_double() / truth, 1, 1e-3) << "four digits, rounded down";
    EXPECT_LE(choice->achieved, target);
    EXPECT_GT(choice->next, target);
    EXPECT_LE(choice->evaluations, 30);
  }
}

TEST(EpsilonChoice, FindsTheEdgeOfAStep) {
  const auto step = [](const Rational& epsilon) -> Result<double> {
    return epsilon <= Rational(123456, 100) ? 0.1 : 0.9;
  };
  const auto choice = choose_epsilon(step, 0.5).value();
  EXPECT_EQ(choice.epsilon, Rational(1234));
  EXPECT_EQ(choice.achieved, 0.1);
  EXPECT_EQ(choice.next, 0.9);
}

TEST(EpsilonChoice, StopsBelowTheFirstCrossingWhereTheFigureMayFallAgain) {
  // Rises to 0.9 at epsilon 20 and falls to 0.5 at large ones.
  const auto hill = [](const Rational& epsilon) -> Result<double> {
    const double e = epsilon.to_double();
    return e < 20 ? 0.4 + 0.5 * e / 20 : 0.5 + 8 / e;
  };
  const auto choice = choose_epsilon(hill, 0.8, FigureGrows::perhaps).value();
  EXPECT_NEAR(choice.epsilon.to_double(), 16, 0.02);
  EXPECT_LE(choice.achieved, 0.8);
  EXPECT_GT(choice.next, 0.8);
  EXPECT_THAT(choose_epsilon(hill, 0.95, FigureGrows::perhaps).error().message, ::testing::HasSubstr("at the most"));
  EXPECT_THAT(choose_epsilon(hill, 0.3, FigureGrows::perhaps).error().message, ::testing::HasSubstr("so private"));
}

TEST(EpsilonChoice, SaysWhenNoEpsilonDoes) {
  EXPECT_THAT(choose_epsilon(two_words, 0.4).error().message, ::testing::HasSubstr("so private"));
  const auto flat = [](const Rational&) -> Result<double> { return 0.3; };
  EXPECT_THAT(choose_epsilon(flat, 0.4).error().message, ::testing::HasSubstr("private enough"));
  for (const double target : {0.0, 1.0, -1.0, std::nan("")}) EXPECT_FALSE(choose_epsilon(two_words, target));
  const auto broken = [](const Rational&) -> Result<double> { return make_error(ErrorCode::io, "gone"); };
  EXPECT_EQ(choose_epsilon(broken, 0.4).error().code, ErrorCode::io);
}

TEST(EpsilonChoice, ReachesATargetOnAVocabulary) {
  const WordVectors vectors = random_words(300, 6, 1.0, 3);
  const auto mean = [&](const Rational& epsilon) -> Result<double> {
    const auto mechanism = SoftmaxMechanism::make(WordMetric::make(vectors).value(), {.epsilon = epsilon}).value();
    GAUZE_TRY(const auto found, word_statistics(std::span(&mechanism, 1), {}));
    return spread_of(found[0].stays).mean;
  };
  const auto choice = choose_epsilon(mean, 0.3).value();
  EXPECT_NEAR(choice.achieved, 0.3, 0.001);
  EXPECT_LE(choice.achieved, 0.3);
}

}  // namespace epsilon_choice_test
}  // namespace gauze::text
