#include "gauze/models/internal/newton.h"

#include <algorithm>
#include <cmath>

#include "gauze/models/internal/cholesky.h"
#include "gauze/models/internal/line_search.h"
#include "gauze/models/internal/logistic_loss.h"

namespace gauze::models::internal {
namespace {

/// The problem and its buffers. Variables: one weight a column, then the intercept.
class Newton {
 public:
  Newton(const TrainingRows& rows, double l2)
      : rows_(rows), l2_(l2), n_(rows.column_count() + 1), scores_(rows.size()), gradient_(n_), hessian_(n_ * n_) {}

  [[nodiscard]] double objective(const std::vector<double>& x) {
    double value = 0;
    for (std::size_t j = 0; j + 1 < n_; ++j) value += l2_ / 2 * x[j] * x[j];
    const std::uint32_t* column = rows_.columns.data();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      double score = x[n_ - 1];
      for (std::size_t f = 0; f < rows_.features; ++f) score += x[*column++];
      scores_[row] = score;
      value += logistic_loss(score, rows_.positive[row], rows_.negative[row]);
    }
    return value;
  }

  /// The Newton step at x, whose scores objective() has computed, and the slope along it.
  [[nodiscard]] double step(const std::vector<double>& x, std::vector<double>& step) {
    accumulate();
    for (std::size_t j = 0; j + 1 < n_; ++j) {
      hessian_[j * n_ + n_ - 1] = hessian_[j * n_ + j];  // every row has the intercept: its pairs are the diagonal
      hessian_[j * n_ + j] += l2_;
      gradient_[j] += l2_ * x[j];
    }
    factor_cholesky(hessian_, n_);
    std::transform(gradient_.begin(), gradient_.end(), step.begin(), [](double g) { return -g; });
    solve_cholesky(hessian_, n_, step);
    double slope = 0;
    for (std::size_t j = 0; j < n_; ++j) slope += gradient_[j] * step[j];
    return slope;
  }

 private:
  /// Each row has one value a feature: the Hessian is a table of pairs, features^2 / 2 additions a row.
  void accumulate() {
    std::fill(gradient_.begin(), gradient_.end(), 0);
    std::fill(hessian_.begin(), hessian_.end(), 0);
    const std::uint32_t* columns = rows_.columns.data();
    for (std::size_t row = 0; row < rows_.size(); ++row, columns += rows_.features) {
      const auto [gradient, curvature] = loss_slope(scores_[row], rows_.positive[row], rows_.negative[row]);
      for (std::size_t f = 0; f < rows_.features; ++f) {
        gradient_[columns[f]] += gradient;
        double* const line = hessian_.data() + columns[f] * n_;
        for (std::size_t other = f; other < rows_.features; ++other) line[columns[other]] += curvature;
      }
      gradient_[n_ - 1] += gradient;
      hessian_[n_ * n_ - 1] += curvature;
    }
  }

  const TrainingRows& rows_;
  double l2_;
  std::size_t n_;
  std::vector<double> scores_;
  std::vector<double> gradient_;
  std::vector<double> hessian_;
};

void center_all(const TrainingRows& rows, std::vector<double>& x) {
  const std::size_t last = x.size() - 1;
  for (std::size_t f = 0; f < rows.features; ++f) {
    const std::uint32_t begin = rows.first_column[f];
    const std::uint32_t end = rows.first_column[f + 1];
    if (begin == end) continue;
    double mean = 0;
    for (std::uint32_t j = begin; j < end; ++j) mean += x[j];
    mean /= end - begin;
    for (std::uint32_t j = begin; j < end; ++j) x[j] -= mean;
    x[last] += mean;
  }
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, std::abs(a[j] - b[j]));
  return largest;
}

}  // namespace

void center(const TrainingRows& rows, std::vector<double>& weights, double& intercept) {
  weights.push_back(intercept);
  center_all(rows, weights);
  intercept = weights.back();
  weights.pop_back();
}

LogisticFit fit_newton(const TrainingRows& rows, double l2, int max_iterations, double tolerance) {
  const std::size_t n = rows.column_count() + 1;
  Newton newton(rows, l2);
  std::vector<double> x(n, 0), next(n), step(n);
  x.back() = log_odds(rows.total_positive, rows.total_negative);
  double value = newton.objective(x);
  LogisticFit fit;
  while (fit.iterations < max_iterations && !fit.converged) {
    ++fit.iterations;
    const double slope = newton.step(x, step);
    double length = 1;
    double next_value = 0;
    int halvings = 0;
    for (; halvings < kMaxHalvings; ++halvings) {
      for (std::size_t j = 0; j < n; ++j) next[j] = x[j] + length * step[j];
      next_value = newton.objective(next);
      if (next_value <= value + kSufficientDecrease * length * slope + kRounding * std::abs(value)) break;
      length /= 2;
    }
    if (halvings == kMaxHalvings) break;  // nothing is left to gain in this arithmetic
    center_all(rows, next);
    fit.converged = largest_difference(x, next) <= tolerance;
    x.swap(next);
    value = next_value;
  }
  fit.intercept = x.back();
  x.pop_back();
  fit.weights = std::move(x);
  return fit;
}

}  // namespace gauze::models::internal
