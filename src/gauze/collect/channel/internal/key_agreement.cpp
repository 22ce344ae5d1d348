#include "gauze/collect/channel/internal/key_agreement.h"

#include <openssl/core_names.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>

#include <array>

#include "gauze/base/kernel_random.h"

namespace gauze::collect::internal {
namespace {

constexpr std::size_t kPointBytes = 65;
constexpr std::size_t kX25519Bytes = 32;

struct Curve {
  const char* type;
  const char* group_name;
  EC_GROUP* group;  ///< lives as long as the program
};

const Curve& curve_of(Suite suite) {
  static const Curve p256 = {"EC", "P-256", EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)};
  static const Curve sm2 = {"SM2", "SM2", EC_GROUP_new_by_curve_name(NID_sm2)};
  const Curve& curve = suite == Suite::p256 ? p256 : sm2;
  GAUZE_CHECK(curve.group != nullptr);
  return curve;
}

OSSL_PARAM octets(const char* name, std::string_view bytes) {
  return OSSL_PARAM_construct_octet_string(name, const_cast<char*>(bytes.data()), bytes.size());
}
OSSL_PARAM words(const char* name, const char* text) {
  return OSSL_PARAM_construct_utf8_string(name, const_cast<char*>(text), 0);
}

/// A key of an elliptic curve: public, or with `number`, the private one in the machine's order, a pair.
Owned<EVP_PKEY> curve_key(Suite suite, std::string_view point, Secret* number) {
  const Curve& curve = curve_of(suite);
  std::array<OSSL_PARAM, 4> params = {words(OSSL_PKEY_PARAM_GROUP_NAME, curve.group_name),
                                      octets(OSSL_PKEY_PARAM_PUB_KEY, point), OSSL_PARAM_construct_end(),
                                      OSSL_PARAM_construct_end()};
  if (number != nullptr)
    params[2] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, number->bytes().data(), number->bytes().size());
  const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, curve.type, nullptr));
  GAUZE_CHECK(context != nullptr);
  must(EVP_PKEY_fromdata_init(context.get()));
  EVP_PKEY* key = nullptr;
  const int selection = number == nullptr ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR;
  if (EVP_PKEY_fromdata(context.get(), &key, selection, params.data()) != 1) return nullptr;
  return Owned<EVP_PKEY>(key);
}

std::optional<KeyPair> curve_pair(Suite suite, const Secret& bytes) {
  const EC_GROUP* group = curve_of(suite).group;
  const Owned<BN_CTX> context(BN_CTX_secure_new());
  const Owned<BIGNUM> number(BN_secure_new());
  const Owned<BIGNUM> most(BN_dup(EC_GROUP_get0_order(group)));
  const Owned<EC_POINT> point(EC_POINT_new(group));
  GAUZE_CHECK(context != nullptr && number != nullptr && most != nullptr && point != nullptr);
  GAUZE_CHECK(BN_bin2bn(bytes.bytes().data(), static_cast<int>(bytes.bytes().size()), number.get()) != nullptr);
  BN_set_flags(number.get(), BN_FLG_CONSTTIME);
  // SM2 leaves out the largest one, n - 1.
  must(BN_sub_word(most.get(), suite == Suite::sm ? 2 : 1));
  if (BN_is_zero(number.get()) || BN_cmp(number.get(), most.get()) > 0) return std::nullopt;
  must(EC_POINT_mul(group, point.get(), number.get(), nullptr, nullptr, context.get()));
  KeyPair pair;
  pair.private_bytes = bytes;
  pair.public_bytes.resize(kPointBytes);
  GAUZE_CHECK(EC_POINT_point2oct(group, point.get(), POINT_CONVERSION_UNCOMPRESSED, bytes_of(pair.public_bytes),
                                 kPointBytes, context.get()) == kPointBytes);
  Secret native;
  GAUZE_CHECK(BN_bn2nativepad(number.get(), native.bytes().data(), static_cast<int>(native.bytes().size())) > 0);
  pair.parsed = curve_key(suite, pair.public_bytes, &native);
  GAUZE_CHECK(pair.parsed != nullptr);
  return pair;
}

