#include "gauze/table/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gauze::table {
namespace {

void append_wide(std::string& text, Int128 value) {
  const std::size_t begin = text.size();
  const bool negative = value < 0;
  do {
    const int digit = static_cast<int>(value % 10);
    text += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) text += '-';
  std::reverse(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end());
}

/// The shortest decimal that reads back as the same number; no ".0", an exponent from 1e16 on and below 1e-4.
void append_real(std::string& text, double value) {
  if (std::isnan(value)) return;
  fmt::format_to(std::back_inserter(text), "{}", value);
}

}  // namespace

void append_value(std::string& text, const ValueColumn& column, ValueType type, std::size_t row) {
  if (column.is_null(row)) return;
  switch (type) {
    case ValueType::integer:
      fmt::format_to(std::back_inserter(text), "{}", column.integers[row]);
      return;
    case ValueType::wide_integer:
      append_wide(text, column.wide_integers[row]);
      return;
    case ValueType::real:
      append_real(text, column.reals[row]);
      return;
    case ValueType::text:
      text += column.texts[row];
  }
}

}  // namespace gauze::table
