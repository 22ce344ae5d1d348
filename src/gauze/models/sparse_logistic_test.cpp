#include "gauze/models/sparse_logistic.h"

#include <gtest/gtest.h>

#include "gauze/models/models_testing.h"

namespace gauze::models {
namespace sparse_logistic_test {

struct Problem {
  SparseRows rows;
  std::vector<double> positive;
  std::vector<double> negative;
};

/// Rows like word counts: a few of many columns, values of different size.
Problem random_problem(std::mt19937_64& random, std::size_t rows, std::size_t columns) {
  Problem problem;
  problem.rows.columns = columns;
  for (std::size_t i = 0; i < rows; ++i) {
    double score = 0.3;
    for (std::uint64_t k = random() % 6; k > 0; --k) {
      const auto column = static_cast<std::uint32_t>(random() % columns);
      problem.rows.indices.push_back(column);
      problem.rows.values.push_back(3 * uniform(random) - 1);
      score += std::cos(static_cast<double>(column)) * problem.rows.values.back();
    }
    problem.rows.starts.push_back(problem.rows.indices.size());
    const bool up = uniform(random) < 1 / (1 + std::exp(-2 * score));
    problem.positive.push_back(up ? 1 : 0);
    problem.negative.push_back(up ? 0 : 1);
  }
  return problem;
}

double largest_gradient(const SparseLogistic& model, const Problem& problem, double l2) {
  std::vector<double> gradient;
  for (const double weight : model.weights()) gradient.push_back(l2 * weight);
  gradient.push_back(0);
  const std::vector<double> p = model.probabilities(problem.rows);
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double slope = problem.negative[i] * p[i] - problem.positive[i] * (1 - p[i]);
    gradient.back() += slope;
    for (std::size_t k = problem.rows.starts[i]; k < problem.rows.starts[i + 1]; ++k) {
      gradient[problem.rows.indices[k]] += slope * problem.rows.values[k];
    }
  }
  double largest = 0;
  for (const double each : gradient) largest = std::max(largest, std::abs(each));
  return largest;
}

TEST(SparseLogistic, TheGradientIsZeroAtTheSolution) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 30; ++round) {
    const Problem problem = random_problem(random, 20 + random() % 300, 1 + random() % 100);
    const double l2 = std::pow(10, 3 * uniform(random) - 2);
    const auto model = SparseLogistic::train(problem.rows, problem.positive, problem.negative, {.l2 = l2}).value();
    EXPECT_TRUE(model.converged());
    EXPECT_LT(largest_gradient(model, problem, l2), 1e-5);
  }
}

TEST(SparseLogistic, OneNumberSolvesItsEquations) {
  // x = 1 and x = -2, so that sum (p - y) x + l2 w = 0 and sum (p - y) = 0.
  const SparseRows rows{.columns = 1, .starts = {0, 1, 2}, .indices = {0, 0}, .values = {1, -2}};
  const std::vector<double> positive = {8, 3};
  const std::vector<double> negative = {2, 9};
  const auto model = SparseLogistic::train(rows, positive, negative, {.l2 = 2}).value();
  const auto p = model.probabilities(rows);
  EXPECT_NEAR((10 * p[0] - 8) * 1 + (12 * p[1] - 3) * -2 + 2 * model.weights()[0], 0, 1e-6);
  EXPECT_NEAR((10 * p[0] - 8) + (12 * p[1] - 3), 0, 1e-6);
}

TEST(SparseLogistic, AgreesWithTheCategoricalModelOnOneHotRows) {
  std::mt19937_64 random(2);
  const Examples examples = random_examples(random, {3, 5}, 60);
  SparseRows rows;
  rows.columns = 8;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    rows.indices.insert(rows.indices.end(), {3 + examples.codes[1][i], examples.codes[0][i]});
    rows.values.insert(rows.values.end(), {1, 1});
    rows.starts.push_back(rows.indices.size());
  }
  const auto sparse = SparseLogistic::train(rows, examples.positive, examples.negative).value();
  const auto categorical = LogisticRegression::train(examples).value();
  EXPECT_LT(largest_gap(sparse.probabilities(rows), categorical.probabilities(examples)), 1e-7);
  EXPECT_NEAR(sparse.weights()[4], categorical.coefficients(1)[1], 1e-7);
}

