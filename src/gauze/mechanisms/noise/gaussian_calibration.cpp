#include "gauze/mechanisms/noise/gaussian_calibration.h"

#include <cmath>
#include <functional>

#include "gauze/mechanisms/internal/discrete_gaussian_sum.h"

namespace gauze {
namespace {

/// Bisects between a value that fails and one that fits until they are `relative` apart; returns the one that fits.
double bisect(double fails, double fits, double relative, const std::function<bool(double)>& enough) {
  while (fits - fails > relative * fits) {
    const double middle = fails + (fits - fails) / 2;
    if (middle <= fails || middle >= fits) break;
    (enough(middle) ? fits : fails) = middle;
  }
  return fits;
}

/// P[X > bound] for a discrete Gaussian X and any rational bound.
Interval probability_above(const Rational& sigma, const Rational& bound, mpfr_prec_t precision) {
  const Rational first = bound.floor() + Rational(1);
  const auto tail = [&](const Rational& m) {
    const auto integer = m.to_int64();
    // Beyond 63 bits the tail is less than any delta in use: exp(-2^20) even at the largest sigma.
    if (!integer) return Interval(Rational(0), Rational::power_of_two(-10'000), precision);
    return internal::discrete_gaussian_tail(sigma, *integer, precision);
  };
  if (first >= Rational(1)) return tail(first);
  return Interval(Rational(1), precision) - tail(Rational(1) - first);
}

}  // namespace

Interval gaussian_delta(const Rational& epsilon, const Rational& ratio, mpfr_prec_t precision) {
  const Rational half_inverse = Rational(1) / (Rational(2) * ratio);
  const Rational middle = epsilon * ratio;
  const Interval above = Interval(middle - half_inverse, precision).normal_tail();
  const Interval below = Interval(middle + half_inverse, precision).normal_tail();
  return above - Interval(epsilon, precision).exp() * below;
}

bool gaussian_delta_is_at_most(const Rational& delta, const Rational& epsilon, const Rational& ratio) {
  const Interval quick = gaussian_delta(epsilon, ratio, 128);
  if (quick.certainly_at_most(delta)) return true;
  if (quick.certainly_at_least(delta)) return false;
  return gaussian_delta(epsilon, ratio).certainly_at_most(delta);
}

Rational calibrate_gaussian(const Rational& epsilon, const Rational& delta) {
  const auto enough = [&](double ratio) { return gaussian_delta_is_at_most(delta, epsilon, Rational(ratio)); };
  double fits = 1;
  while (!enough(fits)) fits *= 2;
  double fails = fits / 2;
  while (fails > 0x1p-200 && enough(fails)) {
    fits = fails;
    fails /= 2;
  }
  return Rational(bisect(fails, fits, 0x1p-51, enough));
}

Interval discrete_gaussian_delta(const Rational& epsilon, const Rational& sigma, const Rational& sensitivity,
                                 mpfr_prec_t precision) {
  const Rational middle = epsilon * sigma * sigma / sensitivity;
  const Rational half = sensitivity / Rational(2);
  return probability_above(sigma, middle - half, precision) -
         Interval(epsilon, precision).exp() * probability_above(sigma, middle + half, precision);
}

Rational calibrate_discrete_gaussian(const Rational& epsilon, const Rational& delta, const Rational& sensitivity) {
  const auto enough = [&](double sigma) {
    return discrete_gaussian_delta(epsilon, Rational(sigma), sensitivity).certainly_at_most(delta);
  };
  const double continuous = (calibrate_gaussian(epsilon, delta) * sensitivity).to_double_up();
  // Where the integers are coarse the delta swings with sigma: look from well below for the first sigma that fits.
  // Where they are fine the two mechanisms agree within 1 / sigma^2.
  const bool coarse = continuous < 30;
  const double step = coarse ? 1.01 : 1 + 1e-4;
  double fails = continuous * (coarse ? 0.25 : 1 - 1e-3);
  double fits = fails;
  while (!enough(fits)) {
    fails = fits;
    fits *= step;
  }
  // The very first try may fit already (a large delta); then go down until one fails.
  while (fails == fits && fits > 0x1p-100 && enough(fails / 2)) fits = fails = fails / 2;
  if (fails == fits) fails = fits / 2;
  return Rational(bisect(fails, fits, 1e-10, enough));
}

}  // namespace gauze
