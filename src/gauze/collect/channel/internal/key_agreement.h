#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gauze/collect/channel/internal/openssl_objects.h"
#include "gauze/collect/channel/suite.h"
#include "gauze/collect/channel/wiped_bytes.h"

namespace gauze::collect::internal {

using Secret = WipedBytes<32>;

/// How many bytes a public key of the suite has.
[[nodiscard]] std::size_t public_key_bytes(Suite suite);
/// Nothing when the bytes are no public key: not on the curve, at infinity, or in another encoding.
[[nodiscard]] Owned<EVP_PKEY> public_key_of(Suite suite, std::string_view bytes);

/// A private number with its public key.
struct KeyPair {
  Secret private_bytes;
  std::string public_bytes;
  Owned<EVP_PKEY> parsed;
};
/// Nothing when the bytes are no private number of the suite.
[[nodiscard]] std::optional<KeyPair> key_pair_of(Suite suite, const Secret& private_bytes);
[[nodiscard]] KeyPair new_key_pair(Suite suite);

/// The secret of a pair and the public key of another one, given by its bytes. Nothing when these are no public key, or one that gives the
/// same secret with every pair. For suites 1 and 2.
[[nodiscard]] std::optional<Secret> agree(Suite suite, EVP_PKEY* own, std::string_view other);
/// The same with a key that was parsed before.
[[nodiscard]] std::optional<Secret> agree(EVP_PKEY* own, EVP_PKEY* other);

}  // namespace gauze::collect::internal
