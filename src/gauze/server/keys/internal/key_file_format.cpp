#include "gauze/server/keys/internal/key_file_format.h"

#include <algorithm>

#include "gauze/files/sha256.h"

namespace gauze::server::internal {
namespace {

constexpr std::string_view kMagic = "GZK1";
constexpr std::uint32_t kFormatVersion = 1;
constexpr std::size_t kSaltBytes = 32;
constexpr std::size_t kDigestSize = 32;

void append_number(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255U);
}

std::string digest_of_file(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  const auto digest = hash.finish_bytes();
  return {digest.begin(), digest.end()};
}

/// Takes bytes off the front; once something is missing, everything is.
class KeyFileReader {
 public:
  explicit KeyFileReader(std::string_view rest) : rest_(rest) {}
  std::string_view take(std::size_t size) {
    is_short_ = is_short_ || rest_.size() < size;
    if (is_short_) return {};
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  std::uint64_t take_number(std::size_t size) {
    std::uint64_t value = 0;
    const std::string_view bytes = take(size);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return value;
  }
  [[nodiscard]] bool is_short() const { return is_short_; }
  [[nodiscard]] bool is_end() const { return !is_short_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_short_ = false;
};

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

std::size_t tag_bytes_of(CryptoProfile profile) { return profile == CryptoProfile::sm ? 32 : 16; }

std::string encode_key_file_head(const KeyFileContent& content) {
  std::string out(kMagic);
  append_number(out, kFormatVersion, 4);
  out += static_cast<char>(content.profile);
  out += static_cast<char>(content.is_passphrase ? 1 : 0);
  out += static_cast<char>(content.log2_n);
  out += content.passphrase_salt;
  return out + content.salt;
}

std::string encode_unsealed_key_file(const KeyFileContent& content) {
  std::string out = encode_key_file_head(content) + content.check;
  append_number(out, content.secrets.size(), 4);
  for (const WrappedSecret& secret : content.secrets) {
    append_number(out, secret.name.size(), 1);
    out += secret.name;
    append_number(out, secret.sealed.size(), 4);
    out += secret.sealed;
  }
  return out;
}

std::string encode_key_file(const KeyFileContent& content) {
  const std::string out = encode_unsealed_key_file(content) + content.seal;
  return out + digest_of_file(out);
}

std::optional<KeyFileContent> decode_key_file(std::string_view bytes) {
  if (bytes.size() < kMagic.size() + kDigestSize || !bytes.starts_with(kMagic)) return std::nullopt;
  const std::string_view body = bytes.substr(0, bytes.size() - kDigestSize);
  if (digest_of_file(body) != bytes.substr(body.size())) return std::nullopt;
  KeyFileReader in(body.substr(kMagic.size()));
  KeyFileContent content;
  if (in.take_number(4) != kFormatVersion) return std::nullopt;
  const std::uint64_t profile = in.take_number(1);
  const std::uint64_t kind = in.take_number(1);
  if (in.is_short() || profile < 1 || profile > 2 || kind > 1) return std::nullopt;
  content.profile = static_cast<CryptoProfile>(profile);
  content.is_passphrase = kind == 1;
  content.log2_n = static_cast<std::uint8_t>(in.take_number(1));
  content.passphrase_salt = in.take(kSaltBytes);
  content.salt = in.take(kSaltBytes);
  const std::size_t tag = tag_bytes_of(content.profile);
  content.check = in.take(tag);
  const std::uint64_t count = in.take_number(4);
  for (std::uint64_t i = 0; i < count && !in.is_short(); ++i) {
    WrappedSecret secret;
    secret.name = in.take(in.take_number(1));
    secret.sealed = in.take(in.take_number(4));
    const bool is_in_order = content.secrets.empty() || content.secrets.back().name < secret.name;
    if (!is_name(secret.name) || secret.sealed.size() <= tag || !is_in_order) return std::nullopt;
    content.secrets.push_back(std::move(secret));
  }
  content.seal = in.take(tag);
  if (!in.is_end()) return std::nullopt;
  return content;
}

}  // namespace gauze::server::internal
