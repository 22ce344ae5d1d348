#pragma once

#include <cstdint>
#include <string>

#include "gauze/base/rational.h"

namespace gauze {

using Int128 = __int128;

/// A number on a power-of-two grid, exact: units * 2^exponent.
struct GridValue {
  Int128 units = 0;
  int exponent = 0;

  [[nodiscard]] Rational to_rational() const;
  /// The nearest double; post-processing, so it cannot hurt a guarantee.
  [[nodiscard]] double to_double() const;
  /// A decimal that reads back to this very number: the shortest one if a double holds it, else all its digits.
  [[nodiscard]] std::string to_decimal() const;
};

/// A public grid 2^exponent Z. Rounding onto it is floor(x + 1/2), the same for every value: two numbers at most n
/// grid steps apart are at most n steps apart afterwards (rounding half to even, or half away from zero, breaks
/// that).
class Grid {
 public:
  explicit Grid(int exponent) : exponent_(exponent) {}
  /// The largest power of two at most spread / 2^bits; the choice depends on parameters alone.
  [[nodiscard]] static Grid finer_than(const Rational& spread, int bits);

  [[nodiscard]] int exponent() const { return exponent_; }
  [[nodiscard]] Rational granularity() const { return Rational::power_of_two(exponent_); }

  /// Total: saturates at +-2^100 units, and NaN becomes 0, so that no value can make a release fail.
  [[nodiscard]] Int128 round(const Rational& value) const;
  [[nodiscard]] Int128 round(double value) const;
  /// The value itself, or the end of the range that round() would take it to.
  [[nodiscard]] Rational clamped(const Rational& value) const;

  /// The size of a number in grid steps, rounded up.
  [[nodiscard]] Rational steps_up(const Rational& size) const { return (size / granularity()).ceil(); }

 private:
  int exponent_;
};

[[nodiscard]] Rational to_rational(Int128 value);

}  // namespace gauze
