#include "gauze/models/logistic_regression.h"

#include <gtest/gtest.h>

#include "gauze/models/models_testing.h"

namespace gauze::models {
namespace logistic_regression_test {

using Options = LogisticRegression::Options;

TEST(LogisticRegression, TwoGroupsOfOneFeatureSolveTheirTwoEquations) {
  // With b the intercept and +w, -w the coefficients: group 0 has residual -l2 w, group 1 the opposite.
  const Examples examples{.cardinalities = {2}, .codes = {{0, 1}}, .positive = {30, 10}, .negative = {10, 50}};
  for (const double l2 : {0.01, 1.0, 25.0}) {
    const auto model = LogisticRegression::train(examples, {.l2 = l2}).value();
    const double w = model.coefficients(0)[0];
    const double b = model.intercept();
    const auto p = [](double z) { return 1 / (1 + std::exp(-z)); };
    EXPECT_NEAR(model.coefficients(0)[1], -w, 1e-12);
    EXPECT_NEAR(40 * p(b + w) - 30 + l2 * w, 0, 1e-9);
    EXPECT_NEAR(60 * p(b - w) - 10 - l2 * w, 0, 1e-9);
    EXPECT_GT(w, 0);
    EXPECT_TRUE(model.converged());
  }
}

TEST(LogisticRegression, WithHardlyAnyPenaltyASingleFeatureGivesTheRatesThemselves) {
  const Examples examples{
      .cardinalities = {3}, .codes = {{0, 1, 2}}, .positive = {30, 10, 7}, .negative = {10, 50, 7}};
  const auto p = LogisticRegression::train(examples, {.l2 = 1e-9}).value().probabilities(examples);
  EXPECT_NEAR(p[0], 0.75, 1e-9);
  EXPECT_NEAR(p[1], 1.0 / 6, 1e-9);
  EXPECT_NEAR(p[2], 0.5, 1e-9);
}

TEST(LogisticRegression, WithoutFeaturesItIsTheRateOfThePositives) {
  const Examples examples{.cardinalities = {}, .codes = {}, .positive = {3, 0}, .negative = {2, 5}};
  const auto model = LogisticRegression::train(examples).value();
  EXPECT_LT(largest_gap(model.probabilities(examples), {0.3, 0.3}), 1e-15);
  EXPECT_TRUE(model.probabilities(CodeColumns{}).empty());
}

TEST(LogisticRegression, TheGradientIsZeroAtTheSolution) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::uint32_t> cardinalities(1 + random() % 5);
    for (auto& each : cardinalities) each = static_cast<std::uint32_t>(1 + random() % 12);
    const Examples examples = random_examples(random, cardinalities, 2 + random() % 200, 1 + random() % 1000);
    const double l2 = std::pow(10, 6 * uniform(random) - 3);
    const auto model = LogisticRegression::train(examples, {.l2 = l2}).value();
    EXPECT_TRUE(model.converged());
    EXPECT_LT(model.iterations(), 20);
    if (model.iterations() > 0) {
      EXPECT_LT(largest_gradient(model, examples, l2), 1e-12);
    }
  }
}

TEST(LogisticRegression, CoefficientsOfAFeatureSumToZeroAndUnseenValuesHaveNone) {
  std::mt19937_64 random(2);
  Examples examples = random_examples(random, {6, 4}, 100);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (examples.codes[0][i] == 3) examples.positive[i] = examples.negative[i] = 0;
  }
  const auto model = LogisticRegression::train(examples).value();
  for (std::size_t f = 0; f < 2; ++f) {
    double sum = 0;
    for (const double each : model.coefficients(f)) sum += each;
    EXPECT_NEAR(sum, 0, 1e-12);
  }
  EXPECT_EQ(model.coefficients(0)[3], 0);
  EXPECT_NE(model.coefficients(0)[2], 0);
}

