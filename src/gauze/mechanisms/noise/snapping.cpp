#include "gauze/mechanisms/noise/snapping.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gauze/mechanisms/internal/parameters.h"

namespace gauze {
namespace {

const Rational& rounding_loss() {
  static const Rational loss = Rational::power_of_two(-48);
  return loss;
}

/// ln U correctly rounded to 53 bits, for U a uniform real number in (0, 1) rounded down to 53 significant bits.
Rational rounded_logarithm(RandomWords& random) {
  int zeros = 0;
  std::uint64_t coins = random.next();
  for (; coins == 0; coins = random.next()) zeros += 64;
  zeros += std::countl_zero(coins);
  const std::uint64_t significand = (std::uint64_t{1} << 52) | (random.next() >> 12);

  mpfr_t u;
  mpfr_init2(u, 53);
  mpfr_set_ui_2exp(u, significand, -53 - zeros, MPFR_RNDN);  // exact
  mpfr_log(u, u, MPFR_RNDN);
  const Rational logarithm(mpfr_get_d(u, MPFR_RNDN));  // exact: 53 bits, far from the ends of the range
  mpfr_clear(u);
  return logarithm;
}

}  // namespace

SnappingMechanism::SnappingMechanism(const Options& options, Rational scale, Grid grid)
    : epsilon_(options.epsilon),
      sensitivity_(options.sensitivity),
      bound_(options.bound),
      scale_(std::move(scale)),
      grid_(grid) {}

Result<SnappingMechanism> SnappingMechanism::make(const Options& options) {
  GAUZE_TRY_VOID(internal::check_epsilon(options.epsilon));
  GAUZE_TRY_VOID(internal::check_sensitivity(options.sensitivity));
  if (options.bound == Rational(0)) return invalid_parameter("snapping needs a positive bound on the values");
  GAUZE_TRY_VOID(internal::check_spread("the bound", options.bound));
  // Solves epsilon = sensitivity / scale + 2^-48 (bound / scale + 2).
  const Rational scale =
      (options.sensitivity + rounding_loss() * options.bound) / (options.epsilon - Rational(2) * rounding_loss());
  const int floor_exponent = scale.floor_log2();
  const bool is_power = scale == Rational::power_of_two(floor_exponent);
  const Grid grid(is_power ? floor_exponent : floor_exponent + 1);
  if (options.bound < grid.granularity()) {
    return invalid_parameter("the bound of snapping must be at least its grid {}, but is {}; use a larger bound",
                             grid.granularity().to_decimal(), options.bound.to_decimal());
  }
  if (options.bound > scale * Rational::power_of_two(46)) {
    return invalid_parameter("the bound of snapping must be at most 2^46 times its scale {:.6g}, but is {}",
                             scale.to_double(), options.bound.to_decimal());
  }
  return SnappingMechanism(options, scale, grid);
}

GridValue SnappingMechanism::snap(RandomWords& random, const Rational& value) const {
  GridValue draw;
  snap(random, value, {&draw, 1});
  return draw;
}

void SnappingMechanism::snap(RandomWords& random, const Rational& value, std::span<GridValue> draws) const {
  Rational clamped = value.is_defined() ? value : Rational(0);
  if (clamped > bound_) clamped = bound_;
  if (clamped < -bound_) clamped = -bound_;
  const Grid observed(grid_.exponent() - 40);  // the value itself is not rounded before the noise
  const Int128 units = observed.round(clamped);
  const Rational sensitivity_units = observed.steps_up(sensitivity_);
  const Int128 largest = grid_.round((bound_ / grid_.granularity()).floor() * grid_.granularity());
  for (GridValue& draw : draws) {
    NoiseObserver::report({.mechanism = "snapping",
                           .norm = NoiseEvent::Norm::l1,
                           .declared_sensitivity = sensitivity_units,
                           .values = {&units, 1},
                           .exponent = observed.exponent()});
    const bool negative = (random.next() & 1) != 0;
    const Rational noise = scale_ * rounded_logarithm(random);
    const Int128 snapped = grid_.round(negative ? clamped - noise : clamped + noise);
    draw = {std::clamp(snapped, -largest, largest), grid_.exponent()};
  }
}

double SnappingMechanism::variance() const {
  // P[K >= k] = exp(-(k - 1/2) c) / 2 for the rounded noise K in grid steps, c = grid / scale.
  const Interval c(grid_.granularity() / scale_, 128);
  const Interval one(Rational(1), 128);
  const Interval q = (-c).exp();
  const Interval root = (-(c * Interval(Rational(1, 2), 128))).exp();
  const Interval below = -(-c).expm1();
  return std::ldexp((root * (one + q) / (below * below)).high(), 2 * grid_.exponent());
}

GridValue SnappingMechanism::noise_interval(const Rational& level) const {
  const Rational outside = Rational(1) - level;
  GAUZE_CHECK(level.sign() > 0 && outside.sign() > 0);
  for (Int128 k = 0;; ++k) {
    const Rational edge = to_rational(k) + Rational(1, 2);
    const Interval tail = (-Interval(edge * grid_.granularity() / scale_, 128)).exp();
    if (tail.certainly_at_most(outside)) return {k, grid_.exponent()};
  }
}

}  // namespace gauze
