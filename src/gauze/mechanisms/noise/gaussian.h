#pragma once

#include "gauze/mechanisms/noise/additive_mechanism.h"

namespace gauze {

/// Adds Gaussian noise to numbers: the exact continuous normal law, rounded to a fine public grid. This is also what
/// the standard calls the high-precision Gaussian mechanism.
///
/// Privacy unit   : whatever the caller's sensitivity refers to.
/// Neighbours     : those the caller's sensitivity refers to (add or remove one unit unless stated otherwise).
/// Guarantee      : (epsilon, delta)-DP and rho-zCDP for any f with |f(D) - f(D')|_2 <= l2_sensitivity.
/// Proven         : docs/proofs/gaussian.md; rounding the sum to the grid is post-processing, so the analysis of the
///                  continuous mechanism holds for what is drawn.
/// Not covered    : the caller's claim about l2_sensitivity.
/// Thread safety  : const members may be called concurrently.
class GaussianMechanism : public AdditiveMechanism {
 public:
  struct Options {
    Rational epsilon = 0;         ///< required with delta, or sigma
    Rational delta = 0;           ///< above 0 and below 1
    Rational l2_sensitivity = 1;  ///< finite and positive
    Rational sigma = 0;           ///< instead of epsilon and delta: the standard deviation
    std::int64_t dimension = 1;   ///< coordinates of a value; the sensitivity is that of the whole vector
    int granularity_bits = 40;    ///< grid = largest power of two <= sigma / 2^bits
  };
  [[nodiscard]] static Result<GaussianMechanism> make(const Options& options);

  /// The standard deviation of the normal law before it is rounded to the grid.
  [[nodiscard]] Rational sigma() const { return sigma_units_ * grid().granularity(); }
  /// The zCDP cost, sensitivity^2 / (2 sigma^2), exactly.
  [[nodiscard]] Rational rho() const;

 private:
  GaussianMechanism(Parts parts, Rational sigma_units);
  Rational sigma_units_;
};

}  // namespace gauze
