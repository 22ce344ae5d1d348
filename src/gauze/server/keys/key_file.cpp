#include "gauze/server/keys/key_file.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "gauze/base/kernel_random.h"
#include "gauze/files/atomic_file.h"
#include "gauze/server/keys/internal/durable_file.h"
#include "gauze/server/keys/internal/key_file_format.h"

namespace gauze::server {
namespace {

constexpr std::string_view kWrapInfo = "gauze-key-file-1";
constexpr std::size_t kMostKeyFileBytes = std::size_t{64} << 20U;
constexpr std::size_t kMostSecretBytes = 65'535;
/// Numbers of messages: secrets begin behind those of the file itself.
constexpr std::uint64_t kCheckNumber = 0;
constexpr std::uint64_t kSealNumber = 1;
constexpr std::uint64_t kFirstSecretNumber = 2;

std::string fresh_salt() {
  std::string salt(32, '\0');
  fill_from_kernel({reinterpret_cast<unsigned char*>(salt.data()), salt.size()});
  return salt;
}

tl::unexpected<Error> damaged_key_file(const std::filesystem::path& path) {
  return make_error(ErrorCode::bad_data, "'{}' is no key file, or a damaged one: restore a copy of it",
                    path.string());
}

bool is_name_of_secret(std::string_view name) {
  return !name.empty() && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

Result<KeyFile::Wrapping> KeyFile::make_wrapping(const KeyEncryptionKey& key) {
  Wrapping wrapping{.key = {}, .is_passphrase = key.is_passphrase(), .terms = {}};
  wrapping.terms.salt = fresh_salt();
  GAUZE_TRY(wrapping.key, key.key(wrapping.terms));
  return wrapping;
}

Result<std::shared_ptr<KeyFile>> KeyFile::locked(const std::filesystem::path& path) {
  const std::string name = path.string() + ".lock";
  FileDescriptor lock(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.number() < 0) return internal::cannot("lock", fmt::format("'{}'", path.string()), errno);
  if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
    return make_error(ErrorCode::io, "another process uses the key file '{}'", path.string());
  return std::shared_ptr<KeyFile>(new KeyFile(path, std::move(lock)));
}

Result<std::shared_ptr<KeyFile>> KeyFile::create(const std::filesystem::path& path, const KeyEncryptionKey& key,
                                                 CryptoProfile profile) {
  GAUZE_TRY_VOID(check_ciphers(profile));
  GAUZE_TRY(auto file, locked(path));
  if (std::filesystem::exists(path))
    return make_error(ErrorCode::io, "'{}' is there already: a key file is not replaced", path.string());
  file->profile_ = profile;
  GAUZE_TRY(file->wrapping_, make_wrapping(key));
  GAUZE_TRY_VOID(file->write({}, file->wrapping_));
  return file;
}

Result<std::shared_ptr<KeyFile>> KeyFile::open(const std::filesystem::path& path, const KeyEncryptionKey& key) {
  if (!std::filesystem::exists(path))
    return make_error(ErrorCode::io, "the key file '{}' is missing: without it nothing that is stored can be read",
                      path.string());
  GAUZE_TRY(auto file, locked(path));
  GAUZE_TRY(const std::string bytes, read_file(path, kMostKeyFileBytes));
  GAUZE_TRY_VOID(file->read(bytes, key));
  return file;
}

Result<void> KeyFile::read(std::string_view bytes, const KeyEncryptionKey& key) {
  const auto content = internal::decode_key_file(bytes);
  if (!content) return damaged_key_file(path_);
  GAUZE_TRY_VOID(check_ciphers(content->profile));
  const auto other_key = [&] {
    return make_error(ErrorCode::not_authorised, "'{}' is kept under another key-encryption key", path_.string());
  };
  if (content->is_passphrase != key.is_passphrase()) return other_key();
  profile_ = content->profile;
  wrapping_ = {.key = {},
               .is_passphrase = content->is_passphrase,
               .terms = {.log2_n = content->log2_n, .salt = content->passphrase_salt}};
  GAUZE_TRY(wrapping_.key, key.key(wrapping_.terms));
  const ValueCipher cipher(profile_, wrapping_.key, content->salt, kWrapInfo);
  if (!cipher.open(kCheckNumber, internal::encode_key_file_head(*content), content->check)) return other_key();
  if (!cipher.open(kSealNumber, internal::encode_unsealed_key_file(*content), content->seal))
    return damaged_key_file(path_);
  std::uint64_t number = kFirstSecretNumber;
  for (const internal::WrappedSecret& wrapped : content->secrets) {
    SecretBytes secret(wrapped.sealed.size() - cipher.tag_bytes());
    if (!cipher.open_into(number++, wrapped.name, wrapped.sealed, secret.writable())) return damaged_key_file(path_);
    secrets_.emplace(wrapped.name, std::move(secret));
  }
  return {};
}

Result<void> KeyFile::write(const Secrets& secrets, const Wrapping& wrapping) const {
  internal::KeyFileContent content;
  content.profile = profile_;
  content.is_passphrase = wrapping.is_passphrase;
  content.log2_n = wrapping.is_passphrase ? wrapping.terms.log2_n : std::uint8_t{0};
  content.passphrase_salt = wrapping.is_passphrase ? wrapping.terms.salt : std::string(32, '\0');
  // A salt of its own for each writing: numbers begin anew.
  content.salt = fresh_salt();
  const ValueCipher cipher(profile_, wrapping.key, content.salt, kWrapInfo);
  content.check = cipher.seal(kCheckNumber, internal::encode_key_file_head(content), {});
  std::uint64_t number = kFirstSecretNumber;
  for (const auto& [name, secret] : secrets)
    content.secrets.push_back({.name = name, .sealed = cipher.seal(number++, name, secret.text())});
  content.seal = cipher.seal(kSealNumber, internal::encode_unsealed_key_file(content), {});
  auto written = internal::replace_file(path_, internal::encode_key_file(content));
  // Devices cause writings too: what they are told does not name files of the server.
  if (!written)
    return make_error(written.error().code,
                      "the key file cannot be written: is its disk full, or can it only be read?");
  return {};
}

Result<void> KeyFile::put(const std::string& name, const SecretBytes& secret) {
  if (!is_name_of_secret(name) || secret.is_empty() || secret.size() > kMostSecretBytes)
    return invalid_parameter("a secret of a key file has 1 to {} bytes and a name of 1 to 255 letters",
                             kMostSecretBytes);
  const std::lock_guard lock(mutex_);
  const auto place = secrets_.find(name);
  SecretBytes before;
  if (place != secrets_.end()) before = std::exchange(place->second, secret.clone());
  if (place == secrets_.end()) secrets_.emplace(name, secret.clone());
  auto written = write(secrets_, wrapping_);
  if (written) return {};
  if (before.is_empty())
    secrets_.erase(name);
  else
    secrets_[name] = std::move(before);
  return written;
}

std::optional<SecretBytes> KeyFile::get(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto place = secrets_.find(name);
  if (place == secrets_.end()) return std::nullopt;
  return place->second.clone();
}

Result<void> KeyFile::remove(std::span<const std::string> names) {
  const std::lock_guard lock(mutex_);
  Secrets removed;
  for (const std::string& name : names)
    if (auto node = secrets_.extract(name)) removed.insert(std::move(node));
  if (removed.empty()) return {};
  auto written = write(secrets_, wrapping_);
  if (!written) secrets_.merge(removed);
  return written;
}

std::vector<std::string> KeyFile::names(std::string_view prefix) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> found;
  for (const auto& [name, secret] : secrets_)
    if (name.starts_with(prefix)) found.push_back(name);
  return found;
}

Result<void> KeyFile::rewrap(const KeyEncryptionKey& key) {
  GAUZE_TRY(Wrapping wrapping, make_wrapping(key));
  const std::lock_guard lock(mutex_);
  GAUZE_TRY_VOID(write(secrets_, wrapping));
  wrapping_ = std::move(wrapping);
  return {};
}

}  // namespace gauze::server
