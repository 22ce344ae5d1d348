#pragma once

#include "gauze/mechanisms/noise/additive_mechanism.h"

namespace gauze {

/// Adds discrete Laplace noise to integers: P[x] proportional to exp(-|x| / scale). With scale = sensitivity /
/// epsilon it is the geometric mechanism. A single value that is not an integer is rounded to the nearest one first; the
/// coordinates of a vector must be integers.
///
/// Privacy unit   : whatever the caller's sensitivity refers to.
/// Neighbours     : those the caller's sensitivity refers to (add or remove one unit unless stated otherwise).
/// Guarantee      : epsilon-DP for any integer-valued f with |f(D) - f(D')|_1 <= l1_sensitivity.
/// Proven         : docs/proofs/geometric.md.
/// Not covered    : the caller's claim about l1_sensitivity.
/// Thread safety  : const members may be called concurrently.
class GeometricMechanism : public AdditiveMechanism {
 public:
  struct Options {
    Rational epsilon = 0;         ///< required, or scale
    Rational l1_sensitivity = 1;  ///< a positive whole number
    Rational scale = 0;           ///< instead of epsilon; need not be a whole number
    std::int64_t dimension = 1;   ///< coordinates of a value; the sensitivity is that of the whole vector
  };
  [[nodiscard]] static Result<GeometricMechanism> make(const Options& options);

  [[nodiscard]] const Rational& epsilon() const { return epsilon_; }
  [[nodiscard]] const Rational& scale() const { return scale_; }

 private:
  GeometricMechanism(Parts parts, Rational epsilon, Rational scale);
  Rational epsilon_;
  Rational scale_;
};

}  // namespace gauze
