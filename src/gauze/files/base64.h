#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gauze {

/// Bytes as base64 (RFC 4648), with padding.
[[nodiscard]] std::string to_base64(std::string_view bytes);
/// The bytes back; nothing when the text is not exactly what to_base64() writes.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

/// The same with the letters of URLs, `-` and `_`, and without padding.
[[nodiscard]] std::string to_base64url(std::string_view bytes);
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

}  // namespace gauze