TEST(SparseLogistic, RepeatedColumnsOfARowAddUp) {
  const SparseRows repeated{.columns = 2, .starts = {0, 3, 4}, .indices = {0, 1, 0, 1}, .values = {1, 1, 2, -1}};
  const SparseRows summed{.columns = 2, .starts = {0, 2, 3}, .indices = {0, 1, 1}, .values = {3, 1, -1}};
  const std::vector<double> positive = {5, 1};
  const std::vector<double> negative = {2, 4};
  const auto a = SparseLogistic::train(repeated, positive, negative).value();
  const auto b = SparseLogistic::train(summed, positive, negative).value();
  EXPECT_LT(largest_gap(a.probabilities(repeated), b.probabilities(summed)), 1e-7);
}

TEST(SparseLogistic, EmptyRowsGetTheIntercept) {
  const SparseRows rows{.columns = 4, .starts = {0, 0, 0}, .indices = {}, .values = {}};
  const auto model = SparseLogistic::train(rows, std::vector<double>{3, 0}, std::vector<double>{0, 1}).value();
  EXPECT_LT(largest_gap(model.probabilities(rows), {0.75, 0.75}), 1e-12);
  for (const double weight : model.weights()) EXPECT_EQ(weight, 0);
}

TEST(SparseLogistic, SeparableRowsAndSmallPenaltiesStayFinite) {
  const SparseRows rows{.columns = 1, .starts = {0, 1, 2}, .indices = {0, 0}, .values = {1000, -1000}};
  for (const double l2 : {1.0, 1e-6}) {
    const auto model =
        SparseLogistic::train(rows, std::vector<double>{1, 0}, std::vector<double>{0, 1}, {.l2 = l2}).value();
    EXPECT_TRUE(std::isfinite(model.weights()[0]));
    EXPECT_GT(model.probabilities(rows)[0], 0.95);
  }
}

TEST(SparseLogistic, OneOutcomeOrNoRowsGivesTheSmoothedConstant) {
  const SparseRows rows{.columns = 1, .starts = {0, 1}, .indices = {0}, .values = {1}};
  const auto one = SparseLogistic::train(rows, std::vector<double>{9}, std::vector<double>{0}).value();
  EXPECT_NEAR(one.probabilities(rows)[0], 0.95, 1e-15);
  EXPECT_EQ(one.iterations(), 0);
  const auto none = SparseLogistic::train({.columns = 1, .starts = {0}, .indices = {}, .values = {}}, {}, {}).value();
  EXPECT_EQ(none.probabilities(rows)[0], 0.5);
}

TEST(SparseLogistic, RefusesValuesAndOptionsOutOfRange) {
  for (const double bad : std::vector<double>{NAN, INFINITY, 1e101}) {
    const SparseRows rows{.columns = 1, .starts = {0, 1}, .indices = {0}, .values = {bad}};
    EXPECT_FALSE(SparseLogistic::train(rows, std::vector<double>{1}, std::vector<double>{1}));
  }
  const SparseRows rows{.columns = 1, .starts = {0, 1}, .indices = {0}, .values = {1}};
  EXPECT_FALSE(SparseLogistic::train(rows, std::vector<double>{1}, std::vector<double>{-1}));
  EXPECT_FALSE(SparseLogistic::train(rows, std::vector<double>{1}, std::vector<double>{1}, {.l2 = 0}));
  EXPECT_FALSE(SparseLogistic::train(rows, std::vector<double>{1}, std::vector<double>{1}, {.max_iterations = 0}));
}

TEST(SparseLogisticDeathTest, RowsThatDoNotFitAreBugs) {
  const SparseRows beyond{.columns = 1, .starts = {0, 1}, .indices = {1}, .values = {1}};
  EXPECT_DEATH((void)SparseLogistic::train(beyond, std::vector<double>{1}, std::vector<double>{1}), "columns");
}

}  // namespace sparse_logistic_test
}  // namespace gauze::models
