#pragma once

#include "gauze/mechanisms/noise/additive_mechanism.h"

namespace gauze {

/// Mironov's snapping mechanism (2012): Laplace noise from the logarithm of a floating-point uniform number, rounded
/// to the smallest power of two at least as large as the scale, and clamped to a bound. Kept because the standard's
/// readers know it; LaplaceMechanism is as safe, finer and needs no bound.
///
/// Privacy unit   : whatever the caller's sensitivity refers to.
/// Neighbours     : those the caller's sensitivity refers to (add or remove one unit unless stated otherwise).
/// Guarantee      : epsilon-DP for any f with |f(D) - f(D')| <= sensitivity. The scale is larger than
///                  sensitivity / epsilon by what the rounded logarithm leaks: epsilon = sensitivity / scale +
///                  2^-48 (bound / scale + 2).
/// Proven         : docs/proofs/snapping.md.
/// Not covered    : the caller's claim about the sensitivity.
/// Thread safety  : const members may be called concurrently.
class SnappingMechanism {
 public:
  struct Options {
    Rational epsilon = 0;      ///< required: the guarantee, inflation included
    Rational sensitivity = 1;  ///< finite and positive
    Rational bound = 0;        ///< required: values and outputs are clamped to [-bound, bound]
  };
  [[nodiscard]] static Result<SnappingMechanism> make(const Options& options);

  [[nodiscard]] GridValue release(SecureRandom& random, const Rational& value) const { return snap(random, value); }
  [[nodiscard]] GridValue simulate(SeededRandom& random, const Rational& value) const { return snap(random, value); }
  /// Independent draws around one value; each draw is charged for.
  void release(SecureRandom& random, const Rational& value, std::span<GridValue> draws) const {
    snap(random, value, draws);
  }
  void simulate(SeededRandom& random, const Rational& value, std::span<GridValue> draws) const {
    snap(random, value, draws);
  }

  [[nodiscard]] const Rational& epsilon() const { return epsilon_; }
  /// sensitivity / scale: the epsilon that the scale alone would stand for.
  [[nodiscard]] Rational nominal_epsilon() const { return sensitivity_ / scale_; }
  [[nodiscard]] const Rational& scale() const { return scale_; }
  [[nodiscard]] const Rational& bound() const { return bound_; }
  [[nodiscard]] const Grid& grid() const { return grid_; }
  /// Of the noise on a value that lies on the grid, before the clamp (which only makes it smaller).
  [[nodiscard]] double variance() const;
  [[nodiscard]] GridValue noise_interval(const Rational& level) const;

 private:
  SnappingMechanism(const Options& options, Rational scale, Grid grid);
  [[nodiscard]] GridValue snap(RandomWords& random, const Rational& value) const;
  void snap(RandomWords& random, const Rational& value, std::span<GridValue> draws) const;

  Rational epsilon_;
  Rational sensitivity_;
  Rational bound_;
  Rational scale_;
  Grid grid_;
};

}  // namespace gauze
