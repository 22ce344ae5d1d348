#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gauze {

/// U+FEFF in UTF-8, as it may stand at the front of a file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// How many bytes the first character (code point) of the text takes: 1 to 4. 0 when the text is empty or does not begin
/// with well-formed UTF-8 (overlong forms, surrogates and what lies beyond U+10FFFF are not).
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// The place of the first byte that is not well-formed UTF-8, or nothing.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// How many characters the text has; a byte that is not UTF-8 counts as one.
[[nodiscard]] std::size_t character_count(std::string_view text);

/// The byte at which character number `count` begins (the size of the text if it has fewer).
[[nodiscard]] std::size_t character_offset(std::string_view text, std::size_t count);

/// The text without blanks (space, tab, line ends, vertical tab, form feed) at its ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace gauze
