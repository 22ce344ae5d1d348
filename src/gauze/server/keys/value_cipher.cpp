#include "gauze/server/keys/value_cipher.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <array>
#include <cstring>
#include <mutex>
#include <vector>

namespace gauze::server {
namespace {

constexpr std::size_t kGcmTagBytes = 16;
constexpr std::size_t kMacBytes = 32;

const char* digest_name(CryptoProfile profile) { return profile == CryptoProfile::sm ? "SM3" : "SHA256"; }
const char* cipher_name(CryptoProfile profile) { return profile == CryptoProfile::sm ? "SM4-CTR" : "AES-256-GCM"; }

OSSL_PARAM octets(const char* key, std::string_view bytes) {
  return OSSL_PARAM_construct_octet_string(key, const_cast<char*>(bytes.data()), bytes.size());
}

OSSL_PARAM digest_parameter(const char* key, CryptoProfile profile) {
  return OSSL_PARAM_construct_utf8_string(key, const_cast<char*>(digest_name(profile)), 0);
}

int size_of(std::size_t bytes) { return static_cast<int>(bytes); }
unsigned char* place_of(std::string& text, std::size_t at) {
  return reinterpret_cast<unsigned char*>(text.data()) + at;
}
const unsigned char* place_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

using MacContext = std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

MacContext start_mac(CryptoProfile profile, std::string_view key) {
  static EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  GAUZE_CHECK(hmac != nullptr);
  MacContext context(EVP_MAC_CTX_new(hmac), &EVP_MAC_CTX_free);
  const OSSL_PARAM parameters[] = {digest_parameter(OSSL_MAC_PARAM_DIGEST, profile), OSSL_PARAM_construct_end()};
  GAUZE_CHECK(context != nullptr && EVP_MAC_init(context.get(), place_of(key), key.size(), parameters) == 1);
  return context;
}

void add_to_mac(EVP_MAC_CTX* context, std::string_view bytes) {
  GAUZE_CHECK(EVP_MAC_update(context, place_of(bytes), bytes.size()) == 1);
}

std::array<unsigned char, kMacBytes> finish_mac(EVP_MAC_CTX* context) {
  std::array<unsigned char, kMacBytes> mac{};
  std::size_t size = 0;
  GAUZE_CHECK(EVP_MAC_final(context, mac.data(), &size, mac.size()) == 1 && size == mac.size());
  return mac;
}

std::string number_bytes(std::uint64_t number) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(number >> (8 * i) & 255U);
  return bytes;
}

}  // namespace

Result<void> check_ciphers(CryptoProfile profile) {
  EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, cipher_name(profile), nullptr);
  EVP_MD* digest = EVP_MD_fetch(nullptr, digest_name(profile), nullptr);
  const bool has_both = cipher != nullptr && digest != nullptr;
  EVP_CIPHER_free(cipher);
  EVP_MD_free(digest);
  if (has_both) return {};
  return make_error(ErrorCode::unsupported, "OpenSSL has no {} or no {} here, which the profile '{}' needs",
                    cipher_name(profile), digest_name(profile), word_of(kCryptoProfileWords, profile));
}

SecretBytes derive_key(CryptoProfile profile, const SecretBytes& secret, std::string_view salt, std::string_view info,
                       std::size_t bytes) {
  EVP_KDF* hkdf = EVP_KDF_fetch(nullptr, "HKDF", nullptr);
  GAUZE_CHECK(hkdf != nullptr);
  EVP_KDF_CTX* context = EVP_KDF_CTX_new(hkdf);
  EVP_KDF_free(hkdf);
  const OSSL_PARAM parameters[] = {digest_parameter(OSSL_KDF_PARAM_DIGEST, profile),
                                   octets(OSSL_KDF_PARAM_KEY, secret.text()), octets(OSSL_KDF_PARAM_SALT, salt),
                                   octets(OSSL_KDF_PARAM_INFO, info), OSSL_PARAM_construct_end()};
  SecretBytes key(bytes);
  GAUZE_CHECK(context != nullptr && EVP_KDF_derive(context, key.writable().data(), bytes, parameters) == 1);
  EVP_KDF_CTX_free(context);
  return key;
}

std::string keyed_digest(CryptoProfile profile, const SecretBytes& key, std::string_view message) {
  const MacContext context = start_mac(profile, key.text());
  add_to_mac(context.get(), message);
  const auto mac = finish_mac(context.get());
  return {mac.begin(), mac.end()};
}

/// Contexts that hold the schedule of the key, so that a message does not pay for it. As many as were ever used at once.
struct ValueCipher::Contexts {
  CryptoProfile profile;
  SecretBytes cipher_key;
  SecretBytes mac_key;
  std::mutex mutex;
  std::vector<CipherContext> idle;

  Contexts(CryptoProfile of, const SecretBytes& secret, std::string_view salt, std::string_view info) : profile(of) {
    const std::size_t cipher_bytes = of == CryptoProfile::sm ? 16 : 32;
    const SecretBytes both = derive_key(of, secret, salt, info, cipher_bytes + (of == CryptoProfile::sm ? 32 : 0));
    cipher_key = SecretBytes::copy_of(both.bytes().first(cipher_bytes));
    mac_key = SecretBytes::copy_of(both.bytes().subspan(cipher_bytes));
  }

