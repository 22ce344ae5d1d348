#include "gauze/files/sha256.h"

#include <gtest/gtest.h>

#include "gauze/files/atomic_file.h"
#include "gauze/files/scratch_folder.h"

namespace gauze {
namespace sha256_test {

// FIPS 180-2, appendix B.
TEST(Sha256, KnowsThePublishedAnswers) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, PiecesAndFilesAreTheSameBytes) {
  const std::string text(600'000, 'x');
  Sha256 hash;
  for (std::size_t at = 0; at < text.size(); at += 7919) hash.add(std::string_view(text).substr(at, 7919));
  EXPECT_EQ(hash.finish(), sha256_hex(text));
  const auto folder = ScratchFolder::make();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write_file(folder->file("x"), text));
  EXPECT_EQ(sha256_of_file(folder->file("x")).value(), sha256_hex(text));
  EXPECT_EQ(sha256_of_file(folder->file("y")).error().code, ErrorCode::io);
}

TEST(Sha256, ADigestIsSixtyFourLowerCaseDigits) {
  EXPECT_TRUE(is_digest(sha256_hex("a")));
  EXPECT_FALSE(is_digest(sha256_hex("a").substr(1)));
  EXPECT_FALSE(is_digest("B" + sha256_hex("a").substr(1)));
}

TEST(Sha256, DigitsAreReadBackAsTheyAreWritten) {
  EXPECT_EQ(from_hex(to_hex(std::string("\x00\xff\x1a", 3))), std::string("\x00\xff\x1a", 3));
  for (const char* text : {"0", "0G", "FF", " 0", "0x"}) EXPECT_FALSE(from_hex(text)) << text;
}

}  // namespace sha256_test
}  // namespace gauze
