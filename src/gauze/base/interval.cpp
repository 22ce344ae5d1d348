#include "gauze/base/interval.h"

#include <algorithm>
#include <array>

namespace gauze {
namespace {

mpfr_prec_t wider(const Interval& a, const Interval& b) { return std::max(a.precision(), b.precision()); }

}  // namespace

namespace {

/// MPFR keeps constants for each thread and frees none of them when it ends.
struct ThreadConstants {
  ThreadConstants() = default;
  ThreadConstants(const ThreadConstants&) = delete;
  ThreadConstants& operator=(const ThreadConstants&) = delete;
  ~ThreadConstants() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

}  // namespace

Interval::Interval(mpfr_prec_t precision) {
  [[maybe_unused]] thread_local const ThreadConstants constants;
  mpfr_init2(low_, precision);
  mpfr_init2(high_, precision);
  mpfr_set_zero(low_, 1);
  mpfr_set_zero(high_, 1);
}

Interval::Interval(const Rational& value, mpfr_prec_t precision) : Interval(value, value, precision) {}

Interval::Interval(const Rational& low, const Rational& high, mpfr_prec_t precision) : Interval(precision) {
  GAUZE_CHECK(low.is_defined() && high.is_defined());
  mpfr_set_q(low_, low.gmp(), MPFR_RNDD);
  mpfr_set_q(high_, high.gmp(), MPFR_RNDU);
}

Interval::Interval(const Interval& other) : Interval(other.precision()) {
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
}

Interval& Interval::operator=(const Interval& other) {
  if (this == &other) return *this;
  mpfr_set_prec(low_, other.precision());
  mpfr_set_prec(high_, other.precision());
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
  return *this;
}

Interval::~Interval() {
  mpfr_clear(low_);
  mpfr_clear(high_);
}

Interval operator+(const Interval& a, const Interval& b) {
  Interval result(wider(a, b));
  mpfr_add(result.low_, a.low_, b.low_, MPFR_RNDD);
  mpfr_add(result.high_, a.high_, b.high_, MPFR_RNDU);
  return result;
}

Interval operator-(const Interval& a, const Interval& b) {
  Interval result(wider(a, b));
  mpfr_sub(result.low_, a.low_, b.high_, MPFR_RNDD);
  mpfr_sub(result.high_, a.high_, b.low_, MPFR_RNDU);
  return result;
}

Interval operator*(const Interval& a, const Interval& b) {
  Interval result(wider(a, b));
  if (mpfr_sgn(a.low_) >= 0 && mpfr_sgn(b.low_) >= 0) {
    mpfr_mul(result.low_, a.low_, b.low_, MPFR_RNDD);
    mpfr_mul(result.high_, a.high_, b.high_, MPFR_RNDU);
    return result;
  }
  mpfr_t product;
  mpfr_init2(product, result.precision());
  bool first = true;
  for (mpfr_srcptr x : {&a.low_[0], &a.high_[0]}) {
    for (mpfr_srcptr y : {&b.low_[0], &b.high_[0]}) {
      mpfr_mul(product, x, y, MPFR_RNDD);
      if (first || mpfr_less_p(product, result.low_)) mpfr_set(result.low_, product, MPFR_RNDD);
      mpfr_mul(product, x, y, MPFR_RNDU);
      if (first || mpfr_greater_p(product, result.high_)) mpfr_set(result.high_, product, MPFR_RNDU);
      first = false;
    }
  }
  mpfr_clear(product);
  return result;
}

Interval operator/(const Interval& a, const Interval& b) {
  GAUZE_CHECK(mpfr_sgn(b.low_) * mpfr_sgn(b.high_) > 0);
  Interval inverse(wider(a, b));
  mpfr_ui_div(inverse.low_, 1, b.high_, MPFR_RNDD);
  mpfr_ui_div(inverse.high_, 1, b.low_, MPFR_RNDU);
  return a * inverse;
}

Interval Interval::operator-() const {
  Interval result(precision());
  mpfr_neg(result.low_, high_, MPFR_RNDD);
  mpfr_neg(result.high_, low_, MPFR_RNDU);
  return result;
}

Interval Interval::increasing(Function function) const {
  Interval result(precision());
  function(result.low_, low_, MPFR_RNDD);
  function(result.high_, high_, MPFR_RNDU);
  return result;
}

Interval Interval::exp() const { return increasing(mpfr_exp); }
Interval Interval::expm1() const { return increasing(mpfr_expm1); }

Interval Interval::log() const {
  GAUZE_CHECK(mpfr_sgn(low_) > 0);
  return increasing(mpfr_log);
}

Interval Interval::log1p() const {
  GAUZE_CHECK(mpfr_cmp_si(low_, -1) > 0);
  return increasing(mpfr_log1p);
}

Interval Interval::sqrt() const {
  Interval result(*this);
  if (mpfr_sgn(result.low_) < 0) mpfr_set_zero(result.low_, 1);
  return result.increasing(mpfr_sqrt);
}

Interval Interval::erfc() const {
  Interval result(precision());
  mpfr_erfc(result.low_, high_, MPFR_RNDD);
  mpfr_erfc(result.high_, low_, MPFR_RNDU);
  return result;
}

Interval Interval::normal_tail() const {
  const Interval root_two = Interval(Rational(2), precision()).sqrt();
  return (*this / root_two).erfc() * Interval(Rational(1, 2), precision());
}

Interval Interval::power(const Rational& exponent) const {
  GAUZE_CHECK(mpfr_sgn(low_) >= 0 && exponent.is_integer() && exponent.sign() >= 0);
  Interval result(precision());
  mpfr_pow_z(result.low_, low_, mpq_numref(exponent.gmp()), MPFR_RNDD);
  mpfr_pow_z(result.high_, high_, mpq_numref(exponent.gmp()), MPFR_RNDU);
  return result;
}

Interval Interval::pi(mpfr_prec_t precision) {
  Interval result(precision);
  mpfr_const_pi(result.low_, MPFR_RNDD);
  mpfr_const_pi(result.high_, MPFR_RNDU);
  return result;
}

double Interval::middle() const {
  const double a = mpfr_get_d(low_, MPFR_RNDN);
  const double b = mpfr_get_d(high_, MPFR_RNDN);
  return a + (b - a) / 2;
}

}  // namespace gauze
