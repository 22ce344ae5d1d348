#include "gauze/collect/channel/internal/mac.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <algorithm>

namespace gauze::collect::internal {
namespace {

constexpr std::size_t kSize = 32;

/// A context without a key: looking algorithms up costs as much as a short message.
EVP_MAC_CTX* template_of(const char* name) {
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  EVP_MAC_CTX* context = EVP_MAC_CTX_new(mac);
  EVP_MAC_free(mac);
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, const_cast<char*>(name), 0),
                               OSSL_PARAM_construct_end()};
  GAUZE_CHECK(context != nullptr);
  must(EVP_MAC_CTX_set_params(context, params));
  return context;
}

/// Under a key; what is to be authenticated follows.
class Hmac {
 public:
  Hmac(Digest digest, std::string_view key) {
    static EVP_MAC_CTX* const sha256 = template_of("SHA256");
    static EVP_MAC_CTX* const sm3 = template_of("SM3");
    static constexpr char kZeros[kSize] = {};
    if (key.empty()) key = {kZeros, kSize};
    context_.reset(EVP_MAC_CTX_dup(digest == Digest::sha256 ? sha256 : sm3));
    GAUZE_CHECK(context_ != nullptr);
    must(EVP_MAC_init(context_.get(), bytes_of(key), key.size(), nullptr));
  }

  void add(std::string_view piece) { must(EVP_MAC_update(context_.get(), bytes_of(piece), piece.size())); }

  [[nodiscard]] Secret finish() {
    Secret code;
    std::size_t size = 0;
    must(EVP_MAC_final(context_.get(), code.bytes().data(), &size, kSize));
    return code;
  }

 private:
  Owned<EVP_MAC_CTX> context_;
};

}  // namespace

Secret hmac(Digest digest, std::string_view key, std::initializer_list<std::string_view> pieces) {
  Hmac mac(digest, key);
  for (const std::string_view piece : pieces) mac.add(piece);
  return mac.finish();
}

void hkdf_expand(Digest digest, const Secret& key, std::initializer_list<std::string_view> info,
                 std::span<unsigned char> out) {
  Secret round;
  for (char number = 1; !out.empty(); ++number) {
    Hmac mac(digest, key.text());
    if (number > 1) mac.add(round.text());
    for (const std::string_view piece : info) mac.add(piece);
    mac.add({&number, 1});
    round = mac.finish();
    const std::size_t size = std::min(out.size(), kSize);
    std::copy_n(round.bytes().begin(), size, out.begin());
    out = out.subspan(size);
  }
}

}  // namespace gauze::collect::internal
