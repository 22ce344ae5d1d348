#pragma once

#include <array>
#include <optional>

#include "gauze/base/words.h"

namespace gauze::collect {

/// How batches are sealed to a curator; the number stands in each batch.
enum class Suite : unsigned char {
  p256 = 1,    ///< HPKE, base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM: what browsers have
  x25519 = 2,  ///< the same with DHKEM(X25519, HKDF-SHA256)
  sm = 3,      ///< SM2 key transport, HKDF-SM3, SM4-CTR, HMAC-SM3
};
inline constexpr std::array<Suite, 3> kSuites = {Suite::p256, Suite::x25519, Suite::sm};
inline constexpr Words<Suite, 3> kSuiteWords = {
    {{Suite::p256, "p256"}, {Suite::x25519, "x25519"}, {Suite::sm, "sm"}}};

/// The suite with this number, if there is one.
[[nodiscard]] constexpr std::optional<Suite> suite_of_number(unsigned number) {
  return number >= 1 && number <= 3 ? std::optional(static_cast<Suite>(number)) : std::nullopt;
}
[[nodiscard]] constexpr unsigned number_of(Suite suite) { return static_cast<unsigned>(suite); }

/// The first eight bytes of the SHA-256 of a public key: how a batch says to whom it is sealed.
using KeyId = std::array<unsigned char, 8>;

}  // namespace gauze::collect
