#pragma once

#include <string>
#include <string_view>

namespace gauze::cli {

/// How many columns a text takes on a terminal: Chinese, Japanese and Korean characters take two. The text is printable
/// UTF-8.
[[nodiscard]] int terminal_width(std::string_view text);

/// The text with blanks behind it, up to that many columns.
[[nodiscard]] std::string padded(std::string text, int width);

}  // namespace gauze::cli
