#pragma once

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <string_view>

namespace gauze::text::internal {

/// One character of a text in UTF-8. Places are not ICU's 32 bits: an address may be of any length.
struct Character {
  UChar32 code = 0;  ///< negative where the text is damaged
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The character that begins at a place before the end of the text.
[[nodiscard]] inline Character character_at(std::string_view text, std::size_t place) {
  Character result{.begin = place, .end = place};
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  U8_NEXT(bytes, result.end, text.size(), result.code);
  return result;
}

/// The character that ends at a place behind the start of the text.
[[nodiscard]] inline Character character_before(std::string_view text, std::size_t place) {
  std::size_t begin = place - 1;
  while (begin > 0 && place - begin < 4 && U8_IS_TRAIL(text[begin])) --begin;
  return character_at(text, begin);
}

[[nodiscard]] inline UScriptCode script_of(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  return c < 0 ? USCRIPT_UNKNOWN : uscript_getScript(c, &status);
}
[[nodiscard]] inline bool is_han(UChar32 c) { return script_of(c) == USCRIPT_HAN; }
[[nodiscard]] inline bool is_mark(UChar32 c) { return c >= 0x300 && (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }
/// Takes no room of its own: it neither parts nor joins what stands beside it.
[[nodiscard]] inline bool is_invisible(UChar32 c) { return u_charType(c) == U_FORMAT_CHAR || is_mark(c); }

/// Scripts in which one word follows another, or an address a word, without a blank: Chinese, Japanese, Thai; also Korean,
/// whose particles do. ICU does not count those that break lines between syllables.
[[nodiscard]] inline bool is_unspaced(UScriptCode script) {
  return uscript_breaksBetweenLetters(script) != 0 || script == USCRIPT_HANGUL || script == USCRIPT_TIBETAN ||
         script == USCRIPT_JAVANESE || script == USCRIPT_BALINESE;
}
[[nodiscard]] inline bool is_unspaced_letter(UChar32 c) {
  return c >= 0x80 && u_isalpha(c) != 0 && is_unspaced(script_of(c));
}
/// A letter of a script that has blanks between words.
[[nodiscard]] inline bool is_spaced_letter(UChar32 c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const UScriptCode script = script_of(c);
  return u_isalpha(c) != 0 && script > USCRIPT_INHERITED && !is_unspaced(script);
}

/// The sign or letter of ASCII that a full-width form stands for, else itself.
[[nodiscard]] inline UChar32 half_width(UChar32 c) { return c >= 0xFF01 && c <= 0xFF5E ? c - 0xFF01 + '!' : c; }

}  // namespace gauze::text::internal
