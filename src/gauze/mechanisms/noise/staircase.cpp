#include "gauze/mechanisms/noise/staircase.h"

#include <algorithm>
#include <cmath>

#include "gauze/mechanisms/internal/exact_bernoulli.h"
#include "gauze/mechanisms/internal/parameters.h"
#include "gauze/mechanisms/internal/strip_sampler.h"

namespace gauze {
namespace {

constexpr mpfr_prec_t kStaircasePrecision = 192;

Interval staircase_number(const Rational& value, mpfr_prec_t precision = kStaircasePrecision) {
  return {value, precision};
}

/// b = exp(-epsilon) and 1 - b, the latter without cancellation.
struct Decay {
  Interval b;
  Interval one_minus_b;
  Decay(const Rational& epsilon, mpfr_prec_t precision)
      : b((-staircase_number(epsilon, precision)).exp()),
        one_minus_b(-(-staircase_number(epsilon, precision)).expm1()) {}
};

/// Sum of i^2 for i = 1..n.
Rational sum_of_squares(const Rational& n) {
  return n * (n + Rational(1)) * (Rational(2) * n + Rational(1)) / Rational(6);
}

}  // namespace

/// What a draw needs: is it on the inner plateau; if not, how many plateaus further out.
struct StaircaseLaw::Draws {
  internal::FixedProbability inner;
  DiscreteLaplaceLaw plateaus;  // X given X >= 0 is geometric with ratio exp(-epsilon)
};

StaircaseLaw::StaircaseLaw(std::int64_t step, std::int64_t inner, const Rational& epsilon)
    : step_(step), inner_(inner), epsilon_(epsilon) {}

Result<StaircaseLaw> StaircaseLaw::make(std::int64_t step, std::int64_t inner, const Rational& epsilon) {
  if (inner < 1 || inner > step || step > std::int64_t{1} << 52 ||
      Rational(step) / epsilon > Rational::power_of_two(52)) {
    return invalid_parameter(
        "the staircase needs a sensitivity, and a sensitivity / epsilon, of at most 2^52 grid steps; give fewer "
        "granularity bits or another epsilon, not a step of {}",
        step);
  }
  GAUZE_TRY(DiscreteLaplaceLaw plateaus, DiscreteLaplaceLaw::make(Rational(1) / epsilon));
  StaircaseLaw law(step, inner, epsilon);
  auto probability = [law](mpfr_prec_t precision) {
    return staircase_number(Rational(2 * law.inner_ - 1), precision) / law.total(precision);
  };
  law.draws_ = std::make_shared<const Draws>(Draws{internal::FixedProbability(probability), std::move(plateaus)});
  return law;
}

Interval StaircaseLaw::total(mpfr_prec_t precision) const {
  const Decay decay(epsilon_, precision);
  return staircase_number(Rational(2 * inner_ - 1), precision) +
         staircase_number(Rational(2) * Rational(step_), precision) * decay.b / decay.one_minus_b;
}

void StaircaseLaw::sample(RandomWords& random, std::span<std::int64_t> out) const {
  for (std::int64_t& value : out) {
    if (draws_->inner.draw(random)) {
      value = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * inner_ - 1))) - (inner_ - 1);
      continue;
    }
    std::int64_t plateau = -1;
    while (plateau < 0) draws_->plateaus.sample(random, {&plateau, 1});
    const auto place = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(step_)));
    const std::int64_t magnitude = inner_ + plateau * step_ + place;
    value = (random.next() & 1) != 0 ? -magnitude : magnitude;
  }
}

Interval StaircaseLaw::upper_tail(std::int64_t m, mpfr_prec_t precision) const {
  const Decay decay(epsilon_, precision);
  const Interval all_outer = staircase_number(Rational(step_), precision) * decay.b / decay.one_minus_b;
  if (m < inner_) return (staircase_number(Rational(inner_ - m), precision) + all_outer) / total(precision);
  const std::int64_t level = (m - inner_) / step_ + 1;
  const Rational rest_of_plateau = Rational(inner_) + Rational(level) * Rational(step_) - Rational(m);
  const Interval height = (-staircase_number(epsilon_ * Rational(level), precision)).exp();
  return height * (staircase_number(rest_of_plateau, precision) + all_outer) / total(precision);
}

double StaircaseLaw::variance() const {
  const Decay decay(epsilon_, kStaircasePrecision);
  const Interval one = staircase_number(1);
  const Rational step(step_);
  const Rational inner(inner_);
  // A plateau that starts at s adds step * s^2 + s * step (step - 1) + (0^2 + ... + (step - 1)^2); s = inner + j *
  // step is summed over j >= 0 with weight b^(j + 1).
  const Interval s0 = one / decay.one_minus_b;
  const Interval s1 = decay.b * s0 * s0;
  const Interval s2 = s1 * (one + decay.b) * s0;
  const Interval starts = staircase_number(inner) * s0 + staircase_number(step) * s1;
  const Interval squared_starts = staircase_number(inner * inner) * s0 +
                                  staircase_number(Rational(2) * inner * step) * s1 +
                                  staircase_number(step * step) * s2;
  const Interval outer =
      decay.b * (staircase_number(step) * squared_starts + staircase_number(step * (step - Rational(1))) * starts +
                 staircase_number(sum_of_squares(step - Rational(1))) * s0);
  const Interval inside = staircase_number(sum_of_squares(inner - Rational(1)));
  return (staircase_number(2) * (inside + outer) / total(kStaircasePrecision)).high();
}

StaircaseMechanism::StaircaseMechanism(Parts parts, Rational epsilon, Rational inner_units)
    : AdditiveMechanism(std::move(parts)), epsilon_(std::move(epsilon)), inner_units_(std::move(inner_units)) {}

Result<StaircaseMechanism> StaircaseMechanism::make(const Options& options) {
  GAUZE_TRY_VOID(internal::check_epsilon(options.epsilon));
  GAUZE_TRY_VOID(internal::check_sensitivity(options.sensitivity));
  GAUZE_TRY_VOID(internal::check_granularity_bits(options.granularity_bits));
  const Grid grid = Grid::finer_than(options.sensitivity / options.epsilon, options.granularity_bits);
  const Rational sensitivity = grid.steps_up(options.sensitivity);
  if (sensitivity > Rational::power_of_two(52)) {
    return invalid_parameter(
        "the staircase needs a sensitivity of at most 2^52 grid steps, but epsilon {} with {} granularity bits makes "
        "it about {:.3g}; give fewer granularity bits",
        options.epsilon.to_decimal(), options.granularity_bits, sensitivity.to_double());
  }
  // gamma = 1 / (1 + exp(epsilon / 2)) minimises the expected absolute error. Any gamma keeps epsilon, so a double
  // will do.
  const double gamma = 1 / (1 + std::exp(options.epsilon.to_double() / 2));
  GAUZE_TRY(const std::int64_t step, sensitivity.to_int64());
  const auto inner =
      std::clamp(static_cast<std::int64_t>(std::llround(gamma * static_cast<double>(step))), std::int64_t{1}, step);
  GAUZE_TRY(StaircaseLaw law, StaircaseLaw::make(step, inner, options.epsilon));
  return StaircaseMechanism({.name = "staircase",
                             .norm = NoiseEvent::Norm::l1,
                             .grid = grid,
                             .sensitivity_units = sensitivity,
                             .dimension = 1,
                             .law = std::make_shared<StaircaseLaw>(std::move(law))},
                            options.epsilon, Rational(inner));
}

}  // namespace gauze
