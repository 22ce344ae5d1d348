#include "gauze/accounting/conversions.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "gauze/base/interval.h"
#include "gauze/mechanisms/noise/gaussian_calibration.h"

namespace gauze {
namespace {

constexpr mpfr_prec_t kPrecision = 192;

Interval number(const Rational& value) { return {value, kPrecision}; }

/// ln(1 - 1/order) - ln(order delta) / (order - 1): what the conversion of Renyi-DP adds to epsilon.
Interval conversion_cost(const Rational& order, const Rational& delta) {
  const Rational one(1);
  return number((order - one) / order).log() - number(order * delta).log() / number(order - one);
}

double approximate_conversion_cost(double order, double log_delta) {
  return std::log1p(-1 / order) - (std::log(order) + log_delta) / (order - 1);
}

/// ln(delta) also where delta is below the range of doubles.
double log_of(const Rational& delta) { return number(delta).log().middle(); }

/// An order in (1, 2^40) that minimises the cost: the best of a scan, then a golden-section search around it. Any order
/// gives a valid bound, so this may be rough.
double best_order(const std::function<double(double)>& cost) {
  const auto at = [&](double x) { return cost(1 + std::exp(x)); };
  constexpr double kStep = 0.1;
  double best = -20;
  for (double x = -20; x < 27; x += kStep) best = at(x) < at(best) ? x : best;
  double low = best - kStep, high = best + kStep;
  const double golden = 0.6180339887498949;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double cost_a = at(a), cost_b = at(b);
  for (int round = 0; round < 60; ++round) {
    if (cost_a < cost_b) {
      high = b;
      b = a;
      cost_b = cost_a;
      cost_a = at(a = high - golden * (high - low));
    } else {
      low = a;
      a = b;
      cost_a = cost_b;
      cost_b = at(b = low + golden * (high - low));
    }
  }
  return 1 + std::exp((low + high) / 2);
}

/// The upper or lower end as a fraction, not below zero.
Rational up(const Interval& interval) { return std::max(Rational(interval.high()), Rational(0)); }
Rational down(const Interval& interval) { return std::max(Rational(interval.low()), Rational(0)); }

}  // namespace

Rational epsilon_of_rdp(const Rational& rdp, const Rational& order, const Rational& delta) {
  GAUZE_CHECK(order > Rational(1) && delta.sign() > 0);
  return up(number(rdp) + conversion_cost(order, delta));
}

Rational rdp_budget(const Rational& epsilon, const Rational& delta, const Rational& order) {
  GAUZE_CHECK(order > Rational(1) && delta.sign() > 0);
  return down(number(epsilon) - conversion_cost(order, delta));
}

Rational epsilon_of_zcdp(const Rational& rho, const Rational& delta) {
  if (rho.sign() == 0) return Rational(0);
  const double log_delta = log_of(delta);
  const double approximate = rho.to_double();
  const Rational order(
      best_order([&](double a) { return a * approximate + approximate_conversion_cost(a, log_delta); }));
  return epsilon_of_rdp(order * rho, order, delta);
}

Rational rho_budget(const Rational& epsilon, const Rational& delta) {
  const double log_delta = log_of(delta);
  const double approximate = epsilon.to_double();
  const Rational order(
      best_order([&](double a) { return -(approximate - approximate_conversion_cost(a, log_delta)) / a; }));
  return down(number(rdp_budget(epsilon, delta, order)) / number(order));
}

Rational mu_budget(const Rational& epsilon, const Rational& delta) {
  return Rational(1) / calibrate_gaussian(epsilon, delta);
}

Rational epsilon_of_gdp(const Rational& mu, const Rational& delta) {
  if (mu.sign() == 0) return Rational(0);
  const Rational ratio = Rational(1) / mu;
  const auto enough = [&](double epsilon) { return gaussian_delta_is_at_most(delta, Rational(epsilon), ratio); };
  if (enough(0)) return Rational(0);
  double fits = 1;
  while (!enough(fits)) fits *= 2;
  double fails = 0;
  while (fits - fails > 0x1p-45 * fits) {
    const double middle = fails + (fits - fails) / 2;
    (enough(middle) ? fits : fails) = middle;
  }
  return Rational(fits);
}

}  // namespace gauze
