#include "gauze/patterns/baskets/basket_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::patterns {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

BasketFile parsed(const std::string& text, std::optional<BasketFormat> format = std::nullopt) {
  auto file = BasketFile::parse(text, format);
  EXPECT_TRUE(file) << file.error().message;
  return *std::move(file);
}

std::vector<std::string> names_of(const Database& database, std::size_t row) {
  std::vector<std::string> names;
  for (const Item item : database.row(row)) names.push_back(database.names[item]);
  return names;
}

TEST(BasketFile, ReadsLinesOfNumbers) {
  const BasketFile file = parsed("1 2 3\n\n2\t 3  \r\n# a remark\n3 3 1");
  EXPECT_EQ(file.format(), BasketFormat::dat);
  const Database& database = file.database();
  ASSERT_EQ(database.rows(), 4U) << "blank lines are transactions, comments are not";
  EXPECT_THAT(names_of(database, 0), ElementsAre("1", "2", "3"));
  EXPECT_TRUE(database.row(1).empty());
  EXPECT_THAT(names_of(database, 2), ElementsAre("2", "3"));
  EXPECT_THAT(names_of(database, 3), ElementsAre("1", "3"));
  EXPECT_EQ(file.notes().empty_rows, 1U);
  EXPECT_EQ(file.notes().repeated_items, 1U);
  EXPECT_EQ(file.notes().comment_lines, 1U);
  EXPECT_TRUE(file.notes().carriage_returns);
}

TEST(BasketFile, ReadsRaggedCsvWithQuotedAndChineseNames) {
  const BasketFile file = parsed("\xEF\xBB\xBF牛奶,\"bread, white\"\nhe said \"\"hm,whole milk\n\"a \"\"b\"\"\"\n");
  EXPECT_EQ(file.format(), BasketFormat::csv);
  EXPECT_THAT(names_of(file.database(), 0), ElementsAre("牛奶", "bread, white"));
  EXPECT_THAT(names_of(file.database(), 2), ElementsAre("a \"b\""));
  EXPECT_TRUE(file.notes().byte_order_mark);
  const auto tokens = file.tokens(0);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(file.bytes().substr(tokens[1].begin, tokens[1].end - tokens[1].begin), "\"bread, white\"");
}

TEST(BasketFile, ReadsAMatrixWithUnknownCells) {
  const BasketFile file = parsed("a,b,c\n1,0,?\n0,0,0\n1,1,1\n");
  EXPECT_EQ(file.format(), BasketFormat::matrix);
  EXPECT_EQ(file.database().rows(), 3U);
  EXPECT_THAT(names_of(file.database(), 0), ElementsAre("a"));
  EXPECT_THAT(std::vector<Item>(file.database().marks_of(0).begin(), file.database().marks_of(0).end()),
              ElementsAre(2));
}

TEST(BasketFile, MarksAreReadBack) {
  const BasketFile file = parsed("A ?B ? ?\nB\n");
  const Database& database = file.database();
  EXPECT_THAT(names_of(database, 0), ElementsAre("A"));
  EXPECT_EQ(database.marks_of(0).size(), 1U);
  EXPECT_EQ(database.anonymous_of(0), 2U);
  EXPECT_EQ(database.anonymous_of(1), 0U);
  EXPECT_TRUE(database.has_marks());
  EXPECT_EQ(parsed("A ?A\n").database().marks.size(), 0U) << "what is there is not unknown";
}

TEST(BasketFile, DamageIsRefusedWithItsLine) {
  const auto message = [](const std::string& text, std::optional<BasketFormat> format = std::nullopt) {
    const auto file = BasketFile::parse(text, format);
    return file ? std::string("read") : file.error().message;
  };
  EXPECT_THAT(message("a,\"b\nc,d\n"), HasSubstr("line 1"));
  EXPECT_THAT(message("a,b\n\"c\" d,e\n"), HasSubstr("line 2"));
  EXPECT_THAT(message("a,b\n1,0\n1\n", BasketFormat::matrix), HasSubstr("line 3"));
  EXPECT_THAT(message("a,b\n1,2\n", BasketFormat::matrix), HasSubstr("line 2"));
  EXPECT_THAT(message("a,a\n1,0\n", BasketFormat::matrix), HasSubstr("twice"));
  EXPECT_THAT(message("", BasketFormat::matrix), HasSubstr("names"));
  EXPECT_THAT(message(std::string("a\0b", 3)), HasSubstr("NUL"));
  EXPECT_THAT(message("\xff\xfe"), HasSubstr("UTF-8"));
  EXPECT_FALSE(BasketFile::read("/no/such/file", std::nullopt));
}

TEST(BasketFile, EmptyAndTinyFilesAreFiles) {
  EXPECT_EQ(parsed("").database().rows(), 0U);
  EXPECT_EQ(parsed("\n").database().rows(), 1U);
  EXPECT_EQ(parsed("x").database().rows(), 1U);
  EXPECT_EQ(parsed("# only\n").database().rows(), 0U);
}

}  // namespace
}  // namespace gauze::patterns