/// What must not change a model.
TEST(LogisticRegression, SplitShuffledOrScaledTuplesGiveTheSameModel) {
  std::mt19937_64 random(3);
  for (const std::uint32_t dense : {1500U, 0U}) {
    for (int round = 0; round < 10; ++round) {
      const Examples examples = random_examples(random, {5, 7, 3}, 60);
      const Options options{.l2 = 0.5, .max_dense_columns = dense};
      const auto wanted = LogisticRegression::train(examples, options).value().probabilities(examples);
      const auto probabilities = [&](const Examples& training, double l2) {
        const auto model = LogisticRegression::train(training, {.l2 = l2, .max_dense_columns = dense});
        return model.value().probabilities(examples);
      };
      EXPECT_LT(largest_gap(probabilities(with_tuples_split(examples), 0.5), wanted), dense ? 1e-12 : 1e-7);
      EXPECT_LT(largest_gap(probabilities(shuffled(random, examples), 0.5), wanted), dense ? 1e-12 : 1e-7);
      EXPECT_LT(largest_gap(probabilities(scaled(examples, 3), 1.5), wanted), dense ? 1e-12 : 1e-7);
      EXPECT_EQ(probabilities(scaled(examples, 1024), 512), wanted);
    }
  }
}

TEST(LogisticRegression, BeyondTheDenseLimitTheSameMinimumIsFound) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    const Examples examples = random_examples(random, {20, 5, 9, 2}, 30 + random() % 400);
    const double l2 = std::pow(10, 3 * uniform(random) - 2);
    const auto newton = LogisticRegression::train(examples, {.l2 = l2}).value();
    const auto lbfgs = LogisticRegression::train(examples, {.l2 = l2, .max_dense_columns = 35}).value();
    EXPECT_TRUE(lbfgs.converged());
    EXPECT_NEAR(newton.intercept(), lbfgs.intercept(), 1e-6);
    for (std::size_t f = 0; f < 4; ++f) {
      for (std::size_t code = 0; code < newton.coefficients(f).size(); ++code) {
        EXPECT_NEAR(newton.coefficients(f)[code], lbfgs.coefficients(f)[code], 1e-6);
      }
    }
  }
}

TEST(LogisticRegression, ThousandsOfValuesAreNoObstacle) {
  std::mt19937_64 random(5);
  const Examples examples = random_examples(random, {4000, 50}, 8000, 40);
  const auto model = LogisticRegression::train(examples).value();
  EXPECT_TRUE(model.converged());
  EXPECT_LT(largest_gradient(model, examples, 1), 1e-10);
}

TEST(LogisticRegression, SeparableDataGivesFiniteCoefficients) {
  const Examples examples{.cardinalities = {2, 2},
                          .codes = {{0, 1, 0, 1}, {0, 0, 1, 1}},
                          .positive = {100, 0, 100, 0},
                          .negative = {0, 100, 0, 100}};
  for (const double l2 : {1.0, 1e-6, 1e-12}) {
    const auto model = LogisticRegression::train(examples, {.l2 = l2}).value();
    EXPECT_TRUE(std::isfinite(model.intercept()));
    EXPECT_LT(std::abs(model.coefficients(0)[0]), 50);
    const auto p = model.probabilities(examples);
    EXPECT_GT(p[0], 0.95);
    EXPECT_LT(p[1], 0.05);
    EXPECT_NEAR(model.coefficients(1)[0], 0, 1e-9);
    EXPECT_LT(largest_gradient(model, examples, l2), 1e-10);
  }
}

TEST(LogisticRegression, OneOutcomeOrNoWeightGivesTheSmoothedConstant) {
  Examples examples{.cardinalities = {3}, .codes = {{0, 1}}, .positive = {4, 5}, .negative = {0, 0}};
  for (const std::uint32_t dense : {1500U, 0U}) {
    const Options options{.max_dense_columns = dense};
    const auto positive = LogisticRegression::train(examples, options).value();
    EXPECT_LT(largest_gap(positive.probabilities(examples), {0.95, 0.95}), 1e-14);
    Examples reversed = examples;
    std::swap(reversed.positive, reversed.negative);
    const auto negative = LogisticRegression::train(reversed, options).value();
    EXPECT_LT(largest_gap(negative.probabilities(examples), {0.05, 0.05}), 1e-14);
  }
  const auto nothing = LogisticRegression::train(scaled(examples, 0)).value();
  EXPECT_EQ(nothing.probabilities(examples), (std::vector<double>{0.5, 0.5}));
  const auto empty = LogisticRegression::train({.cardinalities = {3}, .codes = {{}}, .positive = {}, .negative = {}});
  EXPECT_EQ(empty.value().probabilities(examples), (std::vector<double>{0.5, 0.5}));
}

