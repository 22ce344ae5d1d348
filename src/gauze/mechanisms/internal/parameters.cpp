#include "gauze/mechanisms/internal/parameters.h"

namespace gauze::internal {
namespace {

/// A power of ten, exactly.
Rational ten_to(int exponent) {
  Rational power(1);
  for (int i = 0; i < std::abs(exponent); ++i) power *= Rational(10);
  return exponent < 0 ? Rational(1) / power : power;
}

Result<void> check_range(std::string_view name, const Rational& value, int low_exponent, int high_exponent) {
  if (!value.is_defined()) return invalid_parameter("{} must be a finite positive number", name);
  if (value.sign() <= 0) return invalid_parameter("{} must be positive, but is {}", name, value.to_decimal());
  if (value < ten_to(low_exponent) || value > ten_to(high_exponent)) {
    return invalid_parameter("{} must lie between 1e{} and 1e{}, but is {}", name, low_exponent, high_exponent,
                             value.to_decimal());
  }
  return {};
}

}  // namespace

Result<void> check_epsilon(const Rational& epsilon) { return check_range("epsilon", epsilon, -9, 9); }

Result<void> check_delta(const Rational& delta) {
  if (!delta.is_defined()) return invalid_parameter("delta must be a finite number between 0 and 1");
  if (delta.sign() <= 0 || delta >= Rational(1)) {
    return invalid_parameter("delta must be above 0 and below 1, but is {}", delta.to_decimal());
  }
  if (delta < ten_to(-300)) return invalid_parameter("delta must be at least 1e-300, but is {}", delta.to_decimal());
  return {};
}

Result<void> check_sensitivity(const Rational& sensitivity) {
  return check_range("the sensitivity", sensitivity, -100, 100);
}

Result<void> check_integer_sensitivity(const Rational& sensitivity) {
  GAUZE_TRY_VOID(check_sensitivity(sensitivity));
  if (!sensitivity.is_integer()) {
    return invalid_parameter(
        "integer noise needs a whole-number sensitivity, but it is {}; round it up, or use laplace or gaussian",
        sensitivity.to_decimal());
  }
  if (sensitivity > Rational::power_of_two(52)) {
    return invalid_parameter("the sensitivity of integer noise must be at most 2^52, but is {}",
                             sensitivity.to_decimal());
  }
  return {};
}

Result<void> check_spread(std::string_view name, const Rational& spread) {
  return check_range(name, spread, -100, 100);
}

Result<void> check_granularity_bits(int bits) {
  if (bits < 0 || bits > 48) return invalid_parameter("granularity bits must lie between 0 and 48, but are {}", bits);
  return {};
}

Result<void> check_dimension(std::int64_t dimension) {
  if (dimension < 1 || dimension > std::int64_t{1} << 40) {
    return invalid_parameter("the number of coordinates must lie between 1 and 2^40, but is {}", dimension);
  }
  return {};
}

}  // namespace gauze::internal
