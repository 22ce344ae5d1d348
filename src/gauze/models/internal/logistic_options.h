#pragma once

#include <cmath>

#include "gauze/base/error.h"

namespace gauze::models::internal {

/// What both logistic regressions ask of their options.
inline Result<void> check_logistic_options(double l2, int max_iterations, double tolerance) {
  if (!std::isfinite(l2) || !(l2 > 0)) {
    return invalid_parameter("l2 of a logistic regression must be finite and positive, but is {}", l2);
  }
  if (max_iterations < 1) return invalid_parameter("max_iterations must be at least 1, but is {}", max_iterations);
  if (!std::isfinite(tolerance) || !(tolerance > 0)) {
    return invalid_parameter("tolerance must be finite and positive, but is {}", tolerance);
  }
  return {};
}

}  // namespace gauze::models::internal