TEST(LogisticRegression, HugeWeightsLeaveThePenaltyWithoutEffect) {
  std::mt19937_64 random(6);
  const Examples examples = random_examples(random, {4, 3}, 80, 50);
  const auto reference = LogisticRegression::train(examples, {.l2 = 1e-12}).value().probabilities(examples);
  for (const double factor : {1e12, 1e18, 1e100, 1e300}) {
    const auto model = LogisticRegression::train(scaled(examples, factor)).value();
    EXPECT_TRUE(model.converged()) << factor;
    EXPECT_LT(largest_gap(model.probabilities(examples), reference), 1e-9) << factor;
  }
}

TEST(LogisticRegression, TinyWeightsLeaveThePenaltyAlone) {
  std::mt19937_64 random(7);
  const Examples examples = random_examples(random, {4, 3}, 80, 50);
  double positive = 0;
  for (const double each : examples.positive) positive += each;
  const std::vector<double> rate(examples.size(), positive / total(examples));
  for (const double factor : {1e-12, 1e-100, 1e-300}) {
    const auto model = LogisticRegression::train(scaled(examples, factor)).value();
    EXPECT_TRUE(model.converged()) << factor;
    EXPECT_LT(largest_gap(model.probabilities(examples), rate), 1e-8) << factor;
  }
}

TEST(LogisticRegression, WeightsOfVeryDifferentSizeStayAccurate) {
  // A rare value with ten rows beside one of 1e12: its equation is met relative to its own weight.
  const Examples examples{
      .cardinalities = {3}, .codes = {{0, 1, 2}}, .positive = {4e11, 9, 2e11}, .negative = {6e11, 1, 1e11}};
  const auto model = LogisticRegression::train(examples).value();
  const auto p = model.probabilities(examples);
  EXPECT_NEAR(10 * p[1] - 9 + model.coefficients(0)[1], 0, 1e-6);
  EXPECT_NEAR(p[0], 0.4, 1e-9);
}

TEST(LogisticRegression, OneRarePositiveInABillionIsStillLearnt) {
  const Examples examples{.cardinalities = {2}, .codes = {{0, 1}}, .positive = {0, 1}, .negative = {1e9, 1e3}};
  const auto model = LogisticRegression::train(examples, {.l2 = 1e-6}).value();
  const auto p = model.probabilities(examples);
  EXPECT_NEAR(p[1], 1e-3, 1e-5);
  EXPECT_LT(p[0], 1e-9);
}

TEST(LogisticRegression, CannotLearnXor) {
  const Examples examples = xor_examples();
  const auto p = LogisticRegression::train(examples).value().probabilities(examples);
  for (const double each : p) EXPECT_NEAR(each, 0.5, 0.1);
}

TEST(LogisticRegression, RefusesOptionsOutOfRange) {
  const Examples examples = xor_examples();
  for (const Options& bad : {Options{.l2 = 0}, Options{.l2 = -1}, Options{.l2 = INFINITY}, Options{.l2 = NAN},
                             Options{.max_iterations = 0}, Options{.tolerance = 0}, Options{.tolerance = NAN}}) {
    const auto result = LogisticRegression::train(examples, bad);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::invalid_parameter);
  }
}

TEST(LogisticRegression, NoStepMakesTheObjectiveWorse) {
  std::mt19937_64 random(8);
  const Examples examples = random_examples(random, {4, 3}, 80, 50);
  double before = INFINITY;
  for (int iterations = 1; iterations <= 6; ++iterations) {
    const auto model = LogisticRegression::train(examples, {.max_iterations = iterations}).value();
    double objective = log_loss(model.probabilities(examples), examples);
    for (std::size_t f = 0; f < 2; ++f) {
      for (const double each : model.coefficients(f)) objective += each * each / 2;
    }
    EXPECT_LE(objective, before * (1 + 1e-12));
    before = objective;
  }
}

}  // namespace logistic_regression_test
}  // namespace gauze::models
