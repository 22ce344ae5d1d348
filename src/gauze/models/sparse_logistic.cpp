#include "gauze/models/sparse_logistic.h"

#include <algorithm>
#include <cmath>

#include "gauze/models/examples.h"
#include "gauze/models/internal/lbfgs.h"
#include "gauze/models/internal/logistic_loss.h"
#include "gauze/models/internal/logistic_options.h"

namespace gauze::models {
namespace {

constexpr double kLargestValue = 1e100;

void check_shape(const SparseRows& rows) {
  GAUZE_CHECK(!rows.starts.empty() && rows.starts.front() == 0 && rows.starts.back() == rows.indices.size());
  GAUZE_CHECK(std::is_sorted(rows.starts.begin(), rows.starts.end()));
  GAUZE_CHECK(rows.values.size() == rows.indices.size());
  GAUZE_CHECK(
      std::all_of(rows.indices.begin(), rows.indices.end(), [&](auto index) { return index < rows.columns; }));
}

double score(const SparseRows& rows, std::size_t row, std::span<const double> weights, double intercept) {
  double sum = intercept;
  for (std::size_t k = rows.starts[row]; k < rows.starts[row + 1]; ++k)
    sum += weights[rows.indices[k]] * rows.values[k];
  return sum;
}

/// What is minimised, with all weights and l2 divided by a power of two. The intercept is the last variable.
class PenalizedLoss {
 public:
  PenalizedLoss(const SparseRows& rows, std::span<const double> positive, std::span<const double> negative, double l2)
      : rows_(rows), positive_(positive), negative_(negative), l2_(l2) {
    for (std::size_t i = 0; i < rows.size(); ++i) total_positive_ += positive[i], total_negative_ += negative[i];
    unit_ = internal::power_of_two_below(std::max(total_positive_ + total_negative_, l2));
  }

  [[nodiscard]] double total_positive() const { return total_positive_; }
  [[nodiscard]] double total_negative() const { return total_negative_; }

  double operator()(std::span<const double> x, std::span<double> gradient) const {
    const std::size_t n = rows_.columns;
    const double l2 = l2_ / unit_;
    double value = 0;
    for (std::size_t j = 0; j < n; ++j) {
      value += l2 / 2 * x[j] * x[j];
      gradient[j] = l2 * x[j];
    }
    double slope_of_intercept = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double up = positive_[i] / unit_;
      const double down = negative_[i] / unit_;
      const double z = score(rows_, i, x, x[n]);
      value += internal::logistic_loss(z, up, down);
      const double slope = internal::loss_slope(z, up, down).gradient;
      slope_of_intercept += slope;
      for (std::size_t k = rows_.starts[i]; k < rows_.starts[i + 1]; ++k) {
        gradient[rows_.indices[k]] += slope * rows_.values[k];
      }
    }
    gradient[n] = slope_of_intercept;
    return value;
  }

  /// The second derivatives where all weights are zero.
  [[nodiscard]] std::vector<double> curvature() const {
    const double total = total_positive_ + total_negative_;
    const double variance = std::max(total_positive_ / total * (total_negative_ / total), 1e-200);
    std::vector<double> curvature(rows_.columns + 1, l2_ / unit_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double weight = variance * ((positive_[i] + negative_[i]) / unit_);
      for (std::size_t k = rows_.starts[i]; k < rows_.starts[i + 1]; ++k) {
        curvature[rows_.indices[k]] += weight * rows_.values[k] * rows_.values[k];
      }
    }
    for (double& each : curvature) each = std::max(each, 1e-250);
    curvature[rows_.columns] = variance * (total / unit_);
    return curvature;
  }

 private:
  const SparseRows& rows_;
  std::span<const double> positive_;
  std::span<const double> negative_;
  double l2_;
  double total_positive_ = 0;
  double total_negative_ = 0;
  double unit_ = 1;
};

}  // namespace

Result<SparseLogistic> SparseLogistic::train(const SparseRows& rows, std::span<const double> positive,
                                             std::span<const double> negative, const Options& options) {
  check_shape(rows);
  GAUZE_CHECK(positive.size() == rows.size());
  GAUZE_TRY_VOID(internal::check_logistic_options(options.l2, options.max_iterations, options.tolerance));
  GAUZE_TRY_VOID(check_weights(positive, negative));
  if (std::any_of(rows.values.begin(), rows.values.end(), [](double v) { return !(std::abs(v) <= kLargestValue); })) {
    return invalid_parameter("values of sparse rows must be finite and at most {} in size", kLargestValue);
  }
  const PenalizedLoss loss(rows, positive, negative, options.l2);
  SparseLogistic model;
  model.weights_.assign(rows.columns, 0);
  if (loss.total_positive() == 0 || loss.total_negative() == 0) {
    model.intercept_ = internal::smoothed_log_odds(loss.total_positive(), loss.total_negative());
    return model;
  }
  std::vector<double> x(rows.columns + 1, 0);
  x.back() = internal::log_odds(loss.total_positive(), loss.total_negative());
  const std::vector<double> curvature = loss.curvature();
  const auto outcome =
      internal::minimize_lbfgs(std::cref(loss), curvature, options.max_iterations, options.tolerance, x);
  model.intercept_ = x.back();
  x.pop_back();
  model.weights_ = std::move(x);
  model.iterations_ = outcome.iterations;
  model.converged_ = outcome.converged;
  return model;
}

std::vector<double> SparseLogistic::probabilities(const SparseRows& rows) const {
  check_shape(rows);
  GAUZE_CHECK(rows.columns == weights_.size());
  std::vector<double> probabilities(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    probabilities[i] = internal::sigmoid(score(rows, i, weights_, intercept_));
  }
  return probabilities;
}

}  // namespace gauze::models
