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

/// Every character that trimmed() takes for a blank: the white space of Unicode (also no-break and ideographic), and the signs
/// of no width, which nobody sees.
inline constexpr std::string_view kBlanks =
    "\t\n\v\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u200B\u2028\u2029\u202F"
    "\u205F\u2060\u3000\uFEFF";

namespace internal {
/// The same where an end is not ASCII.
[[nodiscard]] std::string_view trimmed_of_wide_blanks(std::string_view text);
}  // namespace internal

/// The text without blanks at its ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const auto wide = [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  if (!text.empty() && (wide(text.front()) || wide(text.back()))) return internal::trimmed_of_wide_blanks(text);
  return text;
}

}  // namespace gauze
