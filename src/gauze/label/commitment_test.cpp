#include "gauze/label/commitment.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>

#include <filesystem>
#include <set>

#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"

namespace gauze {
namespace commitment_test {

constexpr const char* kKeyDigits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

CommitmentKey fixed_key() { return *CommitmentKey::from_hex(kKeyDigits); }

std::string commit(const CommitmentKey& key, std::string_view purpose, std::string_view bytes) {
  Commitment commitment(key, purpose);
  commitment.add(bytes);
  return commitment.finish();
}

TEST(CommitmentKey, ComesFreshFromTheOperatingSystem) {
  std::set<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.insert(CommitmentKey::generate()->hex());
  EXPECT_EQ(keys.size(), 100U);
  EXPECT_TRUE(is_digest(*keys.begin()));
}

TEST(CommitmentKey, SurvivesTheRoundTripThroughText) { EXPECT_EQ(fixed_key().hex(), kKeyDigits); }

TEST(CommitmentKey, RefusesOtherTextsWithoutShowingThem) {
  const std::string good = kKeyDigits;
  for (const std::string& digits :
       {std::string(), good.substr(1), good + "0", "g" + good.substr(1), "A" + good.substr(1)}) {
    const auto key = CommitmentKey::from_hex(digits);
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().code, ErrorCode::invalid_parameter);
    EXPECT_TRUE(digits.empty() || key.error().message.find(digits) == std::string::npos);
  }
}

TEST(CommitmentKey, IsWipedWhereItWasMovedFrom) {
  CommitmentKey key = fixed_key();
  const CommitmentKey taken = std::move(key);
  EXPECT_EQ(taken.hex(), kKeyDigits);
  EXPECT_EQ(key.hex(), std::string(64, '0'));  // NOLINT: what is left behind is the point
}

// The published construction, computed with OpenSSL's one-shot function instead.
TEST(Commitment, IsHmacSha256OfPurposeAndBytes) {
  std::string message = "gauze-commitment-1 input";
  message += '\0';
  message += "the rows";
  std::string key;
  for (int i = 0; i < 32; ++i) key += static_cast<char>(i);
  unsigned char expected[32];
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), 32, reinterpret_cast<const unsigned char*>(message.data()), message.size(), expected,
       &size);
  EXPECT_EQ(commit(fixed_key(), "input", "the rows"), to_hex({reinterpret_cast<char*>(expected), size}));
}

TEST(Commitment, DoesNotDependOnHowTheBytesAreCut) {
  const std::string bytes = "a,b\n1,2\n3,4\n";
  const std::string whole = commit(fixed_key(), "input", bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    Commitment commitment(fixed_key(), "input");
    commitment.add(bytes.substr(0, cut));
    commitment.add(bytes.substr(cut));
    EXPECT_EQ(commitment.finish(), whole);
  }
}

TEST(Commitment, DependsOnKeyPurposeAndEveryByte) {
  const std::string bytes = "a,b\n1,2\n";
  const std::string original = commit(fixed_key(), "input", bytes);
  EXPECT_NE(commit(*CommitmentKey::generate(), "input", bytes), original);
  EXPECT_NE(commit(fixed_key(), "policy", bytes), original);
  EXPECT_NE(commit(fixed_key(), "input", bytes + " "), original);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_NE(commit(fixed_key(), "input", changed), original);
  }
}

TEST(Commitment, DoesNotConfusePurposeAndBytes) {
  EXPECT_NE(commit(fixed_key(), "in", "put"), commit(fixed_key(), "input", ""));
}

TEST(Commitment, VerifiesItselfAndNothingElse) {
  const std::string value = commit(fixed_key(), "input", "rows");
  const auto verify = [](std::string_view bytes, std::string_view commitment) {
    Commitment mine(fixed_key(), "input");
    mine.add(bytes);
    return mine.verify(commitment);
  };
  EXPECT_TRUE(verify("rows", value));
  EXPECT_FALSE(verify("row", value));
  EXPECT_FALSE(verify("rows", value.substr(1)));
  EXPECT_FALSE(verify("rows", ""));
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::string changed = value;
    changed[i] = changed[i] == '0' ? '1' : '0';
    EXPECT_FALSE(verify("rows", changed));
  }
}

// FIPS 180-2, appendix B.
TEST(Sha256, GivesThePublishedAnswers) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Commitment, AFileIsItsBytes) {
  const auto key = CommitmentKey::from_hex(std::string(64, '7'));
  std::string name = (std::filesystem::temp_directory_path() / "gauze-commitment-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(name.data());
  const std::string bytes(3'000'000, 'x');
  ASSERT_TRUE(write_file(folder / "input", bytes));
  Commitment whole(*key, "input");
  whole.add(bytes);
  Commitment read(*key, "input");
  ASSERT_TRUE(read.add_file(folder / "input"));
  EXPECT_TRUE(read.verify(whole.finish()));
  ASSERT_TRUE(write_file(folder / "input", ""));
  Commitment empty(*key, "input");
  EXPECT_TRUE(empty.add_file(folder / "input"));
  Commitment none(*key, "input");
  EXPECT_EQ(none.add_file(folder / "nothing").error().code, ErrorCode::io);
  EXPECT_EQ(none.add_file(folder).error().code, ErrorCode::io) << "a folder has no bytes";
  std::filesystem::remove_all(folder);
}

}  // namespace commitment_test
}  // namespace gauze
