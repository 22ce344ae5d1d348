#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "gauze/base/error.h"
#include "gauze/server/keys/secret_bytes.h"

namespace gauze::server {

/// How a passphrase becomes a key: scrypt with r = 8 and p = 1. Stored beside what the key opens.
struct PassphraseTerms {
  std::uint8_t log2_n = 16;  ///< 64 MiB of memory, about a fifth of a second
  std::string salt;          ///< 32 bytes
};

/// The secret under which a key file is kept: 32 bytes from outside, or a passphrase. It never comes from arguments or from the values
/// of the environment, which other processes can read.
class KeyEncryptionKey {
 public:
  /// A new random key in a file of its own that its owner alone can read: 64 hexadecimal digits and an end of line. An existing file is
  /// refused (`io`).
  [[nodiscard]] static Result<void> create_file(const std::filesystem::path& path);
  /// Of such a file, or of 32 plain bytes. `not_authorised` when others than its owner may read or write it.
  [[nodiscard]] static Result<KeyEncryptionKey> from_file(const std::filesystem::path& path);
  /// The same read from an open descriptor until its end; it stays open.
  [[nodiscard]] static Result<KeyEncryptionKey> from_descriptor(int descriptor);
  /// The same of a systemd credential: the file NAME in the folder that $CREDENTIALS_DIRECTORY names.
  [[nodiscard]] static Result<KeyEncryptionKey> from_credential(const std::string& name);
  /// A passphrase of at least 12 bytes.
  [[nodiscard]] static Result<KeyEncryptionKey> from_passphrase(SecretBytes passphrase);

  /// The same in a file that its owner alone can read; an end of line at its end is none of it.
  [[nodiscard]] static Result<KeyEncryptionKey> from_passphrase_file(const std::filesystem::path& path);

  [[nodiscard]] bool is_passphrase() const { return is_passphrase_; }
  /// The key itself; that of a passphrase by its terms. `bad_data` when these are none.
  [[nodiscard]] Result<SecretBytes> key(const PassphraseTerms& terms) const;

 private:
  KeyEncryptionKey(SecretBytes secret, bool is_passphrase)
      : secret_(std::move(secret)), is_passphrase_(is_passphrase) {}
  SecretBytes secret_;
  bool is_passphrase_ = false;
};

}  // namespace gauze::server
