#include "gauze/random/internal/counter_cipher.h"

#include <openssl/evp.h>

#include <algorithm>

#include "gauze/base/error.h"

namespace gauze::internal {

CounterCipher::CounterCipher()
    : context_(EVP_CIPHER_CTX_new()), buffer_(std::make_unique<std::array<unsigned char, kBlockBytes>>()) {
  GAUZE_CHECK(context_ != nullptr);
  GAUZE_CHECK(EVP_EncryptInit_ex(context_, EVP_aes_256_ctr(), nullptr, nullptr, nullptr) == 1);
}

CounterCipher::~CounterCipher() {
  OPENSSL_cleanse(buffer_->data(), buffer_->size());
  EVP_CIPHER_CTX_free(context_);  // wipes its key schedule
}

void CounterCipher::rekey(const CipherKey& key) {
  // The counter starts at zero under every key; a key is used for one block only.
  static constexpr std::array<unsigned char, 16> kZeroCounter{};
  GAUZE_CHECK(EVP_EncryptInit_ex(context_, nullptr, nullptr, key.bytes.data(), kZeroCounter.data()) == 1);
}

std::span<std::uint64_t> CounterCipher::next_block() {
  static constexpr std::array<unsigned char, kBlockBytes> kZeros{};
  int written = 0;
  GAUZE_CHECK(
      EVP_EncryptUpdate(context_, buffer_->data(), &written, kZeros.data(), static_cast<int>(kZeros.size())) == 1);
  GAUZE_CHECK(written == static_cast<int>(kZeros.size()));
  CipherKey next_key;
  std::copy_n(buffer_->begin(), next_key.bytes.size(), next_key.bytes.begin());
  OPENSSL_cleanse(buffer_->data(), next_key.bytes.size());
  rekey(next_key);
  auto* words = reinterpret_cast<std::uint64_t*>(buffer_->data());
  return {words + next_key.bytes.size() / 8, (kBlockBytes - next_key.bytes.size()) / 8};
}

}  // namespace gauze::internal
