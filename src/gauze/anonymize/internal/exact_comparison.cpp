#include "gauze/anonymize/internal/exact_comparison.h"

#include <cmath>

namespace gauze::anonymize::internal {

namespace {

// Both halves convert exactly: the fraction is built from integers, never from a rounded double.
Rational integer(Wide value) {
  const bool negative = value < 0;
  __extension__ using Natural = unsigned __int128;
  const auto magnitude = negative ? -static_cast<Natural>(value) : static_cast<Natural>(value);
  constexpr std::uint64_t kLow = (std::uint64_t{1} << 62U) - 1;
  const Rational low(static_cast<std::int64_t>(static_cast<std::uint64_t>(magnitude) & kLow));
  const Rational middle(static_cast<std::int64_t>(static_cast<std::uint64_t>(magnitude >> 62U) & kLow));
  const Rational high(static_cast<std::int64_t>(magnitude >> 124U));
  const Rational total = low + middle * Rational::power_of_two(62) + high * Rational::power_of_two(124);
  return negative ? -total : total;
}

}  // namespace

Rational fraction(Wide numerator, Wide denominator) { return integer(numerator) / integer(denominator); }

bool at_most(Wide numerator, Wide denominator, const Rational& bound, double bound_estimate) {
  // Three roundings of relative size 2^-53 each, with room to spare.
  const double estimate = static_cast<double>(numerator) / static_cast<double>(denominator);
  const double doubt = 1e-14 * (std::abs(estimate) + std::abs(bound_estimate));
  if (estimate < bound_estimate - doubt) return true;
  if (estimate > bound_estimate + doubt) return false;
  return fraction(numerator, denominator) <= bound;
}

}  // namespace gauze::anonymize::internal
