#include "gauze/collect/channel/sealing_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "gauze/files/sha256.h"

namespace gauze::collect::sealing_key_test {
namespace {

SealingKey::PrivateBytes private_bytes(std::string_view digits) {
  SealingKey::PrivateBytes bytes;
  const std::string text = from_hex(digits).value();
  std::copy(text.begin(), text.end(), bytes.bytes().begin());
  return bytes;
}

class SealingKeys : public ::testing::TestWithParam<Suite> {};

INSTANTIATE_TEST_SUITE_P(OfEverySuite, SealingKeys, ::testing::ValuesIn(kSuites),
                         [](const auto& about) { return std::string(word_of(kSuiteWords, about.param)); });

TEST_P(SealingKeys, ComeBackFromTheirBytes) {
  const SealingKey key = SealingKey::generate(GetParam());
  const auto again = SealingKey::from_private_bytes(GetParam(), key.private_bytes());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->public_key().bytes(), key.public_key().bytes());
  EXPECT_EQ(again->public_key().id(), key.public_key().id());
  const auto listed = SealingPublicKey::from_base64url(GetParam(), key.public_key().base64url());
  ASSERT_TRUE(listed);
  EXPECT_EQ(listed->bytes(), key.public_key().bytes());
}

TEST_P(SealingKeys, AreCalledByTheDigestOfTheirPublicBytes) {
  const SealingPublicKey key = SealingKey::generate(GetParam()).public_key();
  EXPECT_EQ(key.bytes().size(), GetParam() == Suite::x25519 ? 32U : 65U);
  EXPECT_EQ(key.id_hex(), sha256_hex(key.bytes()).substr(0, 16));
}

TEST_P(SealingKeys, DifferFromEachOther) {
  EXPECT_NE(SealingKey::generate(GetParam()).public_key().bytes(),
            SealingKey::generate(GetParam()).public_key().bytes());
}

TEST_P(SealingKeys, AreNotReadFromOtherLengths) {
  const std::string bytes = SealingKey::generate(GetParam()).public_key().bytes();
  for (const std::string& wrong : {std::string(), bytes.substr(1), bytes + '\0', std::string(1, '\0')})
    EXPECT_EQ(SealingPublicKey::from_bytes(GetParam(), wrong).error().code, ErrorCode::invalid_parameter);
  EXPECT_FALSE(SealingPublicKey::from_base64url(GetParam(), "no base64url!"));
}

TEST(SealingPublicKey, LiesOnItsCurve) {
  for (const Suite suite : {Suite::p256, Suite::sm}) {
    const std::string bytes = SealingKey::generate(suite).public_key().bytes();
    for (const std::size_t at : {1UL, 32UL, 33UL, 64UL}) {
      std::string beside = bytes;
      beside[at] = static_cast<char>(beside[at] ^ 1);
      EXPECT_FALSE(SealingPublicKey::from_bytes(suite, beside)) << at;
    }
    // Compressed and hybrid encodings, and coordinates that are no numbers of the field.
    EXPECT_FALSE(SealingPublicKey::from_bytes(suite, '\x02' + bytes.substr(1, 32)));
    EXPECT_FALSE(SealingPublicKey::from_bytes(suite, '\x06' + bytes.substr(1)));
    EXPECT_FALSE(SealingPublicKey::from_bytes(suite, '\x04' + std::string(64, '\xff')));
    EXPECT_FALSE(SealingPublicKey::from_bytes(suite, '\x04' + std::string(64, '\0')));
  }
  // A point of one curve is none of the other.
  EXPECT_FALSE(SealingPublicKey::from_bytes(Suite::sm, SealingKey::generate(Suite::p256).public_key().bytes()));
}

// RFC 7748, section 6.1: zero, one, and a point of order eight.
TEST(SealingPublicKey, IsNoPointOfSmallOrder) {
  for (const char* digits : {"0000000000000000000000000000000000000000000000000000000000000000",
                             "0100000000000000000000000000000000000000000000000000000000000000",
                             "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"})
    EXPECT_FALSE(SealingPublicKey::from_bytes(Suite::x25519, from_hex(digits).value())) << digits;
}

TEST(SealingKey, IsANumberBelowTheOrderOfItsCurve) {
  const std::string zero(64, '0');
  const struct {
    Suite suite;
    const char* most;
    const char* beyond;
  } cases[] = {{Suite::p256, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
                "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"},
               {Suite::sm, "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54121",
                "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54122"}};
  for (const auto& one : cases) {
    EXPECT_TRUE(SealingKey::from_private_bytes(one.suite, private_bytes(one.most)));
    EXPECT_EQ(SealingKey::from_private_bytes(one.suite, private_bytes(one.beyond)).error().code, ErrorCode::bad_data);
    EXPECT_EQ(SealingKey::from_private_bytes(one.suite, private_bytes(zero)).error().code, ErrorCode::bad_data);
  }
}

TEST(SealingKey, StaysItselfWhenMovedAndItsBytesCanBeWiped) {
  SealingKey key = SealingKey::generate(Suite::p256);
  const std::string id = key.public_key().id_hex();
  const SealingKey moved = std::move(key);
  EXPECT_EQ(moved.public_key().id_hex(), id);
  WipedBytes<4> bytes;
  bytes.bytes()[2] = 7;
  wipe(bytes.bytes());
  EXPECT_EQ(bytes.text(), std::string(4, '\0'));
}

}  // namespace
}  // namespace gauze::collect::sealing_key_test
