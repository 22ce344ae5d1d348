#include "gauze/patterns/baskets/internal/text_encoding.h"

#include <algorithm>
#include <array>

#include "gauze/base/utf8.h"

namespace gauze::patterns::internal {
namespace {

using table::Encoding;

bool is_utf8(Encoding encoding) { return encoding == Encoding::utf8 || encoding == Encoding::utf8_with_bom; }
bool is_utf16(Encoding encoding) { return encoding == Encoding::utf16le || encoding == Encoding::utf16be; }

tl::unexpected<Error> not_utf8(std::string_view bytes, std::size_t place) {
  const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  return make_error(ErrorCode::bad_data, "line {} is not UTF-8: say which encoding the text has", line);
}

Result<Encoding> encoding_of(std::string_view bytes, const std::optional<std::string>& given) {
  const auto invalid = find_invalid_utf8(bytes);
  if (given) {
    GAUZE_TRY(const Encoding encoding, table::parse_encoding(*given, bytes));
    if (invalid && is_utf8(encoding)) return not_utf8(bytes, *invalid);
    return encoding;
  }
  if (!invalid) return Encoding::utf8;
  const auto found = table::sniff_encoding(bytes);
  if (!found || is_utf8(*found) || *found == Encoding::latin1) return not_utf8(bytes, *invalid);
  return *found;
}

}  // namespace

Result<DecodedText> decode_text(std::string bytes, const std::optional<std::string>& encoding) {
  DecodedText decoded;
  GAUZE_TRY(decoded.encoding, encoding_of(bytes, encoding));
  if (is_utf8(decoded.encoding)) {
    decoded.text = std::move(bytes);
    return decoded;
  }
  decoded.byte_order_mark =
      is_utf16(decoded.encoding) && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"));
  TextSource source(bytes);
  GAUZE_TRY(const auto text, table::decode(source, decoded.encoding, "the text"));
  std::array<char, 1U << 16> block{};
  for (;;) {
    GAUZE_TRY(const std::size_t size, text->read(block));
    if (size == 0) break;
    decoded.text.append(block.data(), size);
  }
  GAUZE_TRY(const std::string back, encode_text(decoded));
  decoded.encodes_back = back == bytes;
  return decoded;
}

Result<std::string> encode_text(const DecodedText& decoded) {
  if (is_utf8(decoded.encoding)) return decoded.text;
  return table::encode(decoded.byte_order_mark ? std::string(kByteOrderMark) + decoded.text : decoded.text,
                       decoded.encoding);
}

}  // namespace gauze::patterns::internal
