#include "gauze/patterns/baskets/basket_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::patterns {
namespace basket_file_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

BasketFile parsed(const std::string& text, const BasketReading& reading = {}) {
  auto file = BasketFile::parse(text, reading);
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
  const auto cells = file.cells(0);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(file.bytes().substr(cells[1].begin, cells[1].end - cells[1].begin), "\"bread, white\"");
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

TEST(BasketFile, AQuestionMarkBeforeANameIsAlwaysAMark) {
  // There is no way to write an item whose name begins with a question mark, but in the header of a matrix.
  const BasketFile dat = parsed("?A ??B ??\nA ?B\n", BasketFormat::dat);
  EXPECT_EQ(dat.database().items.size(), 1U);
  EXPECT_THAT(dat.database().names, ElementsAre("A", "?B", "?", "B"));
  EXPECT_EQ(dat.database().marks.size(), 4U);
  const BasketFile csv = parsed("\"?A, b\",?\"A, b\",? c,\"?\"\n", BasketFormat::csv);
  EXPECT_THAT(csv.database().names, ElementsAre("A, b", "c")) << "quotes may stand on either side of the mark";
  EXPECT_EQ(csv.database().marks.size(), 2U);
  EXPECT_EQ(csv.database().anonymous_of(0), 1U);
  const BasketFile matrix = parsed("?A,B\n1,0\n?,1\n");
  EXPECT_EQ(matrix.format(), BasketFormat::matrix);
  EXPECT_THAT(names_of(matrix.database(), 0), ElementsAre("?A"));
}

TEST(BasketFile, ReadsALongTable) {
  const BasketFile file = parsed(
      "\xEF\xBB\xBForder_id,amount,Product\r\n7,1,milk\r\n# a remark\r\n8,2,\"bread, white\"\r\n7,1,bread\r\n\r\n9,,\r\n"
      "8,1,?milk\r\n8,1,?\r\n7,3,milk");
  EXPECT_EQ(file.format(), BasketFormat::long_table);
  const Database& database = file.database();
  ASSERT_EQ(database.rows(), 3U) << "in the order of their first lines; a blank line is none";
  EXPECT_THAT(names_of(database, 0), ElementsAre("milk", "bread"));
  EXPECT_THAT(names_of(database, 1), ElementsAre("bread, white"));
  EXPECT_TRUE(database.row(2).empty());
  EXPECT_EQ(database.marks_of(1).size(), 1U);
  EXPECT_EQ(database.anonymous_of(1), 1U);
  EXPECT_EQ(file.notes().repeated_items, 1U);
  EXPECT_EQ(file.notes().empty_rows, 1U);
  const auto cells = file.cells(1);
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(file.bytes().substr(cells[0].begin, cells[0].end - cells[0].begin), "\"bread, white\"");
  EXPECT_EQ(file.bytes().substr(cells[1].line_begin, cells[1].line_end - cells[1].line_begin), "8,1,?milk");
}

TEST(BasketFile, FindsTheColumnsOfALongTable) {
  const std::string odd = "who;what;why\n1;a;x\n1;b;x\n2;a;y\n";
  EXPECT_NE(parsed(odd).format(), BasketFormat::long_table) << "unknown names are no long table by themselves";
  EXPECT_EQ(parsed(odd, BasketFormat::long_table).database().rows(), 2U) << "the first two columns";
  BasketReading reading;
  reading.item = "why";
  EXPECT_THAT(parsed(odd, reading).database().names, ElementsAre("x", "y")) << "a column given means a long table";
  EXPECT_EQ(parsed(odd, reading).reading().transaction, "who");
  reading.transaction = "what";
  EXPECT_EQ(parsed(odd, reading).database().rows(), 2U);
  EXPECT_EQ(parsed("Item\tTID\nx\t1\n\t1\ny\t2\n").database().rows(), 2U) << "tabs; an empty cell is no item";
  EXPECT_EQ(parsed("StockCode|InvoiceNo\nx|1\n").format(), BasketFormat::long_table);
  EXPECT_EQ(parsed("交易序號,項目\nT1,牛奶\n").format(), BasketFormat::long_table);
  EXPECT_EQ(parsed("milk,item\nbread,milk\n").format(), BasketFormat::csv);
  EXPECT_EQ(parsed("transaction item\n1 2\n").format(), BasketFormat::dat);
}

TEST(BasketFile, ALongTableThatIsNoneIsRefused) {
  const auto message = [](const std::string& text, BasketReading reading = {}) {
    reading.format = BasketFormat::long_table;
    const auto file = BasketFile::parse(text, reading);
    return file ? std::string("read") : file.error().message;
  };
  EXPECT_THAT(message(""), HasSubstr("names of its columns"));
  EXPECT_THAT(message("tid\n1\n"), HasSubstr("names its columns"));
  EXPECT_THAT(message("tid,item\n1\n"), HasSubstr("line 2"));
  EXPECT_THAT(message("tid,item\n1,a,b\n"), HasSubstr("line 2"));
  EXPECT_THAT(message("tid,item\n,a\n"), HasSubstr("line 2"));
  EXPECT_THAT(message("tid,item,item\n1,a,b\n"), HasSubstr("same name"));
  BasketReading reading;
  reading.item = "itm";
  EXPECT_THAT(message("tid,item\n1,a\n", reading), HasSubstr("item"));
  reading.item = "tid";
  EXPECT_THAT(message("tid,item\n1,a\n", reading), HasSubstr("different"));
  reading.format = BasketFormat::dat;
  EXPECT_FALSE(BasketFile::parse("1 2\n", reading));
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
  EXPECT_THAT(message("a b\nc\rd\n"), HasSubstr("line 2: a carriage return"));
  EXPECT_THAT(message("\xff A"), HasSubstr("UTF-8"));
  EXPECT_FALSE(BasketFile::read("/no/such/file", std::nullopt));
}

TEST(BasketFile, EmptyAndTinyFilesAreFiles) {
  EXPECT_EQ(parsed("").database().rows(), 0U);
  EXPECT_EQ(parsed("\n").database().rows(), 1U);
  EXPECT_EQ(parsed("x").database().rows(), 1U);
  EXPECT_EQ(parsed("# only\n").database().rows(), 0U);
}

TEST(BasketFile, NamesOfAMatrixMayHaveBlanksAndOtherSignsInThem) {
  for (const std::string text : {"red wine\tblue cheese\n1\t0\n1\t1\n", "red wine;blue cheese\n1;0\n1;1\n",
                                 "red wine,blue cheese\n1, 0\n1, 1\n", "\"red wine\" \"blue cheese\"\n1 0\n1 1\n",
                                 "# shop\nred wine\tblue cheese\n# day 1\n1\t0\n1\t1\n"}) {
    const BasketFile matrix = parsed(text);
    EXPECT_EQ(matrix.format(), BasketFormat::matrix) << text;
    EXPECT_THAT(matrix.database().names, ElementsAre("red wine", "blue cheese")) << text;
    EXPECT_THAT(names_of(matrix.database(), matrix.database().rows() - 1), ElementsAre("red wine", "blue cheese"));
  }
  EXPECT_THAT(parsed("wine, red;cheese\n1;0\n").database().names, ElementsAre("wine, red", "cheese"));
  EXPECT_THAT(parsed("wine; red\tcheese, blue\n1\t0\n").database().names, ElementsAre("wine; red", "cheese, blue"));
  // Tabs that only make room are blanks.
  EXPECT_THAT(parsed("a\t\tb c\n1\t\t0 1\n").database().names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(parsed("a\tb c\n1\t0 1\n").database().names, ElementsAre("a", "b", "c"));
}

TEST(BasketFile, MarksAloneAreNoMatrix) {
  EXPECT_EQ(parsed("x y\n? ?\n? ?").format(), BasketFormat::dat);
  EXPECT_EQ(parsed("x,y\n?,?\n").format(), BasketFormat::csv);
  EXPECT_EQ(parsed("x ?\n1 0\n").format(), BasketFormat::dat) << "an item has a name";
  EXPECT_EQ(parsed("x y\n? ?\n? 0").format(), BasketFormat::matrix);
  EXPECT_EQ(parsed("\"x ?\" y\n1 0\n").format(), BasketFormat::matrix);
}

TEST(BasketFile, WhatStandsInQuotesSeparatesNothing) {
  const BasketFile matrix = parsed("\"a,b\";c\n1;0\n1;1\n");
  EXPECT_EQ(matrix.format(), BasketFormat::matrix);
  EXPECT_EQ(matrix.delimiter(), ';');
  EXPECT_THAT(names_of(matrix.database(), 0), ElementsAre("a,b"));
  EXPECT_EQ(parsed("\"a;\"\",b\"\tc\n1\t0\n").delimiter(), '\t') << "a doubled quote does not end the name";
  EXPECT_EQ(parsed("a\" d,b;c\n").format(), BasketFormat::csv);
  const BasketFile table = parsed("\"n, of it\";tid;item\n5;1;a\n");
  EXPECT_EQ(table.format(), BasketFormat::long_table);
  EXPECT_EQ(table.delimiter(), ';');
}

TEST(BasketFile, ADelimiterThatIsGivenSeparates) {
  const auto with = [](char delimiter, std::optional<BasketFormat> format = std::nullopt) {
    BasketReading reading(format);
    reading.delimiter = delimiter;
    return reading;
  };
  EXPECT_THAT(names_of(parsed("whole milk;tea\n", with(';')).database(), 0), ElementsAre("whole milk", "tea"));
  EXPECT_THAT(names_of(parsed("a b\tc\n", with('\t')).database(), 0), ElementsAre("a b", "c"));
  EXPECT_EQ(parsed("a b\n", with(' ')).format(), BasketFormat::dat);
  const BasketFile matrix = parsed("a|b\n1|0\n1|1\n", with('|'));
  EXPECT_EQ(matrix.format(), BasketFormat::matrix);
  EXPECT_THAT(names_of(matrix.database(), 0), ElementsAre("a"));
  const BasketFile table = parsed("order:item\n1:a,b\n", with(':'));
  EXPECT_EQ(table.format(), BasketFormat::long_table);
  EXPECT_THAT(names_of(table.database(), 0), ElementsAre("a,b"));
  for (const char bad : {'a', '7', '"', '?', '#', '\n', '\0', '\x80'})
    EXPECT_EQ(BasketFile::parse("a;b\n", with(bad)).error().code, ErrorCode::invalid_parameter) << bad;
  EXPECT_EQ(BasketFile::parse("a;b\n", with(';', BasketFormat::dat)).error().code, ErrorCode::invalid_parameter);
}

TEST(BasketFile, ADelimiterThatWasNotUsedIsNoticed) {
  EXPECT_EQ(parsed("milk;bread\nmilk;tea\nbread\n").notes().other_delimiter, ";");
  EXPECT_EQ(parsed("whole milk;bread\nwhole milk;tea\n").notes().other_delimiter, ";") << "names may have blanks";
  EXPECT_EQ(parsed("whole milk;bread\nwhole milk\nwhole milk;tea\n").notes().other_delimiter, ";") << "alone, too";
  EXPECT_EQ(parsed("milk|bread\n\n# a;b\nmilk|tea\n").notes().other_delimiter, "|");
  EXPECT_EQ(parsed("牛奶，面包\n牛奶，茶\n").notes().other_delimiter, "，");
  EXPECT_EQ(parsed("milk;bread, white\nmilk;tea\n").notes().other_delimiter, ";");
  EXPECT_EQ(parsed("a,b\na,c\n", BasketFormat::dat).notes().other_delimiter, ",");
  for (const char* fine :
       {"1 2 3\n4 5\n", "a\tb\na\tc\n", "a,b;c\na,d;e\n", "milk\nbread\n", "", "a;b c\nd e\nf g\n"})
    EXPECT_EQ(parsed(fine).notes().other_delimiter, "") << fine;
  EXPECT_EQ(parsed("tid;item\n1;a\n").notes().other_delimiter, "");
}

}  // namespace basket_file_test
}  // namespace gauze::patterns
