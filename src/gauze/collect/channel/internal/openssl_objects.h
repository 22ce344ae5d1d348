#pragma once

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include <memory>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze::collect::internal {

struct OpensslDeleter {
  void operator()(EVP_PKEY* object) const { EVP_PKEY_free(object); }
  void operator()(EVP_PKEY_CTX* object) const { EVP_PKEY_CTX_free(object); }
  void operator()(EVP_CIPHER_CTX* object) const { EVP_CIPHER_CTX_free(object); }
  void operator()(EVP_MAC_CTX* object) const { EVP_MAC_CTX_free(object); }
  void operator()(EC_POINT* object) const { EC_POINT_free(object); }
  void operator()(BN_CTX* object) const { BN_CTX_free(object); }
  void operator()(BIGNUM* object) const { BN_clear_free(object); }
};
template <class Object>
using Owned = std::unique_ptr<Object, OpensslDeleter>;

/// While one lives, what OpenSSL notes about failures goes no further: a key or batch of a stranger must leave nothing in the thread's
/// queue, where whoever speaks TLS in this thread would take it for its own.
class QuietErrors {
 public:
  QuietErrors() { ERR_set_mark(); }
  ~QuietErrors() { ERR_pop_to_mark(); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
};

/// A call of OpenSSL that fails only when memory is gone or the library is broken.
inline void must(int result) { GAUZE_CHECK(result == 1); }

inline const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
inline unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace gauze::collect::internal
