#include "gauze/server/http/tls_settings.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <chrono>
#include <cstring>
#include <mutex>
#include <vector>

namespace gauze::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::hours kTicketKeyAge{6};

/// Two generations of keys under which tickets are sealed: new ones under the first, old ones are still read.
class TicketKeys {
 public:
  struct Key {
    std::array<unsigned char, 16> name{};
    std::array<unsigned char, 32> cipher{};
    std::array<unsigned char, 32> mac{};
    Clock::time_point made{};
  };
  ~TicketKeys() {
    for (Key& key : keys_) OPENSSL_cleanse(&key, sizeof key);
  }

  bool newest(Key& out) {
    const std::lock_guard guard(mutex_);
    const auto now = Clock::now();
    if (!is_filled_ || now - keys_[0].made >= kTicketKeyAge) {
      keys_[1] = keys_[0];
      if (!draw(keys_[0])) return false;
      keys_[0].made = now;
      is_filled_ = true;
    }
    out = keys_[0];
    return true;
  }

  /// 0: unknown, 1: the newest, 2: to be renewed.
  int find(const unsigned char* name, Key& out) {
    const std::lock_guard guard(mutex_);
    const auto now = Clock::now();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const bool lives = keys_[i].made != Clock::time_point{} && now - keys_[i].made < 2 * kTicketKeyAge;
      if (!lives || std::memcmp(keys_[i].name.data(), name, keys_[i].name.size()) != 0) continue;
      out = keys_[i];
      return i == 0 ? 1 : 2;
    }
    return 0;
  }

 private:
  static bool draw(Key& key) {
    return RAND_bytes(key.name.data(), static_cast<int>(key.name.size())) == 1 &&
           RAND_bytes(key.cipher.data(), static_cast<int>(key.cipher.size())) == 1 &&
           RAND_bytes(key.mac.data(), static_cast<int>(key.mac.size())) == 1;
  }
  std::mutex mutex_;
  std::array<Key, 2> keys_;
  bool is_filled_ = false;
};

int keys_place() {
  static const int place = SSL_CTX_get_ex_new_index(
      0, nullptr, nullptr, nullptr,
      [](void*, void* keys, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<TicketKeys*>(keys); });
  return place;
}

int seal_ticket(SSL* connection, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
                int encrypts) {
  auto* keys = static_cast<TicketKeys*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), keys_place()));
  if (keys == nullptr) return -1;
  TicketKeys::Key key;
  int found = 1;
  if (encrypts != 0) {
    if (!keys->newest(key) || RAND_bytes(iv, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) != 1) return -1;
    std::memcpy(name, key.name.data(), key.name.size());
  } else {
    found = keys->find(name, key);
    if (found == 0) return 0;
  }
  char digest[] = "SHA256";
  const std::array<OSSL_PARAM, 3> parameters = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key.mac.data(), key.mac.size()),
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
  const bool ready = EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), nullptr, key.cipher.data(), iv, encrypts) == 1 &&
                     EVP_MAC_CTX_set_params(mac, parameters.data()) == 1;
  OPENSSL_cleanse(&key, sizeof key);
  return ready ? found : -1;
}

int choose_protocol(SSL*, const unsigned char** out, unsigned char* size, const unsigned char* offered,
                    unsigned int offered_size, void*) {
  static constexpr unsigned char kHttp[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, size, kHttp, sizeof kHttp - 1, offered, offered_size) != OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_NOACK;
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

Result<TlsSettings> TlsSettings::make(const std::filesystem::path& certificate, const std::filesystem::path& key) {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context) return make_error(ErrorCode::internal, "OpenSSL has no TLS");
  SSL_CTX* raw = context.get();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(raw, SSL_MODE_RELEASE_BUFFERS);
  static constexpr unsigned char kSessions[] = "gauze";
  if (SSL_CTX_set_cipher_list(raw, "ECDHE+AESGCM:ECDHE+CHACHA20") != 1 ||
      SSL_CTX_set1_groups_list(raw, "X25519:P-256:P-384") != 1 ||
      SSL_CTX_set_session_id_context(raw, kSessions, sizeof kSessions - 1) != 1)
    return make_error(ErrorCode::internal, "OpenSSL refuses the settings of TLS");
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(raw, 1);
  SSL_CTX_set_ex_data(raw, keys_place(), new TicketKeys);
  SSL_CTX_set_tlsext_ticket_key_evp_cb(raw, seal_ticket);
  SSL_CTX_set_alpn_select_cb(raw, choose_protocol, nullptr);
  ERR_clear_error();
  std::error_code problem;
  for (const auto& file : {certificate, key})
    if (!std::filesystem::is_regular_file(file, problem))
      return make_error(ErrorCode::io, "there is no file '{}'", file.string());
  if (SSL_CTX_use_certificate_chain_file(raw, certificate.c_str()) != 1)
    return make_error(ErrorCode::bad_data, "'{}' holds no certificate that can be used", certificate.string());
  if (SSL_CTX_use_PrivateKey_file(raw, key.c_str(), SSL_FILETYPE_PEM) != 1 || SSL_CTX_check_private_key(raw) != 1)
    return make_error(ErrorCode::bad_data, "'{}' holds no key that belongs to '{}'", key.string(),
                      certificate.string());
  return TlsSettings(std::move(context));
}

}  // namespace gauze::server
