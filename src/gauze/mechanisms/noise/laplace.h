#pragma once

#include "gauze/mechanisms/noise/additive_mechanism.h"

namespace gauze {

/// Adds Laplace noise to numbers: exact two-sided geometric noise on a fine public grid. This is also what the
/// standard calls the high-precision Laplace mechanism.
///
/// Privacy unit   : whatever the caller's sensitivity refers to.
/// Neighbours     : those the caller's sensitivity refers to (add or remove one unit unless stated otherwise).
/// Guarantee      : epsilon-DP for any f with |f(D) - f(D')|_1 <= l1_sensitivity.
/// Proven         : docs/proofs/laplace.md; holds for the arithmetic as coded (values are rounded to the grid
///                  first, and the sensitivity is rounded up to it).
/// Not covered    : the caller's claim about l1_sensitivity; timing of single draws beyond what
///                  docs/proofs/sampling.md measures.
/// Thread safety  : const members may be called concurrently.
class LaplaceMechanism : public AdditiveMechanism {
 public:
  struct Options {
    Rational epsilon = 0;         ///< required, or scale
    Rational l1_sensitivity = 1;  ///< finite and positive
    Rational scale = 0;           ///< instead of epsilon: the noise's scale parameter
    std::int64_t dimension = 1;   ///< coordinates of a value; the sensitivity is that of the whole vector
    int granularity_bits = 40;    ///< grid = largest power of two <= scale / 2^bits
  };
  [[nodiscard]] static Result<LaplaceMechanism> make(const Options& options);

  /// What one release costs: epsilon as given; with a scale, the epsilon that it buys.
  [[nodiscard]] const Rational& epsilon() const { return epsilon_; }
  /// The scale of the noise as drawn.
  [[nodiscard]] Rational scale() const { return scale_units_ * grid().granularity(); }

 private:
  LaplaceMechanism(Parts parts, Rational epsilon, Rational scale_units);
  Rational epsilon_;
  Rational scale_units_;
};

}  // namespace gauze
