#include "gauze/table/encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

namespace gauze::table {
namespace encoding_test {

using ::testing::HasSubstr;

Result<std::string> decoded(std::string_view bytes, Encoding encoding, std::size_t block_size = 4096) {
  TextSource source(bytes);
  GAUZE_TRY(const auto decoder, decode(source, encoding, "'x.csv'"));
  std::string text;
  std::string block(block_size, '\0');
  for (;;) {
    GAUZE_TRY(const std::size_t got, decoder->read(block));
    if (got == 0) return text;
    text.append(block, 0, got);
  }
}

// "年龄,城市\n39,北京\n" in GB 18030.
constexpr std::string_view kChinese = "\xC4\xEA\xC1\xE4,\xB3\xC7\xCA\xD0\n39,\xB1\xB1\xBE\xA9\n";

TEST(SniffEncoding, TrustsByteOrderMarks) {
  EXPECT_EQ(sniff_encoding("\xEF\xBB\xBFname"), Encoding::utf8_with_bom);
  EXPECT_EQ(sniff_encoding(std::string_view("\xFF\xFEn\0", 4)), Encoding::utf16le);
  EXPECT_EQ(sniff_encoding(std::string_view("\xFE\xFF\0n", 4)), Encoding::utf16be);
}

TEST(SniffEncoding, PrefersUtf8) {
  EXPECT_EQ(sniff_encoding(""), Encoding::utf8);
  EXPECT_EQ(sniff_encoding("plain"), Encoding::utf8);
  EXPECT_EQ(sniff_encoding("年龄,城市"), Encoding::utf8);
  EXPECT_EQ(sniff_encoding("caf\xC3"), Encoding::utf8) << "cut inside a character";
}

TEST(SniffEncoding, KnowsChineseAndLatin) {
  EXPECT_EQ(sniff_encoding(kChinese), Encoding::gb18030);
  EXPECT_EQ(sniff_encoding("Name,Stadt\nM\xFCller,K\xF6ln\nStra\xDF"
                           "e,Z\xFCrich\n"),
            Encoding::latin1);
  EXPECT_EQ(sniff_encoding("Jos\xE9\nRen\xE9"
                           "e\nZo\xEB\n"),
            Encoding::latin1);
}

TEST(SniffEncoding, AsksWhenNothingIsPlain) { EXPECT_FALSE(sniff_encoding("price\n\x80 5\n\x85\n")); }

// Read as Latin-1, every letter beyond ASCII would be another one: ZÃ¼rich.
TEST(SniffEncoding, DoesNotTakeDamagedUtf8ForAnotherEncoding) {
  EXPECT_FALSE(sniff_encoding("city\nZ\xC3\xBCrich\nK\xFCln\n"));
  EXPECT_EQ(find_damage("city\nZ\xC3\xBCrich\nK\xFCln\n"), 14U);
  EXPECT_FALSE(sniff_encoding("城市\n北京\n\xFF\n"));
  EXPECT_EQ(sniff_encoding("city\nZ\xFCrich\nK\xF6ln\n"), Encoding::latin1);
  EXPECT_FALSE(find_damage("city\nZ\xFCrich\n"));
  EXPECT_FALSE(find_damage("Z\xC3\xBCrich"));
  EXPECT_FALSE(find_damage(""));
}

TEST(ParseEncoding, KnowsCommonNames) {
  EXPECT_EQ(parse_encoding("UTF-8", "").value(), Encoding::utf8);
  EXPECT_EQ(parse_encoding("utf8", "\xEF\xBB\xBFx").value(), Encoding::utf8_with_bom);
  EXPECT_EQ(parse_encoding("GBK", "").value(), Encoding::gb18030);
  EXPECT_EQ(parse_encoding("gb18030", "").value(), Encoding::gb18030);
  EXPECT_EQ(parse_encoding("ISO-8859-1", "").value(), Encoding::latin1);
  EXPECT_EQ(parse_encoding("latin-1", "").value(), Encoding::latin1);
  EXPECT_EQ(parse_encoding("utf-16", "\xFE\xFF").value(), Encoding::utf16be);
  EXPECT_EQ(parse_encoding("UTF-16LE", "").value(), Encoding::utf16le);
}

TEST(ParseEncoding, RefusesOthers) {
  const auto result = parse_encoding("ebcdic", "");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(result.error().message, HasSubstr("'ebcdic'"));
}

TEST(Decode, ConvertsToUtf8InBlocksOfAnySize) {
  for (const std::size_t block : {1U, 2U, 3U, 7U, 4096U}) {
    EXPECT_EQ(decoded(kChinese, Encoding::gb18030, block).value(), "年龄,城市\n39,北京\n");
    EXPECT_EQ(decoded("M\xFCller", Encoding::latin1, block).value(), "Müller");
    EXPECT_EQ(decoded("\xEF\xBB\xBF"
                      "a\xC3\xA9",
                      Encoding::utf8_with_bom, block)
                  .value(),
              "aé");
    EXPECT_EQ(decoded(std::string_view("\xFF\xFE"
                                       "a\0\xE9\0",
                                       6),
                      Encoding::utf16le, block)
                  .value(),
              "aé");
    EXPECT_EQ(decoded(std::string_view("\xFE\xFF\0a\0\xE9", 6), Encoding::utf16be, block).value(), "aé");
  }
}

TEST(Decode, ConvertsFourByteCharacters) {
  EXPECT_EQ(decoded("\x81\x30\x81\x30", Encoding::gb18030).value(), "\xC2\x80");
  EXPECT_EQ(decoded(std::string_view("\x3D\xD8\x00\xDE", 4), Encoding::utf16le).value(), "\xF0\x9F\x98\x80");
}

TEST(Decode, TakesAMarkOnlyFromTheFront) {
  EXPECT_EQ(decoded("\xEF\xBB", Encoding::utf8_with_bom).value(), "\xEF\xBB");
  EXPECT_EQ(decoded("", Encoding::utf8_with_bom).value(), "");
  EXPECT_EQ(decoded("x\xEF\xBB\xBF", Encoding::utf8_with_bom).value(), "x\xEF\xBB\xBF");
}

TEST(Decode, RefusesWhatIsNoText) {
  for (const std::string_view bytes : {std::string_view("ab\xFF\xFF"), std::string_view("ab\xC4")}) {
    const auto result = decoded(bytes, Encoding::gb18030);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::bad_data);
    EXPECT_THAT(result.error().message, HasSubstr("'x.csv': the file is not text in the encoding gb18030"));
  }
  EXPECT_FALSE(decoded(std::string_view("\x00\xDC\x41\x00", 4), Encoding::utf16le)) << "half a pair of surrogates";
}

TEST(Decode, AnswersForAnyBytes) {
  EXPECT_TRUE(rc::check("any bytes in any encoding", [](const std::string& bytes) {
    for (const auto encoding : {Encoding::gb18030, Encoding::latin1, Encoding::utf16le, Encoding::utf8_with_bom}) {
      const auto small = decoded(bytes, encoding, 3);
      const auto large = decoded(bytes, encoding, 4096);
      RC_ASSERT(small.has_value() == large.has_value());
      if (small) RC_ASSERT(*small == *large);
    }
    static_cast<void>(sniff_encoding(bytes));
  }));
}

TEST(Encode, IsTheWayBack) {
  std::string text = "a,牛奶,\U0001F600,é\n";
  while (text.size() < (std::size_t{3} << 20)) text += text;  // more than one piece, cut inside letters or not
  for (const Encoding encoding : {Encoding::utf8, Encoding::utf16le, Encoding::utf16be, Encoding::gb18030}) {
    const std::string bytes = encode(text, encoding).value();
    TextSource source(bytes);
    const auto decoder = decode(source, encoding, "the text").value();
    std::string back(text.size() + 1, '\0');
    back.resize(read_fully(*decoder, back).value());
    EXPECT_EQ(back == text, true) << to_string(encoding);
  }
  EXPECT_EQ(encode("é", Encoding::latin1).value(), "\xE9");
  EXPECT_EQ(encode("牛", Encoding::latin1).error().code, ErrorCode::bad_data);
  EXPECT_EQ(encode("", Encoding::gb18030).value(), "");
}

TEST(Encoding, HasANameForPeople) {
  EXPECT_EQ(to_string(Encoding::utf8), "utf-8");
  EXPECT_EQ(to_string(Encoding::utf8_with_bom), "utf-8");
  EXPECT_EQ(to_string(Encoding::utf16le), "utf-16");
  EXPECT_EQ(to_string(Encoding::utf16be), "utf-16");
  EXPECT_EQ(to_string(Encoding::gb18030), "gb18030");
  EXPECT_EQ(to_string(Encoding::latin1), "latin-1");
}

}  // namespace encoding_test
}  // namespace gauze::table
