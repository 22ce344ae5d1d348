#include "gauze/server/keys/value_cipher.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "gauze/files/sha256.h"

namespace gauze::server {
namespace value_cipher_test {

using namespace std::string_literals;  // NOLINT(google-build-using-namespace)

constexpr std::string_view kMessage = "sixteen letters!plus";

SecretBytes secret_of(std::size_t size, unsigned char value) {
  return SecretBytes::copy_of(std::string(size, static_cast<char>(value)));
}

class Ciphers : public ::testing::TestWithParam<CryptoProfile> {
 protected:
  ValueCipher cipher(std::string_view salt = "salt") { return {GetParam(), secret_of(32, 7), salt, "info"}; }
};

// The first is RFC 5869, A.1; all the others were computed with Python's hashlib, hmac and cryptography.
TEST(KeyDerivation, GivesKnownKeys) {
  const SecretBytes secret = secret_of(22, 0x0b);
  const std::string salt("\0\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c", 13);
  const std::string info("\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9", 10);
  EXPECT_EQ(to_hex(derive_key(CryptoProfile::standard, secret, salt, info, 42).text()),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  EXPECT_EQ(to_hex(derive_key(CryptoProfile::sm, secret, salt, info, 48).text()),
            "c69fe91b7aaee2dd5718d72dcaee0cce93f1b8e41f792da51261b6a517e68b36ed2c595572b01dfa359bc57c754245c6");
}

TEST(KeyedDigest, IsTheHmacOfTheProfile) {
  const SecretBytes key = SecretBytes::copy_of(std::string_view("key"));
  const std::string_view text = "The quick brown fox jumps over the lazy dog";
  EXPECT_EQ(to_hex(keyed_digest(CryptoProfile::standard, key, text)),
            "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
  EXPECT_EQ(to_hex(keyed_digest(CryptoProfile::sm, key, text)),
            "bd4a34077888162b210645b8ebf74b9af357303789357a27c7fc457244ebd398");
}

TEST_P(Ciphers, SealAsOtherProgramsDo) {
  const std::string expected =
      GetParam() == CryptoProfile::standard
          ? "a85843345408606d8b1c227737b7306c883059bd3dfbcbdea0189c2d64861d6c029c33d2"
          : "691a3e175d6e490eb08bbbda1444d8782cfc1451b33ffa484de5ed82ad5da587836108dbd1e8ab82b666336c4228359fa0c664d1";
  EXPECT_EQ(to_hex(cipher().seal(5, "row", kMessage)), expected);
}

TEST_P(Ciphers, OpenWhatTheySealed) {
  const ValueCipher one = cipher();
  for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 4'096U, 70'000U}) {
    const std::string message(size, 'm');
    const std::string sealed = one.seal(size, "row", message);
    EXPECT_EQ(sealed.size(), size + one.tag_bytes());
    EXPECT_EQ(one.open(size, "row", sealed), message);
    EXPECT_EQ(cipher().open(size, "row", sealed), message);
  }
}

TEST_P(Ciphers, RefuseEveryFlippedBitAndEveryCut) {
  const ValueCipher one = cipher();
  const std::string sealed = one.seal(5, "row", kMessage);
  for (std::size_t bit = 0; bit < 8 * sealed.size(); ++bit) {
    std::string changed = sealed;
    changed[bit / 8] ^= static_cast<char>(1U << (bit % 8));
    EXPECT_FALSE(one.open(5, "row", changed)) << bit;
  }
  for (std::size_t size = 0; size < sealed.size(); ++size) EXPECT_FALSE(one.open(5, "row", sealed.substr(0, size)));
  EXPECT_FALSE(one.open(5, "row", sealed + '\0'));
}

TEST_P(Ciphers, RefuseAnotherRowNumberSaltOrKey) {
  const std::string sealed = cipher().seal(5, "row", kMessage);
  EXPECT_FALSE(cipher().open(5, "rov", sealed));
  EXPECT_FALSE(cipher().open(5, "row2", sealed));
  EXPECT_FALSE(cipher().open(6, "row", sealed));
  EXPECT_FALSE(cipher("other").open(5, "row", sealed));
  EXPECT_FALSE((ValueCipher(GetParam(), secret_of(32, 8), "salt", "info").open(5, "row", sealed)));
  EXPECT_FALSE((ValueCipher(GetParam(), secret_of(32, 7), "salt", "infos").open(5, "row", sealed)));
  std::vector<unsigned char> room(kMessage.size(), 1);
  EXPECT_FALSE(cipher().open_into(6, "row", sealed, room));
  EXPECT_NE(std::string(room.begin(), room.end()), kMessage);
}

TEST_P(Ciphers, ServeManyThreads) {
  const ValueCipher one = cipher();
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (std::uint64_t i = 0; i < 200; ++i) {
        const std::string message(i, static_cast<char>('a' + thread));
        ASSERT_EQ(one.open(1'000 * thread + i, "row", one.seal(1'000 * thread + i, "row", message)), message);
      }
    });
  for (auto& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Profiles, Ciphers, ::testing::Values(CryptoProfile::standard, CryptoProfile::sm),
                         [](const auto& profile) {
                           return std::string(word_of(kCryptoProfileWords, profile.param));
                         });

}  // namespace value_cipher_test
}  // namespace gauze::server
