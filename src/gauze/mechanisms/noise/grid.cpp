#include "gauze/mechanisms/noise/grid.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace gauze {
namespace {

constexpr Int128 kLargestUnits = static_cast<Int128>(1) << 100;
constexpr Int128 kLargestExact = static_cast<Int128>(1) << 53;

Int128 to_int128(const Rational& integer) {
  const Rational high = (integer * Rational::power_of_two(-50)).floor();
  const Rational low = integer - high * Rational::power_of_two(50);
  return (static_cast<Int128>(*high.to_int64()) << 50) + *low.to_int64();
}

}  // namespace

Rational to_rational(Int128 value) {
  const auto high = static_cast<std::int64_t>(value >> 62);
  const auto low = static_cast<std::int64_t>(value & ((static_cast<Int128>(1) << 62) - 1));
  return Rational(high) * Rational::power_of_two(62) + Rational(low);
}

Rational GridValue::to_rational() const { return gauze::to_rational(units) * Rational::power_of_two(exponent); }

double GridValue::to_double() const {
  // Up to 53 bits the product is exact; beyond, the fraction is rounded once.
  if (units <= kLargestExact && units >= -kLargestExact) return std::ldexp(static_cast<double>(units), exponent);
  return to_rational().to_double();
}

std::string GridValue::to_decimal() const {
  const double nearest = to_double();
  // Up to 53 bits, and far from the ends of the range, a double holds the number: the usual case.
  const bool held = units <= kLargestExact && units >= -kLargestExact && exponent >= -1074 && exponent <= 960;
  if (held || Rational(nearest) == to_rational()) return fmt::format("{}", nearest == 0 ? 0.0 : nearest);
  return to_rational().to_decimal(2000);
}

Grid Grid::finer_than(const Rational& spread, int bits) { return Grid(spread.floor_log2() - bits); }

Rational Grid::clamped(const Rational& value) const {
  const Rational limit = gauze::to_rational(kLargestUnits) * granularity();
  return std::clamp(value, -limit, limit);
}

Int128 Grid::round(const Rational& value) const {
  if (!value.is_defined()) return 0;
  return to_int128((clamped(value) / granularity() + Rational(1, 2)).floor());
}

Int128 Grid::round(double value) const {
  const double units = std::ldexp(value, -exponent_);
  if (std::isnan(units)) return 0;
  if (std::abs(units) >= 0x1p100) return units > 0 ? kLargestUnits : -kLargestUnits;
  // ldexp may have lost bits only where |units| is below 2^-1021: both the value and the result then round to 0.
  const double whole = std::floor(units);
  return static_cast<Int128>(whole) + (units - whole >= 0.5 ? 1 : 0);
}

}  // namespace gauze
