#include "gauze/learn/engine/loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gauze/base/error.h"

namespace gauze::learn {
namespace {

/// Shares of one row in place; returns the logarithm of the sum that they were divided by, above the largest. Plain loops in double: a
/// row has few outputs, and its bits depend on nothing else.
template <class Real>
double make_shares(std::span<Real> row) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Real x : row) largest = std::max(largest, static_cast<double>(x));
  double sum = 0;
  for (Real& x : row) {
    const double share = std::exp(static_cast<double>(x) - largest);
    sum += share;
    x = static_cast<Real>(share);
  }
  for (Real& x : row) x = static_cast<Real>(static_cast<double>(x) / sum);
  return largest + std::log(sum);
}

template <class Real>
double softmax_gradient(std::span<const Real> outputs, const RowTarget& target, std::span<Real> gradient) {
  std::copy(outputs.begin(), outputs.end(), gradient.begin());
  const double log_sum = make_shares(gradient);
  gradient[target.label] -= 1;
  return log_sum - static_cast<double>(outputs[target.label]);
}

template <class Real>
double squared_gradient(Real output, const RowTarget& target, Real& gradient) {
  const double difference = static_cast<double>(output) - static_cast<double>(target.value);
  gradient = static_cast<Real>(difference);
  return difference * difference / 2;
}

/// Of a margin z: 0 beyond 3/2, (3/2 - z)^2 / 2 within 1/2 of 1, 1 - z below.
template <class Real>
double hinge_gradient(std::span<const Real> outputs, const RowTarget& target, std::span<Real> gradient) {
  double loss = 0;
  for (std::size_t c = 0; c < outputs.size(); ++c) {
    const double sign = c == target.label ? 1 : -1;
    const double short_of = 1.5 - sign * static_cast<double>(outputs[c]);
    if (short_of <= 0) {
      gradient[c] = 0;
    } else if (short_of < 1) {
      loss += short_of * short_of / 2;
      gradient[c] = static_cast<Real>(-sign * short_of);
    } else {
      loss += short_of - 0.5;
      gradient[c] = std::isnan(short_of) ? std::numeric_limits<Real>::quiet_NaN() : static_cast<Real>(-sign);
    }
  }
  return loss;
}

template <class Real>
double row_gradient(LossKind kind, std::span<const Real> outputs, const RowTarget& target, std::span<Real> gradient) {
  switch (kind) {
    case LossKind::softmax:
      return softmax_gradient(outputs, target, gradient);
    case LossKind::hinge:
      return hinge_gradient(outputs, target, gradient);
    case LossKind::squared:
      return squared_gradient(outputs[0], target, gradient[0]);
  }
  return 0;
}

}  // namespace

template <class Real>
void loss_gradients(LossKind kind, std::span<const Real> outputs, std::size_t width,
                    std::span<const RowTarget> targets, std::span<Real> gradients, std::span<double> losses) {
  GAUZE_CHECK(outputs.size() == targets.size() * width && gradients.size() == outputs.size());
  GAUZE_CHECK(losses.empty() || losses.size() == targets.size());
  GAUZE_CHECK(kind != LossKind::squared || width == 1);
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const RowTarget& target = targets[r];
    const auto gradient = gradients.subspan(r * width, width);
    double loss = 0;
    if (target.weight == 0) {
      std::fill(gradient.begin(), gradient.end(), Real{0});
    } else {
      GAUZE_CHECK(kind == LossKind::squared || target.label < width);
      loss = target.weight * row_gradient(kind, outputs.subspan(r * width, width), target, gradient);
      for (Real& g : gradient) g *= static_cast<Real>(target.weight);
    }
    if (!losses.empty()) losses[r] = loss;
  }
}

template <class Real>
void softmax_rows(std::span<Real> rows, std::size_t width) {
  for (; !rows.empty(); rows = rows.subspan(width)) {
    const auto row = rows.first(width);
    const bool has_nan = std::any_of(row.begin(), row.end(), [](Real x) { return std::isnan(x); });
    const Real largest = has_nan ? Real{0} : *std::max_element(row.begin(), row.end());
    if (has_nan) {
      std::fill(row.begin(), row.end(), Real{0});
    } else if (std::isinf(largest)) {  // those share what there is
      for (Real& x : row) x = x == largest ? Real{0} : -std::numeric_limits<Real>::infinity();
    }
    make_shares(row);
  }
}

template void loss_gradients(LossKind, std::span<const float>, std::size_t, std::span<const RowTarget>,
                             std::span<float>, std::span<double>);
template void loss_gradients(LossKind, std::span<const double>, std::size_t, std::span<const RowTarget>,
                             std::span<double>, std::span<double>);
template void softmax_rows(std::span<float>, std::size_t);
template void softmax_rows(std::span<double>, std::size_t);

}  // namespace gauze::learn