  CipherContext take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        CipherContext context = std::move(idle.back());
        idle.pop_back();
        return context;
      }
    }
    EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, cipher_name(profile), nullptr);
    CipherContext context(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
    GAUZE_CHECK(cipher != nullptr && context != nullptr &&
                EVP_CipherInit_ex2(context.get(), cipher, cipher_key.bytes().data(), nullptr, 1, nullptr) == 1);
    EVP_CIPHER_free(cipher);
    return context;
  }

  void put_back(CipherContext context) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(context));
  }

  [[nodiscard]] std::array<unsigned char, kMacBytes> mac_of(std::uint64_t number, std::string_view bound,
                                                            std::string_view text) const {
    const MacContext context = start_mac(profile, mac_key.text());
    add_to_mac(context.get(), number_bytes(number));
    add_to_mac(context.get(), number_bytes(bound.size()));
    add_to_mac(context.get(), bound);
    add_to_mac(context.get(), text);
    return finish_mac(context.get());
  }
};

namespace {

/// The number in a nonce of its own length: 12 bytes for GCM, a counter block of 16 whose other half counts blocks for CTR.
std::array<unsigned char, 16> nonce_of(CryptoProfile profile, std::uint64_t number) {
  std::array<unsigned char, 16> nonce{};
  const std::size_t at = profile == CryptoProfile::sm ? 0 : 4;
  for (std::size_t i = 0; i < 8; ++i) nonce[at + i] = static_cast<unsigned char>(number >> (8 * i) & 255U);
  return nonce;
}

void begin_message(EVP_CIPHER_CTX* context, CryptoProfile profile, std::uint64_t number, bool seals) {
  const auto nonce = nonce_of(profile, number);
  GAUZE_CHECK(EVP_CipherInit_ex2(context, nullptr, nullptr, nonce.data(), seals ? 1 : 0, nullptr) == 1);
}

/// Adds what the message is bound to (no output), or turns the text itself.
void turn(EVP_CIPHER_CTX* context, unsigned char* out, std::string_view text) {
  int size = 0;
  if (text.empty()) return;
  GAUZE_CHECK(EVP_CipherUpdate(context, out, &size, place_of(text), size_of(text.size())) == 1 &&
              size == size_of(text.size()));
}

}  // namespace

ValueCipher::ValueCipher(CryptoProfile profile, const SecretBytes& secret, std::string_view salt,
                         std::string_view info)
    : contexts_(std::make_unique<Contexts>(profile, secret, salt, info)) {}
ValueCipher::ValueCipher(ValueCipher&&) noexcept = default;
ValueCipher::~ValueCipher() = default;

std::size_t ValueCipher::tag_bytes() const {
  return contexts_->profile == CryptoProfile::sm ? kMacBytes : kGcmTagBytes;
}

std::string ValueCipher::seal(std::uint64_t number, std::string_view bound, std::string_view message) const {
  std::string sealed(message.size() + tag_bytes(), '\0');
  CipherContext context = contexts_->take();
  begin_message(context.get(), contexts_->profile, number, true);
  const bool is_sm = contexts_->profile == CryptoProfile::sm;
  if (!is_sm) turn(context.get(), nullptr, bound);
  turn(context.get(), place_of(sealed, 0), message);
  if (is_sm) {
    const auto mac = contexts_->mac_of(number, bound, std::string_view(sealed).substr(0, message.size()));
    std::memcpy(sealed.data() + message.size(), mac.data(), mac.size());
  } else {
    int size = 0;
    GAUZE_CHECK(EVP_CipherFinal_ex(context.get(), place_of(sealed, message.size()), &size) == 1 && size == 0 &&
                EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, size_of(kGcmTagBytes),
                                    place_of(sealed, message.size())) == 1);
  }
  contexts_->put_back(std::move(context));
  return sealed;
}

bool ValueCipher::open_into(std::uint64_t number, std::string_view bound, std::string_view sealed,
                            std::span<unsigned char> message) const {
  if (sealed.size() != message.size() + tag_bytes()) return false;
  const std::string_view text = sealed.substr(0, message.size());
  std::string tag(sealed.substr(message.size()));
  const bool is_sm = contexts_->profile == CryptoProfile::sm;
  if (is_sm && CRYPTO_memcmp(contexts_->mac_of(number, bound, text).data(), tag.data(), tag.size()) != 0)
    return false;
  CipherContext context = contexts_->take();
  begin_message(context.get(), contexts_->profile, number, false);
  if (!is_sm) turn(context.get(), nullptr, bound);
  turn(context.get(), message.data(), text);
  bool is_good = true;
  if (!is_sm) {
    unsigned char rest[16];
    int size = 0;
    is_good = EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, size_of(tag.size()), tag.data()) == 1 &&
              EVP_CipherFinal_ex(context.get(), rest, &size) == 1;
  }
  contexts_->put_back(std::move(context));
  if (!is_good && !message.empty()) OPENSSL_cleanse(message.data(), message.size());
  return is_good;
}

std::optional<std::string> ValueCipher::open(std::uint64_t number, std::string_view bound,
                                             std::string_view sealed) const {
  if (sealed.size() < tag_bytes()) return std::nullopt;
  std::string message(sealed.size() - tag_bytes(), '\0');
  if (!open_into(number, bound, sealed, {place_of(message, 0), message.size()})) return std::nullopt;
  return message;
}

}  // namespace gauze::server
