#include "gauze/server/keys/key_encryption_key.h"

#include <fcntl.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "gauze/files/file_descriptor.h"
#include "gauze/server/keys/internal/durable_file.h"

namespace gauze::server {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kLeastPassphraseBytes = 12;
constexpr std::size_t kMostPassphraseBytes = 1'025;  // with an end of line

int hex_digit(unsigned char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// 32 bytes, or 64 digits and perhaps an end of line.
std::optional<SecretBytes> read_key(std::span<const unsigned char> bytes) {
  if (bytes.size() == kKeyBytes) return SecretBytes::copy_of(bytes);
  if (!bytes.empty() && bytes.back() == '\n') bytes = bytes.first(bytes.size() - 1);
  if (bytes.size() != 2 * kKeyBytes) return std::nullopt;
  SecretBytes key(kKeyBytes);
  for (std::size_t i = 0; i < kKeyBytes; ++i) {
    const int high = hex_digit(bytes[2 * i]);
    const int low = hex_digit(bytes[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    key.writable()[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return key;
}

/// A file that nobody but its owner may use; `others` are the permissions that others may not have.
Result<FileDescriptor> open_private(const std::filesystem::path& path, mode_t others = 077) {
  GAUZE_TRY(FileDescriptor file, open_for_reading(path));
  struct stat found {};
  if (::fstat(file.number(), &found) != 0) return internal::cannot("read", fmt::format("'{}'", path.string()), errno);
  if ((found.st_mode & others) != 0)
    return make_error(ErrorCode::not_authorised, "'{}' holds a key, but others than its owner may use it: chmod 600",
                      path.string());
  return file;
}

/// Reads until the end, or until the room is full; the bytes are in no other memory.
Result<std::size_t> read_into(int descriptor, SecretBytes& room, const std::string& name) {
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = ::read(descriptor, room.writable().data() + size, room.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return internal::cannot("read", name, errno);
    size += static_cast<std::size_t>(got);
    if (got == 0 || size == room.size()) return size;
  }
}

Result<SecretBytes> key_of(int descriptor, const std::string& name) {
  SecretBytes room(4 * kKeyBytes);
  GAUZE_TRY(const std::size_t size, read_into(descriptor, room, name));
  auto key = read_key(room.bytes().first(size));
  if (!key)
    return make_error(ErrorCode::bad_data, "{}: a key-encryption key is 32 bytes or 64 hexadecimal digits", name);
  return *std::move(key);
}

}  // namespace

Result<void> KeyEncryptionKey::create_file(const std::filesystem::path& path) {
  const std::string name = fmt::format("'{}'", path.string());
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.number() < 0) return internal::cannot("write", name, errno);
  const SecretBytes key = SecretBytes::random(kKeyBytes);
  SecretBytes digits(2 * kKeyBytes + 1);
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (std::size_t i = 0; i < kKeyBytes; ++i) {
    digits.writable()[2 * i] = static_cast<unsigned char>(kDigits[key.bytes()[i] >> 4U]);
    digits.writable()[2 * i + 1] = static_cast<unsigned char>(kDigits[key.bytes()[i] & 15U]);
  }
  digits.writable()[2 * kKeyBytes] = '\n';
  GAUZE_TRY_VOID(write_all(file, digits.text(), name));
  if (::fsync(file.number()) != 0) return internal::cannot("write", name, errno);
  return internal::sync_folder_of(path);
}

Result<KeyEncryptionKey> KeyEncryptionKey::from_file(const std::filesystem::path& path) {
  GAUZE_TRY(const FileDescriptor file, open_private(path));
  GAUZE_TRY(SecretBytes key, key_of(file.number(), fmt::format("'{}'", path.string())));
  return KeyEncryptionKey(std::move(key), false);
}

Result<KeyEncryptionKey> KeyEncryptionKey::from_passphrase_file(const std::filesystem::path& path) {
  GAUZE_TRY(const FileDescriptor file, open_private(path));
  SecretBytes room(kMostPassphraseBytes + 1);
  GAUZE_TRY(std::size_t size, read_into(file.number(), room, fmt::format("'{}'", path.string())));
  if (size > 0 && room.text()[size - 1] == '\n') --size;
  if (size > kMostPassphraseBytes - 1)
    return make_error(ErrorCode::bad_data, "'{}' is longer than a passphrase may be: {} bytes", path.string(),
                      kMostPassphraseBytes - 1);
  return from_passphrase(SecretBytes::copy_of(room.text().substr(0, size)));
}

Result<KeyEncryptionKey> KeyEncryptionKey::from_descriptor(int descriptor) {
  GAUZE_TRY(SecretBytes key, key_of(descriptor, fmt::format("descriptor {}", descriptor)));
  return KeyEncryptionKey(std::move(key), false);
}

Result<KeyEncryptionKey> KeyEncryptionKey::from_credential(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..")
    return invalid_parameter("a credential is named by a file name without folders");
  const char* folder = std::getenv("CREDENTIALS_DIRECTORY");
  if (folder == nullptr || *folder == '\0')
    return make_error(ErrorCode::io, "there are no credentials: systemd has not set CREDENTIALS_DIRECTORY");
  // Where the file system knows access lists, systemd gives its user the file by one, whose mask stands where a group's permissions do.
  constexpr mode_t kGroupMayRead = 040;
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  GAUZE_TRY(const FileDescriptor file, open_private(path, 077 & ~kGroupMayRead));
  GAUZE_TRY(SecretBytes key, key_of(file.number(), fmt::format("'{}'", path.string())));
  return KeyEncryptionKey(std::move(key), false);
}

Result<KeyEncryptionKey> KeyEncryptionKey::from_passphrase(SecretBytes passphrase) {
  if (passphrase.size() < kLeastPassphraseBytes)
    return invalid_parameter("a passphrase has at least {} bytes", kLeastPassphraseBytes);
  return KeyEncryptionKey(std::move(passphrase), true);
}

Result<SecretBytes> KeyEncryptionKey::key(const PassphraseTerms& terms) const {
  if (!is_passphrase_) return secret_.clone();
  // Above 2^20 a damaged file would ask for more than a gigabyte.
  if (terms.log2_n < 10 || terms.log2_n > 20 || terms.salt.size() != 32)
    return make_error(ErrorCode::bad_data, "the terms of a passphrase are damaged");
  std::uint64_t n = std::uint64_t{1} << terms.log2_n;
  std::uint32_t r = 8;
  std::uint32_t p = 1;
  std::uint64_t memory = 256 * r * n;
  EVP_KDF* scrypt = EVP_KDF_fetch(nullptr, "SCRYPT", nullptr);
  GAUZE_CHECK(scrypt != nullptr);
  EVP_KDF_CTX* context = EVP_KDF_CTX_new(scrypt);
  EVP_KDF_free(scrypt);
  GAUZE_CHECK(context != nullptr);
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, const_cast<unsigned char*>(secret_.bytes().data()),
                                        secret_.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, const_cast<char*>(terms.salt.data()), terms.salt.size()),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_N, &n),
      OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_R, &r),
      OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_P, &p),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_MAXMEM, &memory),
      OSSL_PARAM_construct_end()};
  SecretBytes key(kKeyBytes);
  const bool is_made = EVP_KDF_derive(context, key.writable().data(), key.size(), parameters) == 1;
  EVP_KDF_CTX_free(context);
  if (!is_made) return make_error(ErrorCode::io, "no memory to turn the passphrase into a key");
  return key;
}

}  // namespace gauze::server
