#include "gauze/models/internal/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gauze/models/internal/line_search.h"

namespace gauze::models::internal {
namespace {

constexpr std::size_t kPairs = 10;

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The last pairs (step, change of gradient), in a ring.
class History {
 public:
  History(std::size_t n, std::span<const double> curvature) : n_(n), curvature_(curvature) {}

  void add(std::span<const double> step, std::span<const double> change) {
    const double product = dot(step, change);
    if (!(product > 0)) return;  // rounding at the end
    Pair& pair = pairs_[count_++ % kPairs];
    pair.step.assign(step.begin(), step.end());
    pair.change.assign(change.begin(), change.end());
    pair.product = product;
    double scaled = 0;
    for (std::size_t j = 0; j < n_; ++j) scaled += change[j] * change[j] / curvature_[j];
    scale_ = product / scaled;
  }

  void forget() { count_ = 0, scale_ = 1; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// direction := -(inverse Hessian, as far as known) * gradient
  void direction(std::span<const double> gradient, std::span<double> direction) const {
    std::transform(gradient.begin(), gradient.end(), direction.begin(), [](double g) { return -g; });
    double alpha[kPairs];
    const std::size_t kept = std::min(count_, kPairs);
    for (std::size_t age = 1; age <= kept; ++age) {
      const Pair& pair = pairs_[(count_ - age) % kPairs];
      alpha[age - 1] = dot(pair.step, direction) / pair.product;
      for (std::size_t j = 0; j < n_; ++j) direction[j] -= alpha[age - 1] * pair.change[j];
    }
    for (std::size_t j = 0; j < n_; ++j) direction[j] *= scale_ / curvature_[j];
    for (std::size_t age = kept; age >= 1; --age) {
      const Pair& pair = pairs_[(count_ - age) % kPairs];
      const double beta = dot(pair.change, direction) / pair.product;
      for (std::size_t j = 0; j < n_; ++j) direction[j] += (alpha[age - 1] - beta) * pair.step[j];
    }
  }

 private:
  struct Pair {
    std::vector<double> step = {};
    std::vector<double> change = {};
    double product = 0;
  };
  std::size_t n_;
  std::span<const double> curvature_;
  Pair pairs_[kPairs];
  std::size_t count_ = 0;
  double scale_ = 1;
};

double distance(std::span<const double> gradient, std::span<const double> curvature) {
  double largest = 0;
  for (std::size_t j = 0; j < gradient.size(); ++j) largest = std::max(largest, std::abs(gradient[j]) / curvature[j]);
  return largest;
}

}  // namespace

LbfgsOutcome minimize_lbfgs(const Objective& objective, std::span<const double> curvature, int max_iterations,
                            double tolerance, std::span<double> x) {
  const std::size_t n = x.size();
  std::vector<double> gradient(n), next_gradient(n), next(n), direction(n), step(n), change(n);
  History history(n, curvature);
  double value = objective(x, gradient);
  LbfgsOutcome outcome;
  while (!(outcome.converged = distance(gradient, curvature) <= tolerance) && outcome.iterations < max_iterations) {
    ++outcome.iterations;
    history.direction(gradient, direction);
    const double slope = dot(gradient, direction);
    double length = 1;
    double next_value = 0;
    int halvings = 0;
    for (; halvings < kMaxHalvings; ++halvings) {
      for (std::size_t j = 0; j < n; ++j) next[j] = x[j] + length * direction[j];
      next_value = objective(next, next_gradient);
      if (next_value <= value + kSufficientDecrease * length * slope + kRounding * std::abs(value)) break;
      length /= 2;
    }
    if (halvings == kMaxHalvings) {
      if (history.empty()) break;  // nothing is left to gain in this arithmetic
      history.forget();
      continue;
    }
    for (std::size_t j = 0; j < n; ++j) step[j] = next[j] - x[j];
    for (std::size_t j = 0; j < n; ++j) change[j] = next_gradient[j] - gradient[j];
    history.add(step, change);
    std::copy(next.begin(), next.end(), x.begin());
    gradient.swap(next_gradient);
    value = next_value;
  }
  return outcome;
}

}  // namespace gauze::models::internal
