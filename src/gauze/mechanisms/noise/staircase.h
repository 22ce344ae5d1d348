#pragma once

#include "gauze/mechanisms/noise/additive_mechanism.h"

namespace gauze {

/// P[x] proportional to exp(-epsilon * level(x)), level(x) = floor((|x| + step - inner) / step): a plateau of |x| <
/// inner, then plateaus of width `step`, each lower by the factor exp(-epsilon).
class StaircaseLaw final : public NoiseLaw {
 public:
  /// 1 <= inner <= step <= 2^52; epsilon positive.
  [[nodiscard]] static Result<StaircaseLaw> make(std::int64_t step, std::int64_t inner, const Rational& epsilon);

  void sample(RandomWords& random, std::span<std::int64_t> out) const override;
  [[nodiscard]] Interval upper_tail(std::int64_t m, mpfr_prec_t precision = 128) const override;
  [[nodiscard]] double variance() const override;

 private:
  struct Draws;
  StaircaseLaw(std::int64_t step, std::int64_t inner, const Rational& epsilon);
  /// Sum of exp(-epsilon level(x)) over all integers, with b = exp(-epsilon).
  [[nodiscard]] Interval total(mpfr_prec_t precision) const;

  std::int64_t step_;
  std::int64_t inner_;
  Rational epsilon_;
  std::shared_ptr<const Draws> draws_;
};

/// Adds staircase noise (Geng, Viswanath 2014) on a fine public grid: of all epsilon-DP noise for one number it has the
/// smallest expected error.
///
/// Privacy unit   : whatever the caller's sensitivity refers to.
/// Neighbours     : those the caller's sensitivity refers to (add or remove one unit unless stated otherwise).
/// Guarantee      : epsilon-DP for any f with |f(D) - f(D')| <= sensitivity.
/// Proven         : docs/proofs/staircase.md; gamma * sensitivity is put on the grid, which changes the error, not
///                  epsilon.
/// Not covered    : the caller's claim about the sensitivity.
/// Thread safety  : const members may be called concurrently.
class StaircaseMechanism : public AdditiveMechanism {
 public:
  struct Options {
    Rational epsilon = 0;       ///< required
    Rational sensitivity = 1;   ///< finite and positive
    int granularity_bits = 40;  ///< grid = largest power of two <= (sensitivity / epsilon) / 2^bits
  };
  [[nodiscard]] static Result<StaircaseMechanism> make(const Options& options);

  [[nodiscard]] const Rational& epsilon() const { return epsilon_; }
  /// sensitivity / epsilon, the figure that compares with a Laplace scale.
  [[nodiscard]] Rational scale() const { return sensitivity_units() * grid().granularity() / epsilon_; }
  /// The share of the inner plateau as drawn.
  [[nodiscard]] Rational gamma() const { return inner_units_ / sensitivity_units(); }

 private:
  StaircaseMechanism(Parts parts, Rational epsilon, Rational inner_units);
  Rational epsilon_;
  Rational inner_units_;
};

}  // namespace gauze
