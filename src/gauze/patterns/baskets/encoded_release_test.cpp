// Releases of files in other encodings and with other delimiters, and the way back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/baskets/basket_release.h"

namespace gauze::patterns {
namespace encoded_release_test {

using ::testing::HasSubstr;

const std::vector<Edit> kEdits = {{0, 0, Operation::mark}, {1, 1, Operation::remove}};

TEST(EncodedRelease, IsWrittenAsTheOriginalAndComesBackByteForByte) {
  const std::string text = "牛奶,面包,奶酪\r\n牛奶,面包\r\n奶酪\r\n";
  const std::string marked = "?牛奶,面包,奶酪\r\n牛奶\r\n奶酪\r\n";
  for (const auto& [encoding, mark] : {std::pair(table::Encoding::gb18030, std::string()),
                                       std::pair(table::Encoding::utf16le, std::string("\xFF\xFE")),
                                       std::pair(table::Encoding::utf16be, std::string("\xFE\xFF"))}) {
    const std::string original = mark + table::encode(text, encoding).value();
    const BasketFile file = BasketFile::parse(original, std::nullopt).value();
    EXPECT_EQ(file.bytes(), text);
    const auto release = write_release(file, kEdits, MarkStyle::anchored);
    ASSERT_TRUE(release) << release.error().message;
    EXPECT_EQ(release->bytes, mark + table::encode(marked, encoding).value());
    EXPECT_TRUE(reads_back_by_itself(release->bytes, file.reading()));
    EXPECT_EQ(restore(release->bytes, release->marks).value(), original);
    const auto shuffled = write_release(file, kEdits, MarkStyle::anonymous, RowOrder::shuffled);
    ASSERT_TRUE(shuffled) << shuffled.error().message;
    EXPECT_EQ(restore(shuffled->bytes, shuffled->marks, file.reading()).value(), original);
    const std::string ordered = in_original_order(shuffled->bytes, shuffled->marks, file.reading()).value();
    EXPECT_EQ(BasketFile::parse(ordered, file.reading())->database().rows(), 3U);
  }
}

TEST(EncodedRelease, AnEncodingThatIsNotSeenMustBeTold) {
  BasketReading reading;
  reading.encoding = "latin-1";
  const BasketFile file = BasketFile::parse("caf\xE9,th\xE9\ncaf\xE9,th\xE9\n", reading).value();
  EXPECT_EQ(file.database().names.at(0), "café");
  const auto release = write_release(file, kEdits, MarkStyle::anchored);
  EXPECT_EQ(release->bytes, "?caf\xE9,th\xE9\ncaf\xE9\n");
  EXPECT_FALSE(reads_back_by_itself(release->bytes, file.reading()));
  EXPECT_FALSE(restore(release->bytes, release->marks)) << "nobody said which encoding";
  EXPECT_TRUE(restore(release->bytes, release->marks, reading));
}

TEST(EncodedRelease, ADelimiterThatIsNotSeenMustBeTold) {
  BasketReading reading;
  reading.delimiter = ';';
  const BasketFile file = BasketFile::parse("a;b, c;d\na;b, c\n", reading).value();
  EXPECT_EQ(file.format(), BasketFormat::csv);
  EXPECT_EQ(file.database().names, (std::vector<std::string>{"a", "b, c", "d"}));
  const auto release = write_release(file, kEdits, MarkStyle::anonymous);
  EXPECT_EQ(release->bytes, "?;b, c;d\na\n");
  EXPECT_FALSE(reads_back_by_itself(release->bytes, file.reading()));
  EXPECT_EQ(restore(release->bytes, release->marks, file.reading()).value(), file.bytes());
}

TEST(EncodedRelease, AFormatThatIsNotThatOfTheReleaseIsTold) {
  const BasketFile dat = BasketFile::parse("A B, C\nA B, C\n", BasketFormat::dat).value();
  const auto release = write_release(dat, std::vector<Edit>{{1, 1, Operation::mark}}, MarkStyle::anchored);
  const auto wrong = restore(release->bytes, release->marks, BasketFormat::long_table);
  EXPECT_EQ(wrong.error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(wrong.error().message, HasSubstr("but was read as long"));
  const BasketFile table = BasketFile::parse("who,what\n1,a\n1,b\n2,a\n", BasketFormat::long_table).value();
  const auto rows = write_release(table, std::vector<Edit>{{1, 0, Operation::mark}}, MarkStyle::anchored);
  EXPECT_THAT(restore(rows->bytes, rows->marks, BasketFormat::csv).error().message,
              HasSubstr("the release is a long file, but was read as csv"));
  EXPECT_EQ(restore(rows->bytes, rows->marks).value(), table.bytes()) << "what is not given is what fits";
}

}  // namespace encoded_release_test
}  // namespace gauze::patterns
