#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gauze::models::internal {

/// The probability 1 / (1 + exp(-score)); saturates without overflow.
inline double sigmoid(double score) {
  const double small = std::exp(-std::abs(score));
  return (score >= 0 ? 1 : small) / (1 + small);
}

/// The derivatives of one example's loss by the score.
struct LossSlope {
  double gradient = 0;
  double curvature = 0;
};

/// Of positive * log(1 + exp(-score)) + negative * log(1 + exp(score)); nothing cancels at either end.
inline LossSlope loss_slope(double score, double positive, double negative) {
  const double small = std::exp(-std::abs(score));
  const double likely = 1 / (1 + small);
  const double unlikely = small * likely;
  const bool up = score >= 0;
  return {negative * (up ? likely : unlikely) - positive * (up ? unlikely : likely),
          (positive + negative) * likely * unlikely};
}

/// The loss itself.
inline double logistic_loss(double score, double positive, double negative) {
  return (positive + negative) * std::log1p(std::exp(-std::abs(score))) +
         (score >= 0 ? negative : positive) * std::abs(score);
}

/// The power of two at or below the number, which must be positive and finite. Dividing by it changes no digit, so that
/// weights of any size (1e-12, 1e+12) are trained alike.
inline double power_of_two_below(double value) { return std::ldexp(1.0, std::clamp(std::ilogb(value), -1000, 1000)); }

/// log(positive / negative) of positive numbers of any size; the same bits when both are times a power of two.
inline double log_odds(double positive, double negative) {
  int up = 0;
  int down = 0;
  const double ratio = std::frexp(positive, &up) / std::frexp(negative, &down);
  return std::log(ratio) + (up - down) * std::numbers::ln2;
}

/// The log-odds of the model for data with one outcome only, or none: (positive + 1/2) / (total + 1).
inline double smoothed_log_odds(double positive, double negative) {
  return std::log(positive + 0.5) - std::log(negative + 0.5);
}

}  // namespace gauze::models::internal
