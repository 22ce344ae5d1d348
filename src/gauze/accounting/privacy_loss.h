#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "gauze/base/error.h"

namespace gauze {

/// A pair of distributions (P, Q) that dominates a mechanism in one direction (an input and its neighbour), seen through
/// the privacy loss L = ln(dP / dQ). Everything an accountant needs follows from two tails:
/// delta(epsilon) = P[L > epsilon] - e^epsilon Q[L > epsilon].
///
/// Thread safety: const members may be called concurrently.
class PrivacyLoss {
 public:
  struct Tail {
    double p = 0;          ///< P[L > epsilon]
    double q = 0;          ///< Q[L > epsilon]
    double error = 2e-15;  ///< how far off either may be, relative to its own size
  };
  virtual ~PrivacyLoss() = default;

  /// Both tails, at an epsilon that may be off by some units in its last place.
  [[nodiscard]] virtual Tail above(double epsilon) const = 0;
  /// P of the outcomes that Q cannot have.
  [[nodiscard]] virtual double infinite_mass() const { return 0; }
  /// Where finite losses lie; infinite when there is no bound.
  [[nodiscard]] virtual double lowest() const { return -std::numeric_limits<double>::infinity(); }
  [[nodiscard]] virtual double highest() const { return std::numeric_limits<double>::infinity(); }
  /// Whether some input reaches the pair; if not, only upper bounds follow from it.
  [[nodiscard]] virtual bool is_tight() const { return true; }
};

using LossPair = std::shared_ptr<const PrivacyLoss>;

/// N(sensitivity, sigma^2) against N(0, sigma^2), ratio = sigma / sensitivity.
[[nodiscard]] LossPair gaussian_loss(double ratio);
/// Laplace noise, ratio = scale / sensitivity.
[[nodiscard]] LossPair laplace_loss(double ratio);
/// Integer noise with P[x] proportional to exp(-|x| / scale), a whole sensitivity.
[[nodiscard]] LossPair discrete_laplace_loss(double scale, double sensitivity);
/// Integer noise with P[x] proportional to exp(-x^2 / (2 sigma^2)), a whole sensitivity; sigma up to 100,000.
[[nodiscard]] LossPair discrete_gaussian_loss(double sigma, double sensitivity);
/// A loss with finitely many values, each with its mass under P; under Q it is mass * exp(-loss).
[[nodiscard]] LossPair discrete_loss(std::vector<std::pair<double, double>> loss_and_mass, double infinite_mass = 0);
/// The pair that dominates every epsilon-DP, and every (epsilon, delta)-DP mechanism.
[[nodiscard]] LossPair pure_loss(double epsilon, double delta = 0);
/// k-ary randomised response.
[[nodiscard]] LossPair randomized_response_loss(double epsilon, double categories);

/// Poisson sampling with rate q in (0, 1) of a mechanism whose pair is `base`, add / remove neighbours. `removing`: the
/// larger input first. The base must be the same in both directions.
[[nodiscard]] LossPair poisson_sampled(LossPair base, double rate, bool removing);
/// Sampling a fixed number without replacement, rate = number / size, replace-one neighbours (Balle, Barthe, Gaboardi 2018).
/// An upper bound only.
[[nodiscard]] LossPair fixed_size_sampled(LossPair base, double rate);

}  // namespace gauze
