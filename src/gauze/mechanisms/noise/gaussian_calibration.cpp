#include "gauze/mechanisms/noise/gaussian_calibration.h"

#include <cmath>
#include <functional>

#include "gauze/mechanisms/internal/discrete_gaussian_sum.h"

namespace gauze {
namespace {

struct Bracket {
  double fails = 0;
  double fits = 0;
};

/// Bisects between a value that fails and one that fits until they are `relative` apart.
Bracket bisect(Bracket ends, double relative, const std::function<bool(double)>& enough) {
  while (ends.fits - ends.fails > relative * ends.fits) {
    const double middle = ends.fails + (ends.fits - ends.fails) / 2;
    if (middle <= ends.fails || middle >= ends.fits) break;
    (enough(middle) ? ends.fits : ends.fails) = middle;
  }
  return ends;
}

/// Between which neighbours a ratio begins to be enough.
Bracket least_ratio(const std::function<bool(double)>& enough) {
  Bracket ends{.fits = 1};
  while (ends.fits < 0x1p200 && !enough(ends.fits)) ends.fits *= 2;
  ends.fails = ends.fits / 2;
  while (ends.fails > 0x1p-200 && enough(ends.fails)) {
    ends.fits = ends.fails;
    ends.fails /= 2;
  }
  return bisect(ends, 0x1p-51, enough);
}

/// gaussian_delta() in floating point: as good as it gets, or no number.
double rough_delta(const Rational& epsilon, double ratio) {
  const double middle = epsilon.to_double() * ratio;
  const double half_inverse = 0.5 / ratio;
  return 0.5 * std::erfc((middle - half_inverse) * M_SQRT1_2) -
         0.5 * std::exp(epsilon.to_double()) * std::erfc((middle + half_inverse) * M_SQRT1_2);
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
  // Floating point says where the ratio lies, and intervals decide close to it. If they confirm both ends, each step further
  // away went as they would have decided it, since delta falls as the ratio grows: the result is the same.
  const double near =
      least_ratio([&](double ratio) { return rough_delta(epsilon, ratio) <= delta.to_double(); }).fits;
  Bracket decided;  // by intervals, the last of each kind
  const auto guided = [&](double ratio) {
    if (std::abs(ratio - near) > 0x1p-45 * near) return ratio > near;
    const bool fits = enough(ratio);
    (fits ? decided.fits : decided.fails) = ratio;
    return fits;
  };
  const Bracket quick = least_ratio(guided);
  if ((decided.fits == quick.fits || enough(quick.fits)) && (decided.fails == quick.fails || !enough(quick.fails)))
    return Rational(quick.fits);
  return Rational(least_ratio(enough).fits);
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
  return Rational(bisect({fails, fits}, 1e-10, enough).fits);
}

}  // namespace gauze
