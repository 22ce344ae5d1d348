#include "gauze/files/base64.h"

#include <gtest/gtest.h>

namespace gauze::base64_test {
namespace {

// RFC 4648, section 10.
TEST(Base64, WritesTheVectorsOfTheStandard) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(to_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, ReadsBackEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i);
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
}

TEST(Base64, TakesNothingButWhatItWrites) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg=a", "Zh==", "Zm9=", "====", "Zg==Zg==", "Zm9v\n", "Zm-v", " Zm9"})
    EXPECT_FALSE(from_base64(text)) << text;
}

TEST(Base64, HasAWayOfWritingForUrls) {
  EXPECT_EQ(to_base64url("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(to_base64url("f"), "Zg");
  EXPECT_EQ(to_base64url(""), "");
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(255 - i);
    EXPECT_EQ(from_base64url(to_base64url(bytes)), bytes);
  }
  for (const char* text : {"Z", "Zg==", "+__-", "Zh", "-__-Z", "Zm 9"}) EXPECT_FALSE(from_base64url(text)) << text;
}

}  // namespace
}  // namespace gauze::base64_test
