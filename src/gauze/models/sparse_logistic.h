#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::models {

/// A matrix of which only the entries that are not zero are kept, row by row (CSR). Entries of one row may be in any order;
/// those with the same column add up.
struct SparseRows {
  std::size_t columns = 0;
  std::vector<std::size_t> starts = {0};  ///< where each row begins in indices and values, then where the last ends
  std::vector<std::uint32_t> indices;     ///< below columns
  std::vector<double> values;             ///< finite, at most 1e100 in size

  [[nodiscard]] std::size_t size() const { return starts.size() - 1; }
};

/// Logistic regression on sparse rows, such as words in texts: weights w and an intercept b that minimise
///
///     sum over rows of  positive * log(1 + exp(-z)) + negative * log(1 + exp(z)) + l2 / 2 * |w|^2,   z = w x + b.
///
/// The intercept is not penalised. There is exactly one minimum; it is found by L-BFGS, without a matrix of columns by
/// columns. Only one outcome in the weights: the constant model (positive + 1/2) / (total + 1); no weight at all: 1/2.
///
/// Not covered    : privacy. The model depends on its training data like any other statistic.
/// Thread safety  : training is single-threaded, const members may be called concurrently.
/// Reproducibility: the same input gives the same bits; another order of rows the same up to rounding.
class SparseLogistic {
 public:
  struct Options {
    double l2 = 1;              ///< finite and positive
    int max_iterations = 1000;  ///< at least 1; the best found so far is returned when they are used up
    double tolerance = 1e-8;    ///< how far a coefficient may be from its best place, about; positive
  };

  /// Refuses options and weights out of range, and values that are not finite. Shapes that do not fit are GAUZE_CHECKs.
  [[nodiscard]] static Result<SparseLogistic> train(const SparseRows& rows, std::span<const double> positive,
                                                    std::span<const double> negative, const Options& options);
  [[nodiscard]] static Result<SparseLogistic> train(const SparseRows& rows, std::span<const double> positive,
                                                    std::span<const double> negative) {
    return train(rows, positive, negative, Options{});
  }

  /// The probability of the positive outcome for each row; rows have as many columns as in training.
  [[nodiscard]] std::vector<double> probabilities(const SparseRows& rows) const;

  [[nodiscard]] double intercept() const { return intercept_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] bool converged() const { return converged_; }

 private:
  SparseLogistic() = default;

  double intercept_ = 0;
  std::vector<double> weights_;
  int iterations_ = 0;
  bool converged_ = true;
};

}  // namespace gauze::models
