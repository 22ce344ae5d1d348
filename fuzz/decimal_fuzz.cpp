// Any text gives a fraction or an error; an exact decimal of a fraction reads back to the same one.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/base/rational.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gauze::Rational;
  const auto value = Rational::parse({reinterpret_cast<const char*>(data), size});
  if (!value) return 0;
  if (!value->is_defined()) std::abort();
  // What parse() accepts has at most 400 digits and a power of ten up to 400 beyond them; with room for all of them
  // the decimal is exact.
  const auto again = Rational::parse(value->to_decimal(1300));
  if (again && *again != *value) std::abort();
  // Rounded decimals read back to the nearest double.
  if (const auto rounded = Rational::parse(value->to_decimal()); rounded && *rounded != *value) {
    if (rounded->to_double() != value->to_double()) std::abort();
  }
  const double down = value->to_double_down();
  const double up = value->to_double_up();
  if (!(down <= up) || value->floor() > *value || value->ceil() < *value) std::abort();
  return 0;
}