std::optional<KeyPair> x25519_pair(const Secret& bytes) {
  KeyPair pair;
  pair.private_bytes = bytes;
  pair.parsed.reset(EVP_PKEY_new_raw_private_key_ex(nullptr, "X25519", nullptr, bytes.bytes().data(), kX25519Bytes));
  GAUZE_CHECK(pair.parsed != nullptr);
  pair.public_bytes.resize(kX25519Bytes);
  std::size_t size = kX25519Bytes;
  must(EVP_PKEY_get_raw_public_key(pair.parsed.get(), bytes_of(pair.public_bytes), &size));
  return pair;
}

Owned<EVP_PKEY> x25519_public_key(std::string_view bytes) {
  return Owned<EVP_PKEY>(EVP_PKEY_new_raw_public_key_ex(nullptr, "X25519", nullptr, bytes_of(bytes), bytes.size()));
}

bool may_be_public_key(Suite suite, std::string_view bytes) {
  return bytes.size() == public_key_bytes(suite) && (suite == Suite::x25519 || bytes.front() == '\x04');
}

}  // namespace

std::size_t public_key_bytes(Suite suite) { return suite == Suite::x25519 ? kX25519Bytes : kPointBytes; }

Owned<EVP_PKEY> public_key_of(Suite suite, std::string_view bytes) {
  const QuietErrors quiet;
  if (!may_be_public_key(suite, bytes)) return nullptr;
  if (suite != Suite::x25519) return curve_key(suite, bytes, nullptr);
  // Some points of small order give the secret zero with every key.
  Owned<EVP_PKEY> key = x25519_public_key(bytes);
  const KeyPair any = new_key_pair(suite);
  return key != nullptr && agree(any.parsed.get(), key.get()) ? std::move(key) : nullptr;
}

std::optional<KeyPair> key_pair_of(Suite suite, const Secret& private_bytes) {
  const QuietErrors quiet;
  return suite == Suite::x25519 ? x25519_pair(private_bytes) : curve_pair(suite, private_bytes);
}

KeyPair new_key_pair(Suite suite) {
  for (;;) {
    Secret drawn;
    fill_from_kernel(drawn.bytes());
    if (auto pair = key_pair_of(suite, drawn)) return std::move(*pair);
  }
}

std::optional<Secret> agree(EVP_PKEY* own, EVP_PKEY* other) {
  const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_pkey(nullptr, own, nullptr));
  GAUZE_CHECK(context != nullptr);
  must(EVP_PKEY_derive_init(context.get()));
  Secret secret;
  std::size_t size = secret.bytes().size();
  // Parsing has looked at the point; the curves have no subgroup that a second look could find.
  if (EVP_PKEY_derive_set_peer_ex(context.get(), other, 0) != 1) return std::nullopt;
  if (EVP_PKEY_derive(context.get(), secret.bytes().data(), &size) != 1) return std::nullopt;
  GAUZE_CHECK(size == secret.bytes().size());
  return secret;
}

std::optional<Secret> agree(Suite suite, EVP_PKEY* own, std::string_view other) {
  if (!may_be_public_key(suite, other)) return std::nullopt;
  if (suite == Suite::x25519) {
    const Owned<EVP_PKEY> key = x25519_public_key(other);
    return key == nullptr ? std::nullopt : agree(own, key.get());
  }
  // The curve comes from the own key: making it anew costs more than a batch.
  const Owned<EVP_PKEY> key(EVP_PKEY_new());
  GAUZE_CHECK(key != nullptr);
  must(EVP_PKEY_copy_parameters(key.get(), own));
  if (EVP_PKEY_set1_encoded_public_key(key.get(), bytes_of(other), other.size()) != 1) return std::nullopt;
  return agree(own, key.get());
}

}  // namespace gauze::collect::internal
