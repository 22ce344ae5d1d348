#include "gauze/patterns/baskets/internal/text_encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::patterns::internal {
namespace text_encoding_test {

using table::Encoding;
using ::testing::HasSubstr;

TEST(TextEncoding, BytesComeBackAsTheyWere) {
  const std::string text = "牛奶,面包\r\n奶酪,?面包\r\n";
  const std::string marked = "\xEF\xBB\xBF" + text;
  for (const std::string& bytes : {text, marked, table::encode(text, Encoding::gb18030).value(),
                                   "\xFF\xFE" + table::encode(text, Encoding::utf16le).value(),
                                   "\xFE\xFF" + table::encode(text, Encoding::utf16be).value()}) {
    const auto decoded = decode_text(bytes, std::nullopt);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(decoded->text, bytes == marked ? marked : text);
    EXPECT_EQ(encode_text(*decoded).value(), bytes);
  }
}

TEST(TextEncoding, WhatIsGivenIsNotFoundOut) {
  const std::string latin = "caf\xE9\n";
  EXPECT_EQ(decode_text(latin, "latin-1")->text, "café\n");
  EXPECT_EQ(encode_text(decode_text(latin, "latin-1").value()).value(), latin);
  EXPECT_EQ(decode_text("\xC5\xA3", "gbk")->text, "牛") << "it would be UTF-8, too";
  EXPECT_EQ(decode_text("a", "klingon").error().code, ErrorCode::invalid_parameter);
}

TEST(TextEncoding, OneBadByteDoesNotTurnTheRestIntoOtherLetters) {
  const auto decoded = decode_text("Zürich\nGenf\nGen\xE8ve\n", std::nullopt);
  EXPECT_EQ(decoded.error().code, ErrorCode::bad_data);
  EXPECT_THAT(decoded.error().message, HasSubstr("line 3 is not UTF-8"));
  EXPECT_THAT(decode_text("a\n\xFF\n", "utf-8").error().message, HasSubstr("line 2 is not UTF-8"));
  EXPECT_EQ(decode_text("\xA4", "gb18030").error().code, ErrorCode::bad_data);
}

}  // namespace text_encoding_test
}  // namespace gauze::patterns::internal
