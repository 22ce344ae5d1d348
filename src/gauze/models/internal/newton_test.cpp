#include "gauze/models/internal/newton.h"

#include <gtest/gtest.h>

#include "gauze/models/internal/logistic_loss.h"
#include "gauze/models/models_testing.h"

namespace gauze::models::internal {
namespace newton_test {

double objective(const TrainingRows& rows, double l2, const std::vector<double>& weights, double intercept) {
  double value = 0;
  for (const double weight : weights) value += l2 / 2 * weight * weight;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double score = intercept;
    for (std::size_t f = 0; f < rows.features; ++f) score += weights[rows.columns[row * rows.features + f]];
    value += logistic_loss(score, rows.positive[row], rows.negative[row]);
  }
  return value;
}

TEST(Newton, EveryDirectionFromTheSolutionGoesUp) {
  std::mt19937_64 random(1);
  const TrainingRows rows = training_rows(random_examples(random, {5, 3, 4}, 120), 0).value();
  const double l2 = 1 / rows.unit;
  const LogisticFit fit = fit_newton(rows, l2, 50, 1e-8);
  ASSERT_TRUE(fit.converged);
  const double least = objective(rows, l2, fit.weights, fit.intercept);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> beside = fit.weights;
    for (double& each : beside) each += 0.02 * (uniform(random) - 0.5);
    EXPECT_GT(objective(rows, l2, beside, fit.intercept + 0.02 * (uniform(random) - 0.5)), least);
  }
}

TEST(Newton, ConvergesQuadratically) {
  std::mt19937_64 random(2);
  const TrainingRows rows = training_rows(random_examples(random, {9, 7, 5}, 500), 0).value();
  EXPECT_LE(fit_newton(rows, 1 / rows.unit, 50, 1e-8).iterations, 9);
}

TEST(Newton, LongStepsAreHalvedUntilTheObjectiveDoesNotIncrease) {
  // One value in a million has the opposite outcome: the first full step would be of the order of a million.
  const Examples examples{
      .cardinalities = {2}, .codes = {{0, 1}}, .positive = {1, 1'000'000}, .negative = {1e12, 100}};
  const TrainingRows rows = training_rows(examples, 0).value();
  const double l2 = 1e-3 / rows.unit;
  double before = objective(rows, l2, {0, 0}, log_odds(rows.total_positive, rows.total_negative));
  for (int iterations = 1; iterations <= 40; ++iterations) {
    const LogisticFit fit = fit_newton(rows, l2, iterations, 1e-8);
    const double value = objective(rows, l2, fit.weights, fit.intercept);
    EXPECT_LE(value, before * (1 + 1e-11)) << iterations;
    before = value;
  }
  const LogisticFit fit = fit_newton(rows, l2, 100, 1e-8);
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(sigmoid(fit.intercept + fit.weights[1]), 1'000'000 / 1'000'100.0, 1e-7);
}

TEST(Newton, CenteringChangesNoScoreAndNeverTheMinimum) {
  std::mt19937_64 random(3);
  const TrainingRows rows = training_rows(random_examples(random, {4, 6}, 100), 0).value();
  std::vector<double> weights(rows.column_count());
  for (double& each : weights) each = 3 * uniform(random);
  double intercept = 0.7;
  std::vector<double> centered = weights;
  double moved = intercept;
  center(rows, centered, moved);
  for (std::uint32_t a = rows.first_column[0]; a < rows.first_column[1]; ++a) {
    for (std::uint32_t b = rows.first_column[1]; b < rows.first_column[2]; ++b) {
      EXPECT_NEAR(centered[a] + centered[b] + moved, weights[a] + weights[b] + intercept, 1e-13);
    }
  }
  EXPECT_LT(objective(rows, 1, centered, moved), objective(rows, 1, weights, intercept));

  LogisticFit fit = fit_newton(rows, 1e-3, 50, 1e-10);
  const std::vector<double> at_minimum = fit.weights;
  center(rows, fit.weights, fit.intercept);
  EXPECT_LT(largest_gap(fit.weights, at_minimum), 1e-14);
}

}  // namespace newton_test
}  // namespace gauze::models::internal
