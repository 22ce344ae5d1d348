#include "gauze/mechanisms/internal/discrete_gaussian_sum.h"

#include <cmath>

namespace gauze::internal {
namespace {

constexpr double kMostTerms = 8'000;

/// After how many terms the sum from m on has fallen below 2^-precision of its first one.
double terms_needed(double sigma, std::int64_t m, mpfr_prec_t precision) {
  const double nats = static_cast<double>(precision) * 0.6931;
  return std::min(sigma * std::sqrt(2 * nats), nats * sigma * sigma / static_cast<double>(m));
}

Interval constant(const Rational& value, mpfr_prec_t precision) { return {value, precision}; }

/// 1 + 2 * sum over k >= 1 of exp(-a k^2), for a of at least about 0.4.
Interval theta(const Interval& a) {
  const mpfr_prec_t precision = a.precision();
  Interval sum = constant(1, precision);
  const int last = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(precision) / a.low()))) + 2;
  for (int k = 1; k <= last; ++k) {
    Interval term = (-(a * constant(k * k, precision))).exp() * constant(2, precision);
    // All later terms together are less than the last one taken (a >= 0.4, k >= 3), so adding it twice above covers
    // them.
    if (k == last) term = term * Interval(Rational(1), Rational(2), precision);
    sum = sum + term;
  }
  return sum;
}

/// f(m), enclosed.
Interval weight(const Rational& sigma, const Rational& m, mpfr_prec_t precision) {
  return (-constant(m * m / (sigma * sigma * Rational(2)), precision)).exp();
}

/// One end of the sum of f(x) over x >= m, rounded one way throughout: f(x + 1) = f(x) q(x), q(x + 1) = q(x) step.
/// The numbers are all positive, so rounding every product and sum down (up) keeps the result below (above) the
/// truth. The upper end also takes in what is left after the last term: ratios only fall, so it is at most a
/// geometric series.
void add_terms(mpfr_ptr sum, mpfr_srcptr first, mpfr_srcptr first_ratio, mpfr_srcptr step, long terms,
               mpfr_rnd_t rounding) {
  mpfr_t term, ratio;
  mpfr_init2(term, mpfr_get_prec(sum));
  mpfr_init2(ratio, mpfr_get_prec(sum));
  mpfr_set(term, first, rounding);
  mpfr_set(ratio, first_ratio, rounding);
  mpfr_set(sum, first, rounding);
  for (long i = 0; i < terms; ++i) {
    mpfr_mul(term, term, ratio, rounding);
    mpfr_mul(ratio, ratio, step, rounding);
    mpfr_add(sum, sum, term, rounding);
  }
  if (rounding == MPFR_RNDU) {
    mpfr_mul(term, term, ratio, MPFR_RNDU);
    mpfr_ui_sub(ratio, 1, ratio, MPFR_RNDD);
    GAUZE_CHECK(mpfr_sgn(ratio) > 0);
    mpfr_div(term, term, ratio, MPFR_RNDU);
    mpfr_add(sum, sum, term, MPFR_RNDU);
  }
  mpfr_clear(term);
  mpfr_clear(ratio);
}

Interval sum_from(const Rational& sigma, std::int64_t m, mpfr_prec_t precision) {
  const Rational variance = sigma * sigma;
  const Interval first = weight(sigma, Rational(m), precision);
  const Interval ratio =
      (-constant((Rational(2) * Rational(m) + Rational(1)) / (Rational(2) * variance), precision)).exp();
  const Interval step = (-constant(Rational(1) / variance, precision)).exp();
  const auto terms = static_cast<long>(terms_needed(sigma.to_double(), m, precision)) + 2;
  Interval sum(precision);
  add_terms(sum.low_end(), first.low_end(), ratio.low_end(), step.low_end(), terms, MPFR_RNDD);
  add_terms(sum.high_end(), first.high_end(), ratio.high_end(), step.high_end(), terms, MPFR_RNDU);
  return sum;
}

/// The same between integrals: the midpoint rule on unit cells errs by at most (1/8) times the integral of |f''|, and
/// from below only where f is convex, that is from sigma on.
Interval integral_from(const Rational& sigma, std::int64_t m, mpfr_prec_t precision) {
  const Interval s = constant(sigma, precision);
  const Rational edge = Rational(m) - Rational(1, 2);
  const Interval root_two_pi = (Interval::pi(precision) * constant(2, precision)).sqrt();
  const Interval integral = (constant(edge, precision) / s).normal_tail() * s * root_two_pi;
  if (edge >= sigma) {
    const Interval slope = constant(edge / (sigma * sigma * Rational(8)), precision) * weight(sigma, edge, precision);
    return integral - slope * Interval(Rational(0), Rational(1), precision);
  }
  const Interval error = constant(Rational(1, 8), precision) * constant(Rational(2), precision) / s;
  return integral + error * Interval(Rational(-1), Rational(1), precision);
}

}  // namespace

Interval discrete_gaussian_total(const Rational& sigma, mpfr_prec_t precision) {
  const Interval two = constant(2, precision);
  if (sigma < Rational(1)) return theta(constant(Rational(1) / (Rational(2) * sigma * sigma), precision));
  // Poisson summation: the sum is sigma sqrt(2 pi) times the theta series of the dual lattice.
  const Interval s = constant(sigma, precision);
  const Interval pi = Interval::pi(precision);
  return s * (two * pi).sqrt() * theta(two * pi * pi * s * s);
}

Interval discrete_gaussian_tail(const Rational& sigma, std::int64_t m, mpfr_prec_t precision) {
  GAUZE_CHECK(m >= 1);
  const double terms = terms_needed(sigma.to_double(), m, precision);
  const Interval total = discrete_gaussian_total(sigma, precision);
  return (terms <= kMostTerms ? sum_from(sigma, m, precision) : integral_from(sigma, m, precision)) / total;
}

double discrete_gaussian_variance(const Rational& sigma) {
  const Rational variance = sigma * sigma;
  if (sigma >= Rational(4)) return variance.to_double_up();  // below sigma^2 by less than exp(-2 pi^2 sigma^2) of it
  constexpr mpfr_prec_t kPrecision = 160;
  Interval sum(kPrecision);
  const auto last = static_cast<std::int64_t>(std::ceil(sigma.to_double() * 20)) + 2;
  for (std::int64_t x = 1; x <= last; ++x) {
    sum = sum + constant(Rational(2 * x * x), kPrecision) * weight(sigma, Rational(x), kPrecision);
  }
  return (sum / discrete_gaussian_total(sigma, kPrecision)).high() * (1 + 0x1p-50);
}

}  // namespace gauze::internal
