#pragma once

#include <initializer_list>
#include <string_view>

#include "gauze/collect/channel/internal/key_agreement.h"

namespace gauze::collect::internal {

enum class Digest { sha256, sm3 };  ///< both of 32 bytes

/// HMAC of the pieces one after the other. An empty key is 32 zeros, as HKDF without salt wants it.
[[nodiscard]] Secret hmac(Digest digest, std::string_view key, std::initializer_list<std::string_view> pieces);

/// HKDF (RFC 5869) without a salt, or with one: the first step is hmac(), this is the second.
void hkdf_expand(Digest digest, const Secret& key, std::initializer_list<std::string_view> info,
                 std::span<unsigned char> out);

}  // namespace gauze::collect::internal
