#include "gauze/text/tokens/word_shape.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <functional>

#include "gauze/base/error.h"
#include "gauze/text/tokens/clitics.h"

namespace gauze::text {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// The character that a full-width or half-width form stands for, else itself.
UChar32 folded(UChar32 c) {
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  if (width != U_EA_FULLWIDTH && width != U_EA_HALFWIDTH) return c;
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const form = icu::Normalizer2::getNFKCInstance(status);
  icu::UnicodeString result;
  if (U_FAILURE(status) || form->getDecomposition(c, result) == 0 || result.countChar32() != 1) return c;
  return result.char32At(0);
}

std::string with_case(std::string_view text, bool upper) {
  std::string result;
  icu::StringByteSink<std::string> sink(&result, static_cast<std::int32_t>(text.size()));
  UErrorCode status = U_ZERO_ERROR;
  const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
  if (upper)
    icu::CaseMap::utf8ToUpper("", 0, piece, sink, nullptr, status);
  else
    icu::CaseMap::utf8ToLower("", 0, piece, sink, nullptr, status);
  GAUZE_CHECK(U_SUCCESS(status));
  return result;
}

}  // namespace

std::string lookup_form(std::string_view word) {
  if (is_ascii(word)) return std::string(word);
  const icu::UnicodeString text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(word.data(), static_cast<std::int32_t>(word.size())));
  icu::UnicodeString narrow;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) narrow.append(folded(text.char32At(i)));
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const form = icu::Normalizer2::getNFCInstance(status);
  icu::UnicodeString composed = form->normalize(narrow, status);
  GAUZE_CHECK(U_SUCCESS(status));
  std::string result;
  composed.toUTF8String(result);
  return result;
}

std::string small_letters(std::string_view word) { return with_case(word, false); }

bool has_letter_of(std::string_view word, Language language) {
  const auto size = static_cast<std::int32_t>(word.size());
  for (std::int32_t i = 0; i < size;) {
    UChar32 c = 0;
    U8_NEXT(reinterpret_cast<const std::uint8_t*>(word.data()), i, size, c);
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = c < 0 ? USCRIPT_UNKNOWN : uscript_getScript(c, &status);
    if (script == USCRIPT_LATIN && language != Language::chinese) return true;
    if (script == USCRIPT_HAN && language != Language::english) return true;
  }
  return false;
}

std::string in_the_case_of(std::string_view original, std::string_view replacement) {
  const std::string narrow = lookup_form(original);
  std::size_t letters = 0;
  std::size_t capitals = 0;
  bool first_is_capital = false;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(narrow.size());) {
    UChar32 c = 0;
    U8_NEXT(reinterpret_cast<const std::uint8_t*>(narrow.data()), i, static_cast<std::int32_t>(narrow.size()), c);
    if (c < 0 || !u_isalpha(c)) continue;
    const bool capital = u_isupper(c) != 0 || u_istitle(c) != 0;
    if (letters == 0) first_is_capital = capital;
    ++letters;
    capitals += capital ? 1 : 0;
  }
  if (capitals == letters && (letters > 1 || is_clitic(narrow))) return with_case(replacement, true);
  if (!first_is_capital || replacement.empty()) return std::string(replacement);
  std::int32_t first = 0;
  U8_FWD_1(reinterpret_cast<const std::uint8_t*>(replacement.data()), first,
           static_cast<std::int32_t>(replacement.size()));
  const auto size = static_cast<std::size_t>(first);
  return with_case(replacement.substr(0, size), true) + std::string(replacement.substr(size));
}

}  // namespace gauze::text
