#pragma once
// The bytes of a key file; see docs/formats/curator-store.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/server/keys/value_cipher.h"

namespace gauze::server::internal {

/// A secret as it lies in the file.
struct WrappedSecret {
  std::string name;
  std::string sealed;
  friend bool operator==(const WrappedSecret&, const WrappedSecret&) = default;
};

struct KeyFileContent {
  CryptoProfile profile = CryptoProfile::standard;
  bool is_passphrase = false;
  std::uint8_t log2_n = 0;
  std::string passphrase_salt;  ///< 32 bytes, zero without a passphrase
  std::string salt;             ///< 32 bytes, of this writing of the file
  std::string check;            ///< an empty message, sealed: tells whether a key is the right one
  std::vector<WrappedSecret> secrets;
  std::string seal;  ///< an empty message, sealed and bound to everything before it
  friend bool operator==(const KeyFileContent&, const KeyFileContent&) = default;
};

/// How long the tags of a profile are.
[[nodiscard]] std::size_t tag_bytes_of(CryptoProfile profile);

/// What `check` is bound to.
[[nodiscard]] std::string encode_key_file_head(const KeyFileContent& content);
/// What `seal` is bound to: everything before it.
[[nodiscard]] std::string encode_unsealed_key_file(const KeyFileContent& content);
/// The whole file: with the seal and the SHA-256 of everything.
[[nodiscard]] std::string encode_key_file(const KeyFileContent& content);
/// Nothing when it is damaged. Total.
[[nodiscard]] std::optional<KeyFileContent> decode_key_file(std::string_view bytes);

}  // namespace gauze::server::internal
