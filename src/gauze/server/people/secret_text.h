#pragma once

#include <string>
#include <string_view>

namespace gauze::server {

/// 32 bytes of the kernel's generator as 43 characters of base64url: a token, a credential.
[[nodiscard]] std::string draw_secret_text();
/// Whether a text may be one.
[[nodiscard]] bool is_secret_text(std::string_view text);

}  // namespace gauze::server
