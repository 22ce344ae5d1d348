#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/collect/channel/suite.h"
#include "gauze/collect/channel/wiped_bytes.h"

struct evp_pkey_st;

namespace gauze::collect {

/// What devices seal batches to. Copies are cheap and share what was computed; const members may be called concurrently.
class SealingPublicKey {
 public:
  /// From the bytes that a curator lists: P-256 and SM2 uncompressed points of 65 bytes, X25519 32 bytes. `invalid_parameter` for a point
  /// that is not on the curve, or one of X25519 with which every secret would be zero.
  [[nodiscard]] static Result<SealingPublicKey> from_bytes(Suite suite, std::string_view bytes);
  [[nodiscard]] static Result<SealingPublicKey> from_base64url(Suite suite, std::string_view text);

  [[nodiscard]] Suite suite() const { return suite_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::string base64url() const;
  [[nodiscard]] const KeyId& id() const { return id_; }
  [[nodiscard]] std::string id_hex() const;

  /// For what seals: the key as OpenSSL has it.
  [[nodiscard]] evp_pkey_st* parsed() const { return parsed_.get(); }

 private:
  SealingPublicKey(Suite suite, std::string bytes, std::shared_ptr<evp_pkey_st> parsed);

  Suite suite_;
  std::string bytes_;
  KeyId id_;
  std::shared_ptr<evp_pkey_st> parsed_;
};

/// What opens batches, and never leaves the curator but wrapped. Moved, not copied; its bytes are wiped when it ends, those that OpenSSL
/// holds too. Const members may be called concurrently.
class SealingKey {
 public:
  using PrivateBytes = WipedBytes<32>;

  /// A new key, from the operating system's generator.
  [[nodiscard]] static SealingKey generate(Suite suite);
  /// The key back from private_bytes(). `bad_data` for what is none: zero, or not below the order of the curve.
  [[nodiscard]] static Result<SealingKey> from_private_bytes(Suite suite, const PrivateBytes& bytes);

  SealingKey(SealingKey&&) noexcept = default;
  SealingKey& operator=(SealingKey&&) noexcept = default;
  SealingKey(const SealingKey&) = delete;
  SealingKey& operator=(const SealingKey&) = delete;

  [[nodiscard]] Suite suite() const { return public_key_.suite(); }
  [[nodiscard]] const SealingPublicKey& public_key() const { return public_key_; }
  /// For being wrapped and stored: the private number, most significant byte first (X25519: as the curve has it).
  [[nodiscard]] const PrivateBytes& private_bytes() const { return *private_bytes_; }

  /// For what opens: the pair as OpenSSL has it.
  [[nodiscard]] evp_pkey_st* pair() const { return pair_.get(); }

 private:
  using Pair = std::unique_ptr<evp_pkey_st, void (*)(evp_pkey_st*)>;
  SealingKey(SealingPublicKey public_key, const PrivateBytes& bytes, Pair pair);

  SealingPublicKey public_key_;
  std::unique_ptr<const PrivateBytes> private_bytes_;
  Pair pair_;
};

}  // namespace gauze::collect
