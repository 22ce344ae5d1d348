#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/server/keys/key_encryption_key.h"
#include "gauze/server/keys/secret_bytes.h"
#include "gauze/server/keys/value_cipher.h"

namespace gauze::server {

/// All secrets of a curator in one small file, each wrapped by a key-encryption key that is kept elsewhere. The format is in
/// docs/formats/curator-store.md.
///
/// Whatever changes it returns when the new file and its folder are on the disk; the old one stays whole until then, and is overwritten
/// after it. A secret that was removed is in neither. One process at a time has the file: it is locked.
/// Not covered: what a medium keeps of overwritten blocks; copies of the file. Both are unreadable without the key-encryption key.
/// Thread safety: all members may be called concurrently.
class KeyFile {
 public:
  /// A new file without secrets. An existing one is refused (`io`).
  [[nodiscard]] static Result<std::shared_ptr<KeyFile>> create(const std::filesystem::path& path,
                                                               const KeyEncryptionKey& key,
                                                               CryptoProfile profile = CryptoProfile::standard);
  /// `io` when it is missing or another process has it, `bad_data` when it is damaged, `not_authorised` when the key-encryption key is
  /// another one.
  [[nodiscard]] static Result<std::shared_ptr<KeyFile>> open(const std::filesystem::path& path,
                                                             const KeyEncryptionKey& key);

  [[nodiscard]] CryptoProfile profile() const { return profile_; }

  /// Stores a secret of 1 to 65,535 bytes under a name of 1 to 255 printable letters; one of that name is replaced.
  [[nodiscard]] Result<void> put(const std::string& name, const SecretBytes& secret);
  [[nodiscard]] std::optional<SecretBytes> get(const std::string& name) const;
  /// What is not there is no error.
  [[nodiscard]] Result<void> remove(const std::string& name) { return remove(std::span(&name, 1)); }
  /// All of them in one step.
  [[nodiscard]] Result<void> remove(std::span<const std::string> names);
  /// Those that begin with the prefix, in order.
  [[nodiscard]] std::vector<std::string> names(std::string_view prefix = {}) const;

  /// Wraps everything by another key.
  [[nodiscard]] Result<void> rewrap(const KeyEncryptionKey& key);

 private:
  using Secrets = std::map<std::string, SecretBytes>;
  /// What wraps the entries: a key, and how a passphrase gave it.
  struct Wrapping {
    SecretBytes key;
    bool is_passphrase = false;
    PassphraseTerms terms;
  };

  KeyFile(std::filesystem::path path, FileDescriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  [[nodiscard]] static Result<Wrapping> make_wrapping(const KeyEncryptionKey& key);
  [[nodiscard]] static Result<std::shared_ptr<KeyFile>> locked(const std::filesystem::path& path);
  [[nodiscard]] Result<void> read(std::string_view bytes, const KeyEncryptionKey& key);
  [[nodiscard]] Result<void> write(const Secrets& secrets, const Wrapping& wrapping) const;

  std::filesystem::path path_;
  FileDescriptor lock_;
  CryptoProfile profile_ = CryptoProfile::standard;
  mutable std::mutex mutex_;
  Wrapping wrapping_;
  Secrets secrets_;
};

}  // namespace gauze::server
