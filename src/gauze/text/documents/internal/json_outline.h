#pragma once
// Whether a line is JSON, whatever its values are worth: they stay as they are and need not be converted, so numbers may have
// any size, nesting any depth, and a string may hold half a surrogate pair.

#include <string>
#include <string_view>

namespace gauze::text::internal {

/// Behind the string that begins at this place with its quote; npos when it is none of JSON.
[[nodiscard]] std::size_t json_string_end(std::string_view text, std::size_t place);

/// RFC 8259. A byte order mark may stand before the object.
[[nodiscard]] bool is_json_object(std::string_view line);

}  // namespace gauze::text::internal
