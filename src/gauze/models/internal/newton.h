#pragma once

#include <vector>

#include "gauze/models/internal/training_rows.h"

namespace gauze::models::internal {

struct LogisticFit {
  double intercept = 0;
  std::vector<double> weights;  ///< by one-hot column
  int iterations = 0;
  bool converged = false;
};

/// The minimum of the logistic loss plus l2 / 2 |weights|^2 by Newton's method; l2 is in the unit of the rows. Each step
/// is halved until the objective does not increase. Ends when no coefficient has moved by more than the tolerance.
[[nodiscard]] LogisticFit fit_newton(const TrainingRows& rows, double l2, int max_iterations, double tolerance);

/// Shifts the weights of each feature to a mean of zero and the intercept the other way: no prediction changes, and the
/// penalty only gets less. At the minimum nothing moves: a feature's gradients sum to the intercept's, which is zero.
void center(const TrainingRows& rows, std::vector<double>& weights, double& intercept);

}  // namespace gauze::models::internal
