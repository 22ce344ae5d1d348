#include "gauze/label/commitment.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <fstream>

#include "gauze/base/kernel_random.h"
#include "gauze/files/sha256.h"

namespace gauze {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

Result<CommitmentKey> CommitmentKey::generate() {
  CommitmentKey key;
  fill_from_kernel(key.bytes_);
  return key;
}

Result<CommitmentKey> CommitmentKey::from_hex(std::string_view digits) {
  if (!is_digest(digits)) {
    // The digits are secret, so the message does not show them.
    return invalid_parameter("a commitment key must be 64 lower-case hexadecimal digits");
  }
  CommitmentKey key;
  for (std::size_t i = 0; i < key.bytes_.size(); ++i) {
    key.bytes_[i] = static_cast<unsigned char>(16 * hex_value(digits[2 * i]) + hex_value(digits[2 * i + 1]));
  }
  return key;
}

CommitmentKey::CommitmentKey(CommitmentKey&& other) noexcept : bytes_(other.bytes_) {
  OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
}

CommitmentKey& CommitmentKey::operator=(CommitmentKey&& other) noexcept {
  if (this != &other) {
    bytes_ = other.bytes_;
    OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
  }
  return *this;
}

CommitmentKey::~CommitmentKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

std::string CommitmentKey::hex() const {
  return to_hex({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
}

Commitment::Commitment(const CommitmentKey& key, std::string_view purpose) {
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  GAUZE_CHECK(mac != nullptr);
  context_ = EVP_MAC_CTX_new(mac);
  EVP_MAC_free(mac);
  GAUZE_CHECK(context_ != nullptr);
  std::string digest = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
                                   OSSL_PARAM_construct_end()};
  GAUZE_CHECK(EVP_MAC_init(context_, key.bytes_.data(), key.bytes_.size(), parameters) == 1);
  // A zero byte ends the purpose, so that no purpose and bytes run together into another pair.
  GAUZE_CHECK(purpose.find('\0') == std::string_view::npos);
  add("gauze-commitment-1 ");
  add(purpose);
  add(std::string_view("\0", 1));
}

Commitment::~Commitment() { EVP_MAC_CTX_free(context_); }

void Commitment::add(std::string_view piece) {
  GAUZE_CHECK(EVP_MAC_update(context_, reinterpret_cast<const unsigned char*>(piece.data()), piece.size()) == 1);
}

Result<void> Commitment::add_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string piece(1U << 20, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    add(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  if (!file.eof()) return make_error(ErrorCode::io, "cannot read {}", path.string());
  return {};
}

std::string Commitment::finish() {
  std::string value(32, '\0');
  std::size_t size = 0;
  GAUZE_CHECK(EVP_MAC_final(context_, reinterpret_cast<unsigned char*>(value.data()), &size, value.size()) == 1);
  return to_hex(value);
}

bool Commitment::verify(std::string_view commitment) {
  const std::string mine = finish();
  return mine.size() == commitment.size() && CRYPTO_memcmp(mine.data(), commitment.data(), mine.size()) == 0;
}

}  // namespace gauze
