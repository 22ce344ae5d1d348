#pragma once

#include "gauze/mechanisms/noise/additive_mechanism.h"

namespace gauze {

/// Adds discrete Gaussian noise to integers: P[x] proportional to exp(-x^2 / (2 sigma^2)). A single value
/// that is not an integer is rounded to the nearest one first; the coordinates of a vector must be integers.
///
/// Privacy unit   : whatever the caller's sensitivity refers to.
/// Neighbours     : those the caller's sensitivity refers to (add or remove one unit unless stated otherwise).
/// Guarantee      : (epsilon, delta)-DP, calibrated by the sums of the discrete law itself, and rho-zCDP, for any
///                  integer-valued f with |f(D) - f(D')|_2 <= l2_sensitivity. Vectors: rho-zCDP.
/// Proven         : docs/proofs/discrete-gaussian.md (Canonne, Kamath, Steinke 2020).
/// Not covered    : the caller's claim about l2_sensitivity.
/// Thread safety  : const members may be called concurrently.
class DiscreteGaussianMechanism : public AdditiveMechanism {
 public:
  struct Options {
    Rational epsilon = 0;         ///< with delta; one coordinate only
    Rational delta = 0;           ///< above 0 and below 1
    Rational rho = 0;             ///< instead: the zCDP cost; any number of coordinates
    Rational sigma = 0;           ///< instead: the parameter of the law
    Rational l2_sensitivity = 1;  ///< positive; a whole number unless there are several coordinates
    std::int64_t dimension = 1;   ///< coordinates of a value
  };
  [[nodiscard]] static Result<DiscreteGaussianMechanism> make(const Options& options);

  [[nodiscard]] const Rational& sigma() const { return sigma_; }
  /// The zCDP cost, sensitivity^2 / (2 sigma^2), exactly.
  [[nodiscard]] Rational rho() const;

 private:
  DiscreteGaussianMechanism(Parts parts, Rational sigma);
  Rational sigma_;
};

}  // namespace gauze
