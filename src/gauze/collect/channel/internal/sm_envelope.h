#pragma once
// Suite 3: a random secret goes by SM2 encryption; HKDF-SM3 of it gives the keys of SM4-CTR and of HMAC-SM3 over header, enc and ciphertext.

#include "gauze/collect/channel/internal/hpke.h"

namespace gauze::collect::internal {

inline constexpr std::size_t kSmTagBytes = 32;
/// Of an SM2 ciphertext of 32 bytes in DER: 139 to 141 nearly always, some bytes fewer now and then.
inline constexpr std::size_t kMostSmEncBytes = 160;

[[nodiscard]] std::optional<Encapsulated> sm_encapsulate(EVP_PKEY* receiver);
[[nodiscard]] std::optional<Secret> sm_decapsulate(EVP_PKEY* own, std::string_view enc);

[[nodiscard]] std::string sm_seal(const Secret& secret, std::string_view header, std::string_view enc,
                                  std::string_view text);
/// The code is compared in constant time before anything is decrypted. Nothing when it differs.
[[nodiscard]] std::optional<std::string> sm_open(const Secret& secret, std::string_view header, std::string_view enc,
                                                 std::string_view sealed);

/// SM4 in counter mode from a counter block: the same both ways.
[[nodiscard]] std::string sm4_ctr(std::span<const unsigned char, 16> key, std::span<const unsigned char, 16> counter,
                                  std::string_view text);

}  // namespace gauze::collect::internal
