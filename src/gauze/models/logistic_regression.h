#pragma once

#include "gauze/models/examples.h"

namespace gauze::models {

/// Logistic regression on categorical features: a coefficient a value and an intercept that minimise
///
///     sum over tuples of  positive * log(1 + exp(-z)) + negative * log(1 + exp(z)) + l2 / 2 * (sum of squared coefficients),
///
/// where z is the intercept plus the coefficients of the tuple's values. The intercept is not penalised. There is exactly
/// one minimum; in it the coefficients of each feature sum to zero, and values without training weight have coefficient 0.
///
/// Training is total, for callers who measure noisy releases: only one outcome in the weights gives the constant model
/// (positive + 1/2) / (total + 1), no weight at all the constant 1/2.
///
/// Not covered    : privacy. The model depends on its training data like any other statistic.
/// Cost           : tuples * features^2 a step, about seven steps; memory columns^2, columns being the values that occur.
///                  Beyond max_dense_columns L-BFGS finds the same minimum without the matrix.
/// Thread safety  : training is single-threaded, const members may be called concurrently.
/// Reproducibility: the same input gives the same bits. Another order of tuples, or a tuple split into parts, gives the
///                  same up to rounding; weights and l2 times a power of two the same bits.
class LogisticRegression {
 public:
  struct Options {
    double l2 = 1;            ///< finite and positive
    int max_iterations = 50;  ///< at least 1, steps of Newton's method; L-BFGS may take twenty times as many
    double tolerance = 1e-8;  ///< ends when no coefficient moves by more; positive
    std::uint32_t max_dense_columns = 1500;  ///< values that occur, up to which Newton's method is used
  };

  /// Refuses options and weights out of range.
  [[nodiscard]] static Result<LogisticRegression> train(const Examples& examples, const Options& options);
  [[nodiscard]] static Result<LogisticRegression> train(const Examples& examples) {
    return train(examples, Options{});
  }

  /// The probability of the positive outcome for each tuple of the examples, whose weights are not looked at.
  [[nodiscard]] std::vector<double> probabilities(const Examples& examples) const;
  /// The same for columns alone; a model without features has no columns to count tuples by, and returns nothing.
  [[nodiscard]] std::vector<double> probabilities(CodeColumns codes) const;

  [[nodiscard]] double intercept() const { return intercept_; }
  /// The coefficients of one feature, by code.
  [[nodiscard]] std::span<const double> coefficients(std::size_t feature) const { return coefficients_.at(feature); }
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] bool converged() const { return converged_; }

 private:
  LogisticRegression() = default;
  [[nodiscard]] std::vector<double> predict(CodeColumns codes, std::size_t tuples) const;

  std::vector<std::uint32_t> cardinalities_;
  std::vector<std::vector<double>> coefficients_;
  double intercept_ = 0;
  int iterations_ = 0;
  bool converged_ = true;
};

}  // namespace gauze::models
