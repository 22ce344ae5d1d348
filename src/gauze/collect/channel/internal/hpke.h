#pragma once
// HPKE (RFC 9180), base mode, one message a context: DHKEM with P-256 or X25519, HKDF-SHA256, AES-256-GCM.

#include <optional>
#include <string>
#include <string_view>

#include "gauze/collect/channel/internal/key_agreement.h"

namespace gauze::collect::internal {

inline constexpr std::size_t kHpkeTagBytes = 16;

/// What a sender makes for one message: `enc` goes with it.
struct Encapsulated {
  std::string enc;
  Secret secret;
};

/// Sections 4.1. Nothing when the key is none that a secret can be agreed on with.
[[nodiscard]] std::optional<Encapsulated> hpke_encapsulate(Suite suite, EVP_PKEY* receiver,
                                                           std::string_view receiver_bytes);
/// The receiver's side. Nothing when `enc` is no public key.
[[nodiscard]] std::optional<Secret> hpke_decapsulate(Suite suite, EVP_PKEY* own, std::string_view own_bytes,
                                                     std::string_view enc);

/// Sections 5.1 and 5.2: the key schedule for an `info`, and the first message of its context.
class HpkeContext {
 public:
  HpkeContext(Suite suite, std::string_view info);

  [[nodiscard]] std::string seal(const Secret& secret, std::string_view aad, std::string_view text) const;
  /// Nothing when it does not open.
  [[nodiscard]] std::optional<std::string> open(const Secret& secret, std::string_view aad,
                                                std::string_view sealed) const;

 private:
  Suite suite_;
  std::string schedule_;  ///< mode, digests of the empty psk_id and of info: the same for all messages
};

}  // namespace gauze::collect::internal
