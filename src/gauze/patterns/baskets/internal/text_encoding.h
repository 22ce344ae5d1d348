#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gauze/table/encoding.h"

namespace gauze::patterns::internal {

/// A text as UTF-8, and how its bytes were encoded. UTF-8 keeps its byte order mark; that of UTF-16 is not in the text.
struct DecodedText {
  std::string text;
  table::Encoding encoding = table::Encoding::utf8;
  bool byte_order_mark = false;  ///< of UTF-16
  bool encodes_back = true;      ///< false: a letter was written in another way than encode_text() writes it
};

/// The text of these bytes. Without a name of the encoding UTF-8 is UTF-8, a byte order mark tells UTF-16, and what is plainly
/// GB 18030 is that. Everything else is `bad_data` and names the line: one bad byte must not turn the rest of a text into
/// other letters. `invalid_parameter` for a name that is no encoding.
[[nodiscard]] Result<DecodedText> decode_text(std::string bytes, const std::optional<std::string>& encoding);

/// The bytes again.
[[nodiscard]] Result<std::string> encode_text(const DecodedText& decoded);

}  // namespace gauze::patterns::internal
