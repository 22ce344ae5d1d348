#include "gauze/collect/channel/sealing_key.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "gauze/collect/channel/internal/key_agreement.h"
#include "gauze/files/base64.h"
#include "gauze/files/sha256.h"

namespace gauze::collect {
namespace {

KeyId id_of(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  const auto whole = digest.finish_bytes();
  KeyId id{};
  std::copy_n(whole.begin(), id.size(), id.begin());
  return id;
}

}  // namespace

void wipe(std::span<unsigned char> bytes) { OPENSSL_cleanse(bytes.data(), bytes.size()); }

SealingPublicKey::SealingPublicKey(Suite suite, std::string bytes, std::shared_ptr<evp_pkey_st> parsed)
    : suite_(suite), bytes_(std::move(bytes)), id_(id_of(bytes_)), parsed_(std::move(parsed)) {}

Result<SealingPublicKey> SealingPublicKey::from_bytes(Suite suite, std::string_view bytes) {
  auto parsed = internal::public_key_of(suite, bytes);
  if (parsed == nullptr)
    return invalid_parameter("the public key is none of suite {}: {} bytes of a point on its curve", number_of(suite),
                             internal::public_key_bytes(suite));
  return SealingPublicKey(suite, std::string(bytes), {parsed.release(), EVP_PKEY_free});
}

Result<SealingPublicKey> SealingPublicKey::from_base64url(Suite suite, std::string_view text) {
  const auto bytes = gauze::from_base64url(text);
  if (!bytes) return invalid_parameter("the public key is not base64url");
  return from_bytes(suite, *bytes);
}

std::string SealingPublicKey::base64url() const { return to_base64url(bytes_); }

std::string SealingPublicKey::id_hex() const {
  return to_hex({reinterpret_cast<const char*>(id_.data()), id_.size()});
}

SealingKey::SealingKey(SealingPublicKey public_key, const PrivateBytes& bytes, Pair pair)
    : public_key_(std::move(public_key)),
      private_bytes_(std::make_unique<const PrivateBytes>(bytes)),
      pair_(std::move(pair)) {}

SealingKey SealingKey::generate(Suite suite) {
  for (;;) {
    const internal::KeyPair drawn = internal::new_key_pair(suite);
    if (auto key = from_private_bytes(suite, drawn.private_bytes)) return std::move(*key);
  }
}

Result<SealingKey> SealingKey::from_private_bytes(Suite suite, const PrivateBytes& bytes) {
  auto pair = internal::key_pair_of(suite, bytes);
  if (!pair)
    return make_error(ErrorCode::bad_data,
                      "the private key is none of suite {}: zero, or not below the curve's order", number_of(suite));
  GAUZE_TRY(SealingPublicKey public_key, SealingPublicKey::from_bytes(suite, pair->public_bytes));
  return SealingKey(std::move(public_key), pair->private_bytes, Pair(pair->parsed.release(), EVP_PKEY_free));
}

}  // namespace gauze::collect
