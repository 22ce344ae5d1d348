#pragma once

#include <gmp.h>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze {

/// A fraction, exact: 0.1 read from text is one tenth. Amounts, thresholds, shares and supports are of this type.
///
/// A double converts exactly (every finite double is a fraction). NaN and the infinities convert to "undefined",
/// which every `make` that takes a Rational refuses by name; arithmetic on an undefined Rational is undefined again.
class Rational {
 public:
  Rational() { mpq_init(value_); }
  Rational(double value);
  Rational(int value) : Rational(static_cast<std::int64_t>(value)) {}
  Rational(std::int64_t value);
  Rational(std::int64_t numerator, std::int64_t denominator);  ///< undefined when the denominator is 0
  Rational(const Rational& other);
  Rational(Rational&& other) noexcept;
  Rational& operator=(const Rational& other);
  Rational& operator=(Rational&& other) noexcept;
  ~Rational() { mpq_clear(value_); }

  /// Reads a decimal, plain or scientific: "12", "-0.5", "1e-5", "2.5E+3". Nothing else, no blanks, no "inf".
  /// At most 400 digits and a power of ten between -400 and 400, so that absurd input costs nothing.
  /// The error does not quote the text: it may be data.
  [[nodiscard]] static Result<Rational> parse(std::string_view text);
  /// 2^exponent, for any exponent between -100,000 and 100,000.
  [[nodiscard]] static Rational power_of_two(int exponent);

  [[nodiscard]] bool is_defined() const { return defined_; }
  [[nodiscard]] int sign() const { return mpq_sgn(value_); }
  [[nodiscard]] bool is_integer() const { return defined_ && mpz_cmp_ui(mpq_denref(value_), 1) == 0; }

  Rational& operator+=(const Rational& other);
  Rational& operator-=(const Rational& other);
  Rational& operator*=(const Rational& other);
  Rational& operator/=(const Rational& other);  ///< undefined when other is 0
  friend Rational operator+(Rational a, const Rational& b) { return a += b; }
  friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
  friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
  friend Rational operator/(Rational a, const Rational& b) { return a /= b; }
  [[nodiscard]] Rational operator-() const { return Rational() - *this; }

  /// Comparisons are exact. An undefined value compares unordered and is equal to nothing.
  friend std::partial_ordering operator<=>(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b) { return (a <=> b) == 0; }

  [[nodiscard]] Rational floor() const;
  [[nodiscard]] Rational ceil() const;
  /// The largest e with 2^e <= |value|. The value must be defined and not zero.
  [[nodiscard]] int floor_log2() const;

  /// The nearest double not above / not below; beyond the range of doubles the largest finite one or an infinity.
  [[nodiscard]] double to_double_down() const;
  [[nodiscard]] double to_double_up() const;
  /// The nearest finite double (ties to even), for display and for utility. NaN when undefined.
  [[nodiscard]] double to_double() const;
  /// The value as a 64-bit integer, or an error when it is not one.
  [[nodiscard]] Result<std::int64_t> to_int64() const;

  /// The exact decimal when it is finite and has at most `digits` significant digits ("0.1", "2500", "1e-300"); else
  /// the shortest decimal that reads back to the nearest double.
  [[nodiscard]] std::string to_decimal(int digits = 30) const;

  /// The same, but never below the value: for charges, noise scales and other figures that must round up.
  [[nodiscard]] std::string to_decimal_up(int digits = 30) const;

  /// For exact computation beyond fractions (exponentials, logarithms). The value must be defined.
  [[nodiscard]] mpq_srcptr gmp() const { return value_; }
  [[nodiscard]] static Rational from_gmp(mpq_srcptr value);

 private:
  mpq_t value_;
  bool defined_ = true;
};

}  // namespace gauze
