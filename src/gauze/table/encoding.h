#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"

namespace gauze::table {

/// The encodings of text that Gauze reads.
enum class Encoding { utf8, utf8_with_bom, utf16le, utf16be, gb18030, latin1 };
[[nodiscard]] std::string_view to_string(Encoding encoding);

/// Finds out the encoding of a text from its beginning. A byte order mark decides; what is UTF-8 is UTF-8; else text
/// whose bytes form pairs as Chinese text in GB 18030 does is that; else Latin-1, if it has none of the control codes
/// 80..9F that no Latin-1 text has. Otherwise, and where UTF-8 is damaged, nothing: somebody must say.
[[nodiscard]] std::optional<Encoding> sniff_encoding(std::string_view beginning);

/// The place of the first bad byte of a text that is UTF-8 but for a few of them: read in another encoding, all its letters
/// beyond ASCII would be wrong. Nothing when it is whole, or no such text.
[[nodiscard]] std::optional<std::size_t> find_damage(std::string_view beginning);

/// The encoding of a name as people write it ("UTF-8", "gbk", "ISO-8859-1"), or `invalid_parameter`. A byte order mark
/// at the beginning of the text belongs to the encoding.
[[nodiscard]] Result<Encoding> parse_encoding(std::string_view name, std::string_view beginning);

/// What becomes of bytes that are no text in their encoding.
enum class BadBytes {
  refuse,  ///< `bad_data`
  mark,    ///< a byte FF, which is no UTF-8 either, stands for them
};

/// The text of a source as UTF-8, without byte order mark; UTF-8 is passed on without a check. The source must outlive
/// the decoder; `name` is what messages call it.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> decode(ByteSource& source, Encoding encoding, std::string name,
                                                         BadBytes bad_bytes = BadBytes::refuse);

/// The bytes that a text in this encoding begins with; empty for those that have no mark.
[[nodiscard]] std::string_view byte_order_mark(Encoding encoding);

/// UTF-8 in another encoding; no byte order mark is added. `bad_data` where the encoding has no such letter.
[[nodiscard]] Result<std::string> encode(std::string_view text, Encoding encoding);

}  // namespace gauze::table
