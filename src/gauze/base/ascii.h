#pragma once

namespace gauze {

/// Whether a byte is one of the ASCII digits, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace gauze
