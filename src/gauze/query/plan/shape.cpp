#include "gauze/query/plan/shape.h"

#include <algorithm>
#include <cfloat>

namespace gauze::query {
namespace {

const Rational& largest_integer() {
  static const Rational value = Rational::power_of_two(63) - Rational(1);
  return value;
}

Rational least_of(const Range& a, const Range& b) { return std::min(a.least, b.least); }

}  // namespace

Type type_of_column(schema::DeclaredType type) {
  using schema::DeclaredType;
  switch (type) {
    case DeclaredType::integer:
      return Type::integer;
    case DeclaredType::decimal:
      return Type::decimal;
    case DeclaredType::real:
      return Type::real;
    case DeclaredType::boolean:
      return Type::boolean;
    case DeclaredType::date:
      return Type::date;
    case DeclaredType::timestamp:
      return Type::timestamp;
    case DeclaredType::text:
      return Type::text;
  }
  return Type::text;
}

bool is_number(Type type) { return type == Type::integer || type == Type::decimal || type == Type::real; }

Rational power_of_ten(int exponent) {
  Rational power = 1;
  for (int i = 0; i < exponent; ++i) power *= Rational(10);
  return power;
}

Rational Range::largest_size() const { return std::max(high, -low); }

Range Range::of(const Rational& value) {
  Range range{.low = value, .high = value};
  range.least = value.sign() == 0 ? Rational(1) : value.sign() < 0 ? -value : value;
  return range;
}

Range Range::all_of(Type type, int scale) {
  Range range{.low_known = false, .high_known = false};
  switch (type) {
    case Type::real:
      range.high = Rational::power_of_two(1000);
      range.least = Rational::power_of_two(-200);
      break;
    case Type::date:  // the years 1 to 9999
      range.low = -719162;
      range.high = 2932896;
      return range;
    case Type::timestamp:
      range.low = Rational(-719162) * Rational(std::int64_t{86'400'000'000});
      range.high = Rational(2932897) * Rational(std::int64_t{86'400'000'000}) - Rational(1);
      return range;
    default:
      range.high = largest_integer() / power_of_ten(scale);
      range.least = Rational(1) / power_of_ten(scale);
  }
  range.low = -range.high;
  return range;
}

Range Range::hull(const Range& a, const Range& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {.low = std::min(a.low, b.low),
          .high = std::max(a.high, b.high),
          .low_known = a.low_known && b.low_known,
          .high_known = a.high_known && b.high_known,
          .least = least_of(a, b)};
}

Range Range::meet(const Range& a, const Range& b) {
  Range range{.low = std::max(a.low, b.low), .high = std::min(a.high, b.high)};
  range.low_known = (a.low_known && a.low == range.low) || (b.low_known && b.low == range.low);
  range.high_known = (a.high_known && a.high == range.high) || (b.high_known && b.high == range.high);
  range.least = least_of(a, b);
  return range;
}

Range operator-(const Range& a) {
  return {.low = -a.high, .high = -a.low, .low_known = a.high_known, .high_known = a.low_known, .least = a.least};
}

Range sum(const Range& a, const Range& b, bool reals) {
  Range range{.low = a.low + b.low,
              .high = a.high + b.high,
              .low_known = a.low_known && b.low_known,
              .high_known = a.high_known && b.high_known,
              .least = least_of(a, b)};
  if (reals) range.least *= Rational::power_of_two(-53);  // what is left when two numbers nearly cancel
  return range;
}

Range product(const Range& a, const Range& b) {
  const Rational corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  const bool known = a.is_known() && b.is_known();
  return {.low = *std::min_element(std::begin(corners), std::end(corners)),
          .high = *std::max_element(std::begin(corners), std::end(corners)),
          .low_known = known,
          .high_known = known,
          .least = a.least * b.least};
}

Range quotient(const Range& a, const Range& b) {
  // 1 / b lies in [1 / high, 1 / low], where both have one sign, else up to 1 / least on either side.
  Range inverse = b;
  const Rational most = Rational(1) / b.least;
  if (b.low.sign() > 0 || b.high.sign() < 0) {
    inverse.low = Rational(1) / b.high;
    inverse.high = Rational(1) / b.low;
    inverse.low_known = inverse.high_known = true;
  } else {
    inverse.low = b.low.sign() < 0 ? -most : Rational();
    inverse.high = b.high.sign() > 0 ? most : Rational();
    inverse.low_known = inverse.high_known = true;
  }
  inverse.least = Rational(1) / std::max(b.largest_size(), b.least);
  return product(a, inverse);
}

bool fits_64_bits(const Range& range, int scale) {
  const Rational limit = largest_integer() / power_of_ten(scale);
  return -limit <= range.low && range.high <= limit;
}

bool fits_real(const Range& range) {
  static const Rational largest(DBL_MAX);
  static const Rational smallest(DBL_MIN);
  return range.largest_size() <= largest && range.least >= smallest;
}

std::optional<Rational> Shape::count() const {
  if (values) return Rational(static_cast<std::int64_t>(values->size()));
  if (type == Type::boolean) return Rational(2);
  if (type == Type::null) return Rational();
  const bool in_steps =
      type == Type::integer || type == Type::date || type == Type::decimal || (type == Type::real && whole);
  if (!in_steps || !range.is_known()) return std::nullopt;
  if (range.is_empty()) return Rational();
  const Rational steps = type == Type::decimal ? power_of_ten(scale) : Rational(1);
  return (range.high * steps).floor() - (range.low * steps).ceil() + Rational(1);
}

std::string Shape::describe() const {
  if (type == Type::decimal) return fmt::format("decimal of {} digits behind the point", scale);
  return std::string(word_of(kTypeWords, type));
}

}  // namespace gauze::query
