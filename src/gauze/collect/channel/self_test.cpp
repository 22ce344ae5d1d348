#include "gauze/collect/channel/self_test.h"

#include <openssl/evp.h>

#include "gauze/collect/channel/batch.h"
#include "gauze/collect/channel/internal/hpke.h"
#include "gauze/collect/channel/internal/mac.h"
#include "gauze/collect/channel/internal/sm_envelope.h"
#include "gauze/files/sha256.h"

namespace gauze::collect {
namespace {

using namespace internal;

std::string unhex(std::string_view digits) {
  const auto bytes = from_hex(digits);
  GAUZE_CHECK(bytes.has_value());
  return *bytes;
}

Secret secret_of(std::string_view digits) {
  const std::string bytes = unhex(digits);
  GAUZE_CHECK(bytes.size() == 32);
  return Secret(std::span<const unsigned char, 32>(bytes_of(bytes), 32));
}

/// Of the test vectors of RFC 9180 (base mode, HKDF-SHA256, AES-256-GCM): the first message of each.
struct HpkeAnswer {
  Suite suite;
  std::string_view private_key, public_key, enc, sealed;
};
constexpr HpkeAnswer kHpkeAnswers[] = {
    {Suite::p256, "317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2",
     "04abc7e49a4c6b3566d77d0304addc6ed0e98512ffccf505e6a8e3eb25c685136f"
     "853148544876de76c0f2ef99cdc3a05ccf5ded7860c7c021238f9e2073d2356c",
     "04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e"
     "0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0",
     "58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d291742465e902cd216f8908da49f8f96f"},
    {Suite::x25519, "497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d",
     "430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c",
     "6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256",
     "e5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a"}};
constexpr std::string_view kHpkeInfo = "Ode on a Grecian Urn";
constexpr std::string_view kHpkeAad = "Count-0";
constexpr std::string_view kHpkeText = "Beauty is truth, truth beauty";

/// Made by sm-crypto 0.5.8 (npm) for the private key of GB/T 32918's examples.
constexpr std::string_view kSmPrivateKey = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8";
constexpr std::string_view kSmPublicKey =
    "0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
    "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13";
constexpr std::string_view kSmSecret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
constexpr std::string_view kSmBatch =
    "475a4231037ad64964540082dd8b00"
    "30818802206dce187bf2d2dcb5f90d89a07aa2233640b4d7777e9bc30be679b640774b132502203f8fa90af9baee9ec4e49f75552c9110"
    "66f098ced983637a6d166ecd2241cfd60420008c28befd7f33137dd750125a1e3224116d4c1174474ea6c807d12f93312ebb0420396a9d"
    "4a29ee129ddc16c6cf79d76fc84f1e448cbd038e62cd9bee1de22210cd"
    "191880601b496696a05236e274b13c8186731c607404555f9451412e0654297ae1c83cfb0a";
constexpr std::string_view kSmText = "Gauze";

Result<void> expect(bool holds, std::string_view what) {
  if (holds) return {};
  return make_error(ErrorCode::internal, "self-test: {} gives another answer than the known one", what);
}

std::string sm3(std::string_view text) {
  std::string digest(32, '\0');
  unsigned size = 0;
  return EVP_Digest(text.data(), text.size(), bytes_of(digest), &size, EVP_sm3(), nullptr) == 1 ? digest : "";
}

/// GB/T 32905 and GB/T 32907, the first example of each.
Result<void> test_sm_parts() {
  GAUZE_TRY_VOID(
      expect(sm3("abc") == unhex("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"), "SM3"));
  const std::string key = unhex("0123456789abcdeffedcba9876543210");
  const std::span<const unsigned char, 16> bytes(bytes_of(key), 16);
  // The block that counts is encrypted, and what is encrypted is zero.
  return expect(sm4_ctr(bytes, bytes, std::string(16, '\0')) == unhex("681edf34d206965e86b3e94f536e4246"), "SM4");
}

Result<void> test_hpke(const HpkeAnswer& answer) {
  const std::string what = fmt::format("HPKE with {}", word_of(kSuiteWords, answer.suite));
  const auto pair = key_pair_of(answer.suite, secret_of(answer.private_key));
  GAUZE_TRY_VOID(expect(pair && pair->public_bytes == unhex(answer.public_key), what));
  const auto secret = hpke_decapsulate(answer.suite, pair->parsed.get(), pair->public_bytes, unhex(answer.enc));
  GAUZE_TRY_VOID(expect(secret.has_value(), what));
  const HpkeContext context(answer.suite, kHpkeInfo);
  std::string sealed = unhex(answer.sealed);
  GAUZE_TRY_VOID(expect(context.seal(*secret, kHpkeAad, kHpkeText) == sealed, what));
  GAUZE_TRY_VOID(expect(context.open(*secret, kHpkeAad, sealed) == std::optional<std::string>(kHpkeText), what));
  sealed.back() = static_cast<char>(sealed.back() ^ 1);
  return expect(!context.open(*secret, kHpkeAad, sealed), what);
}

Result<void> test_sm_batch() {
  const auto key = SealingKey::from_private_bytes(Suite::sm, secret_of(kSmPrivateKey));
  GAUZE_TRY_VOID(expect(key && key->public_key().bytes() == unhex(kSmPublicKey), "SM2"));
  std::string bytes = unhex(kSmBatch);
  const auto batch = parse_batch(bytes);
  GAUZE_TRY_VOID(expect(batch.has_value(), "SM2"));
  const auto secret = sm_decapsulate(key->pair(), batch->enc);
  GAUZE_TRY_VOID(expect(secret && secret->text() == secret_of(kSmSecret).text(), "SM2"));
  const auto text = open_batch(*key, bytes);
  GAUZE_TRY_VOID(expect(text && *text == kSmText, "suite 3"));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  return expect(!open_batch(*key, bytes), "suite 3");
}

/// What is sealed here opens here.
Result<void> test_round_trip(Suite suite) {
  const SealingKey key = SealingKey::generate(suite);
  GAUZE_TRY(const std::string batch, seal_batch(key.public_key(), kSmText));
  const auto text = open_batch(key, batch);
  return expect(text && *text == kSmText, word_of(kSuiteWords, suite));
}

/// Whatever is missing would end the program where it is needed.
Result<void> test_what_there_is() {
  const QuietErrors quiet;
  const auto there = [](bool is_there, std::string_view name) -> Result<void> {
    if (is_there) return {};
    return make_error(ErrorCode::internal, "self-test: this machine's OpenSSL has no {}", name);
  };
  for (const char* name : {"SHA256", "SM3"}) {
    EVP_MD* digest = EVP_MD_fetch(nullptr, name, nullptr);
    EVP_MD_free(digest);
    GAUZE_TRY_VOID(there(digest != nullptr, name));
  }
  for (const char* name : {"AES-256-GCM", "SM4-CTR"}) {
    EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, name, nullptr);
    EVP_CIPHER_free(cipher);
    GAUZE_TRY_VOID(there(cipher != nullptr, name));
  }
  for (const char* name : {"EC", "X25519", "SM2"})
    GAUZE_TRY_VOID(there(Owned<EVP_PKEY_CTX>(EVP_PKEY_CTX_new_from_name(nullptr, name, nullptr)) != nullptr, name));
  return {};
}

}  // namespace

Result<void> self_test() {
  GAUZE_TRY_VOID(test_what_there_is());
  GAUZE_TRY_VOID(test_sm_parts());
  for (const HpkeAnswer& answer : kHpkeAnswers) GAUZE_TRY_VOID(test_hpke(answer));
  GAUZE_TRY_VOID(test_sm_batch());
  for (const Suite suite : kSuites) GAUZE_TRY_VOID(test_round_trip(suite));
  return {};
}

}  // namespace gauze::collect
