#include "gauze/text/vectors/word_form.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/translit.h>

#include <algorithm>
#include <memory>

#include "gauze/base/utf8.h"

namespace gauze::text {

Result<std::string> normal_form(std::string_view word) {
  const bool ascii =
      std::all_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return std::string(word);
  if (find_invalid_utf8(word)) return make_error(ErrorCode::bad_data, "the word is not UTF-8");
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFCInstance(status);
  GAUZE_CHECK(U_SUCCESS(status));
  std::string result;
  icu::StringByteSink<std::string> sink(&result, static_cast<std::int32_t>(word.size()));
  form->normalizeUTF8(0, icu::StringPiece(word.data(), static_cast<std::int32_t>(word.size())), sink, nullptr,
                      status);
  if (U_FAILURE(status) != 0) return make_error(ErrorCode::bad_data, "the word cannot be normalised");
  return result;
}

std::string simplified_chinese(std::string_view word) {
  const auto may_begin_han = [](char c) { return static_cast<unsigned char>(c) >= 0xE2; };
  if (std::none_of(word.begin(), word.end(), may_begin_han)) return std::string(word);
  // One a thread: ICU's are shared under a lock.
  thread_local const std::unique_ptr<icu::Transliterator> simplify = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::Transliterator> made(
        icu::Transliterator::createInstance("Traditional-Simplified", UTRANS_FORWARD, status));
    return U_SUCCESS(status) ? std::move(made) : nullptr;
  }();
  if (!simplify) return std::string(word);
  icu::UnicodeString text =
      icu::UnicodeString::fromUTF8(icu::StringPiece(word.data(), static_cast<std::int32_t>(word.size())));
  simplify->transliterate(text);
  std::string result;
  return text.toUTF8String(result);
}

}  // namespace gauze::text
