#include "gauze/text/vectors/word_form.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <algorithm>

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

}  // namespace gauze::text
