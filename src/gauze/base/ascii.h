#pragma once

namespace gauze {

/// Whether a byte is one of the ASCII digits, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The small letter of an ASCII capital, any other byte as it is, whatever the locale.
[[nodiscard]] constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace gauze
