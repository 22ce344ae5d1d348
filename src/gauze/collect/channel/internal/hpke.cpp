#include "gauze/collect/channel/internal/hpke.h"

#include "gauze/collect/channel/internal/mac.h"

namespace gauze::collect::internal {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kVersion = "HPKE-v1";
constexpr std::size_t kNonceBytes = 12;

std::string_view kem_id(Suite suite) { return suite == Suite::p256 ? "KEM\x00\x10"sv : "KEM\x00\x20"sv; }
std::string_view suite_id(Suite suite) {
  return suite == Suite::p256 ? "HPKE\x00\x10\x00\x01\x00\x02"sv : "HPKE\x00\x20\x00\x01\x00\x02"sv;
}

Secret extract(std::string_view salt, std::string_view id, std::string_view label, std::string_view material) {
  return hmac(Digest::sha256, salt, {kVersion, id, label, material});
}

void expand(const Secret& key, std::string_view id, std::string_view label,
            std::initializer_list<std::string_view> info, std::span<unsigned char> out) {
  const char length[2] = {0, static_cast<char>(out.size())};
  const std::string_view first = info.begin()[0];
  const std::string_view second = info.size() > 1 ? info.begin()[1] : std::string_view();
  hkdf_expand(Digest::sha256, key, {{length, 2}, kVersion, id, label, first, second}, out);
}

Secret kem_secret(Suite suite, const Secret& agreed, std::string_view enc, std::string_view receiver) {
  const Secret key = extract({}, kem_id(suite), "eae_prk", agreed.text());
  Secret secret;
  expand(key, kem_id(suite), "shared_secret", {enc, receiver}, secret.bytes());
  return secret;
}

struct MessageKeys {
  Secret key;
  WipedBytes<kNonceBytes> nonce;
};

MessageKeys message_keys(Suite suite, const Secret& secret, std::string_view schedule) {
  const Secret main = extract(secret.text(), suite_id(suite), "secret", {});
  MessageKeys keys;
  expand(main, suite_id(suite), "key", {schedule}, keys.key.bytes());
  expand(main, suite_id(suite), "base_nonce", {schedule}, keys.nonce.bytes());
  return keys;
}

const EVP_CIPHER* aes_gcm() {
  static const EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  GAUZE_CHECK(cipher != nullptr);
  return cipher;
}

/// AES-256-GCM one way or the other, as far as before the tag.
Owned<EVP_CIPHER_CTX> run_gcm(bool seals, const MessageKeys& keys, std::string_view aad, std::string_view in,
                              unsigned char* out) {
  Owned<EVP_CIPHER_CTX> context(EVP_CIPHER_CTX_new());
  GAUZE_CHECK(context != nullptr);
  must(EVP_CipherInit_ex2(context.get(), aes_gcm(), keys.key.bytes().data(), keys.nonce.bytes().data(), seals ? 1 : 0,
                          nullptr));
  int size = 0;
  must(EVP_CipherUpdate(context.get(), nullptr, &size, bytes_of(aad), static_cast<int>(aad.size())));
  if (!in.empty()) must(EVP_CipherUpdate(context.get(), out, &size, bytes_of(in), static_cast<int>(in.size())));
  return context;
}

}  // namespace

std::optional<Encapsulated> hpke_encapsulate(Suite suite, EVP_PKEY* receiver, std::string_view receiver_bytes) {
  const QuietErrors quiet;
  KeyPair own = new_key_pair(suite);
  const auto agreed = agree(own.parsed.get(), receiver);
  if (!agreed) return std::nullopt;
  Secret secret = kem_secret(suite, *agreed, own.public_bytes, receiver_bytes);
  return Encapsulated{std::move(own.public_bytes), secret};
}

std::optional<Secret> hpke_decapsulate(Suite suite, EVP_PKEY* own, std::string_view own_bytes, std::string_view enc) {
  const QuietErrors quiet;
  const auto agreed = agree(suite, own, enc);
  if (!agreed) return std::nullopt;
  return kem_secret(suite, *agreed, enc, own_bytes);
}

HpkeContext::HpkeContext(Suite suite, std::string_view info) : suite_(suite), schedule_(1, '\0') {
  schedule_ += extract({}, suite_id(suite), "psk_id_hash", {}).text();
  schedule_ += extract({}, suite_id(suite), "info_hash", info).text();
}

std::string HpkeContext::seal(const Secret& secret, std::string_view aad, std::string_view text) const {
  std::string sealed(text.size() + kHpkeTagBytes, '\0');
  const auto context = run_gcm(true, message_keys(suite_, secret, schedule_), aad, text, bytes_of(sealed));
  int size = 0;
  must(EVP_CipherFinal_ex(context.get(), bytes_of(sealed) + text.size(), &size));
  must(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kHpkeTagBytes, bytes_of(sealed) + text.size()));
  return sealed;
}

std::optional<std::string> HpkeContext::open(const Secret& secret, std::string_view aad,
                                             std::string_view sealed) const {
  const QuietErrors quiet;
  if (sealed.size() < kHpkeTagBytes) return std::nullopt;
  std::string text(sealed.size() - kHpkeTagBytes, '\0');
  std::string tag(sealed.substr(text.size()));
  const auto context =
      run_gcm(false, message_keys(suite_, secret, schedule_), aad, sealed.substr(0, text.size()), bytes_of(text));
  must(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kHpkeTagBytes, tag.data()));
  int size = 0;
  unsigned char nothing = 0;
  if (EVP_CipherFinal_ex(context.get(), &nothing, &size) != 1) {
    wipe({bytes_of(text), text.size()});
    return std::nullopt;
  }
  return text;
}

}  // namespace gauze::collect::internal
