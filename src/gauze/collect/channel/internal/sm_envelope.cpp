#include "gauze/collect/channel/internal/sm_envelope.h"

#include <openssl/crypto.h>

#include <array>

#include "gauze/base/kernel_random.h"
#include "gauze/collect/channel/internal/mac.h"

namespace gauze::collect::internal {
namespace {

constexpr std::string_view kInfo = "gauze-sm-1";

/// SM4 key, counter block, MAC key.
class EnvelopeKeys {
 public:
  EnvelopeKeys(const Secret& secret, std::string_view header, std::string_view enc) {
    const Secret key = hmac(Digest::sm3, {}, {secret.text()});
    hkdf_expand(Digest::sm3, key, {kInfo, header, enc}, keys_.bytes());
  }
  [[nodiscard]] std::span<const unsigned char, 16> cipher_key() const { return keys_.bytes().subspan<0, 16>(); }
  [[nodiscard]] std::span<const unsigned char, 16> counter() const { return keys_.bytes().subspan<16, 16>(); }
  [[nodiscard]] std::string_view mac_key() const { return keys_.text().substr(32); }

 private:
  WipedBytes<64> keys_;
};

Owned<EVP_PKEY_CTX> context_of(EVP_PKEY* key) {
  Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  GAUZE_CHECK(context != nullptr);
  return context;
}

}  // namespace

std::optional<Encapsulated> sm_encapsulate(EVP_PKEY* receiver) {
  const QuietErrors quiet;
  Encapsulated made;
  fill_from_kernel(made.secret.bytes());
  const auto context = context_of(receiver);
  std::size_t size = kMostSmEncBytes;
  made.enc.resize(size);
  if (EVP_PKEY_encrypt_init(context.get()) != 1 ||
      EVP_PKEY_encrypt(context.get(), bytes_of(made.enc), &size, made.secret.bytes().data(),
                       made.secret.bytes().size()) != 1)
    return std::nullopt;
  made.enc.resize(size);
  return made;
}

std::optional<Secret> sm_decapsulate(EVP_PKEY* own, std::string_view enc) {
  const QuietErrors quiet;
  const auto context = context_of(own);
  // Whatever length the ciphertext claims for its text, there is room for it.
  WipedBytes<kMostSmEncBytes> text;
  std::size_t size = kMostSmEncBytes;
  if (enc.size() > kMostSmEncBytes || EVP_PKEY_decrypt_init(context.get()) != 1 ||
      EVP_PKEY_decrypt(context.get(), text.bytes().data(), &size, bytes_of(enc), enc.size()) != 1 || size != 32)
    return std::nullopt;
  return Secret(std::as_const(text).bytes().subspan<0, 32>());
}

std::string sm4_ctr(std::span<const unsigned char, 16> key, std::span<const unsigned char, 16> counter,
                    std::string_view text) {
  static const EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, "SM4-CTR", nullptr);
  GAUZE_CHECK(cipher != nullptr);
  const Owned<EVP_CIPHER_CTX> context(EVP_CIPHER_CTX_new());
  GAUZE_CHECK(context != nullptr);
  std::string out(text.size(), '\0');
  int size = 0;
  must(EVP_EncryptInit_ex2(context.get(), cipher, key.data(), counter.data(), nullptr));
  if (!text.empty())
    must(EVP_EncryptUpdate(context.get(), bytes_of(out), &size, bytes_of(text), static_cast<int>(text.size())));
  return out;
}

std::string sm_seal(const Secret& secret, std::string_view header, std::string_view enc, std::string_view text) {
  const EnvelopeKeys keys(secret, header, enc);
  std::string sealed = sm4_ctr(keys.cipher_key(), keys.counter(), text);
  const Secret code = hmac(Digest::sm3, keys.mac_key(), {header, enc, sealed});
  return sealed.append(code.text());
}

std::optional<std::string> sm_open(const Secret& secret, std::string_view header, std::string_view enc,
                                   std::string_view sealed) {
  if (sealed.size() < kSmTagBytes) return std::nullopt;
  const EnvelopeKeys keys(secret, header, enc);
  const std::string_view ciphertext = sealed.substr(0, sealed.size() - kSmTagBytes);
  const Secret code = hmac(Digest::sm3, keys.mac_key(), {header, enc, ciphertext});
  if (CRYPTO_memcmp(code.text().data(), sealed.data() + ciphertext.size(), kSmTagBytes) != 0) return std::nullopt;
  return sm4_ctr(keys.cipher_key(), keys.counter(), ciphertext);
}

}  // namespace gauze::collect::internal
