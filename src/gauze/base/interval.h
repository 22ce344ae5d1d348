#pragma once

#include <mpfr.h>

#include "gauze/base/rational.h"

namespace gauze {

/// A real number known to lie between two binary floating-point numbers of a chosen precision. Every operation rounds
/// the lower end down and the upper end up, so the true result of exact arithmetic is always inside.
class Interval {
 public:
  explicit Interval(mpfr_prec_t precision);                ///< zero
  Interval(const Rational& value, mpfr_prec_t precision);  ///< value must be defined
  Interval(const Rational& low, const Rational& high, mpfr_prec_t precision);
  Interval(const Interval& other);
  Interval& operator=(const Interval& other);
  ~Interval();

  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b);
  friend Interval operator*(const Interval& a, const Interval& b);
  friend Interval operator/(const Interval& a, const Interval& b);  ///< b must not contain zero
  [[nodiscard]] Interval operator-() const;

  [[nodiscard]] Interval exp() const;
  [[nodiscard]] Interval expm1() const;
  [[nodiscard]] Interval log() const;    ///< the interval must be positive
  [[nodiscard]] Interval log1p() const;  ///< the interval must lie above -1
  [[nodiscard]] Interval sqrt() const;   ///< a negative lower end counts as zero
  [[nodiscard]] Interval erfc() const;
  /// The upper tail of the standard normal distribution.
  [[nodiscard]] Interval normal_tail() const;
  /// The interval must not be negative; the exponent is a whole number of any size, not negative.
  [[nodiscard]] Interval power(const Rational& exponent) const;
  [[nodiscard]] static Interval pi(mpfr_prec_t precision);

  [[nodiscard]] bool certainly_less(const Interval& other) const { return mpfr_less_p(high_, other.low_) != 0; }
  [[nodiscard]] bool certainly_at_most(const Interval& other) const {
    return mpfr_lessequal_p(high_, other.low_) != 0;
  }
  // After an overflow an end may be "not a number", to which mpfr_cmp_q says 0: nothing is certain then.
  [[nodiscard]] bool certainly_at_most(const Rational& other) const {
    return mpfr_nan_p(high_) == 0 && mpfr_cmp_q(high_, other.gmp()) <= 0;
  }
  [[nodiscard]] bool certainly_at_least(const Rational& other) const {
    return mpfr_nan_p(low_) == 0 && mpfr_cmp_q(low_, other.gmp()) >= 0;
  }

  [[nodiscard]] double low() const { return mpfr_get_d(low_, MPFR_RNDD); }
  [[nodiscard]] double high() const { return mpfr_get_d(high_, MPFR_RNDU); }
  [[nodiscard]] double middle() const;
  [[nodiscard]] mpfr_srcptr low_end() const { return low_; }
  [[nodiscard]] mpfr_srcptr high_end() const { return high_; }
  /// For computations that keep the two ends in order themselves.
  [[nodiscard]] mpfr_ptr low_end() { return low_; }
  [[nodiscard]] mpfr_ptr high_end() { return high_; }
  [[nodiscard]] mpfr_prec_t precision() const { return mpfr_get_prec(low_); }

 private:
  using Function = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  [[nodiscard]] Interval increasing(Function function) const;

  mpfr_t low_;
  mpfr_t high_;
};

}  // namespace gauze
