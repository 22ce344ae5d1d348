#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/base/words.h"
#include "gauze/server/keys/secret_bytes.h"

namespace gauze::server {

/// Which ciphers keep what is stored: AES-256-GCM with SHA-256, or SM4-CTR and HMAC-SM3 with SM3.
enum class CryptoProfile : unsigned char { standard = 1, sm = 2 };
inline constexpr Words<CryptoProfile, 2> kCryptoProfileWords = {
    {{CryptoProfile::standard, "standard"}, {CryptoProfile::sm, "sm"}}};

/// `unsupported` when the cryptographic library of the system lacks one of them.
[[nodiscard]] Result<void> check_ciphers(CryptoProfile profile);

/// HKDF with the hash of the profile.
[[nodiscard]] SecretBytes derive_key(CryptoProfile profile, const SecretBytes& secret, std::string_view salt,
                                     std::string_view info, std::size_t bytes);
/// HMAC with the hash of the profile: 32 bytes.
[[nodiscard]] std::string keyed_digest(CryptoProfile profile, const SecretBytes& key, std::string_view message);

/// Authenticated encryption under one key, derived from a secret and a salt that no other cipher of this secret has.
///
/// The caller gives a number to each message and never the same one twice: it is the nonce. What a message is bound to is
/// authenticated and not stored.
/// Thread safety: const members may be called concurrently.
class ValueCipher {
 public:
  ValueCipher(CryptoProfile profile, const SecretBytes& secret, std::string_view salt, std::string_view info);
  ValueCipher(ValueCipher&&) noexcept;
  ~ValueCipher();

  /// By how much a sealed message is longer.
  [[nodiscard]] std::size_t tag_bytes() const;
  [[nodiscard]] std::string seal(std::uint64_t number, std::string_view bound, std::string_view message) const;
  /// Nothing when the message was not sealed so: by this key, under this number, bound to this.
  [[nodiscard]] std::optional<std::string> open(std::uint64_t number, std::string_view bound,
                                                std::string_view sealed) const;
  /// The same into memory of the size of the message; false leaves zeros there.
  [[nodiscard]] bool open_into(std::uint64_t number, std::string_view bound, std::string_view sealed,
                               std::span<unsigned char> message) const;

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

}  // namespace gauze::server
