// CSV by total rules: every sequence of bytes is a sequence of rows, and a row is the business of nobody but itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gauze/table/csv_reader.h"

namespace gauze::table {
namespace total_rules_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Rows = std::vector<std::vector<std::string>>;

const std::vector<std::string> kOversized = {"<oversized>"};

struct Read {
  Rows rows;
  CsvFault fault = CsvFault::none;
};

/// A source that gives a few bytes at a time.
class Drops : public ByteSource {
 public:
  Drops(std::string_view text, std::size_t drop) : text_(text), drop_(drop) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    return text_.read(block.first(std::min(drop_, block.size())));
  }

 private:
  TextSource text_;
  std::size_t drop_;
};

Read read(std::string_view text, const CsvDialect& dialect = {}, const TotalRules& rules = {}, std::size_t block = 16,
          std::size_t drop = 5) {
  Drops source(text, drop);
  CsvReader reader(source, dialect, "a test", rules, block);
  Read result;
  std::vector<std::string_view> cells;
  for (;;) {
    const auto more = reader.next(cells);
    if (!more) {
      result.fault = reader.fault();
      return result;
    }
    if (!*more) return result;
    result.rows.emplace_back(cells.begin(), cells.end());
    if (reader.is_oversized()) result.rows.back() = kOversized;
  }
}

TEST(TotalRules, RaggedRowsAreRows) {
  EXPECT_THAT(read("a,b\nc\nd,e,f\n").rows,
              ElementsAre(ElementsAre("a", "b"), ElementsAre("c"), ElementsAre("d", "e", "f")));
}

TEST(TotalRules, QuotesInsideAndTextBehindThemBelongToTheCell) {
  EXPECT_THAT(read("a\"b,\"c\"d,\"e\" \"f\"\n").rows, ElementsAre(ElementsAre("a\"b", "cd", "e \"f\"")));
  EXPECT_THAT(read("\"a\"\"b\"c,x\n").rows, ElementsAre(ElementsAre("a\"bc", "x")));
  EXPECT_THAT(read("\"a,b\nc\",x\n").rows, ElementsAre(ElementsAre("a,b\nc", "x")));
  EXPECT_THAT(read("  \"a\",x\n").rows, ElementsAre(ElementsAre("a", "x")));
  EXPECT_THAT(read("\r\v\f\t \"m\nn\",p\n").rows, ElementsAre(ElementsAre("m\nn", "p"))) << "as blanks are trimmed";
  EXPECT_THAT(read("a,\n\"b\rc\"\r", {}, {.line_end = '\r'}).rows, ElementsAre(ElementsAre("a", "b\rc")));
}

TEST(TotalRules, NulAndBytesThatAreNoTextArePassedOn) {
  EXPECT_THAT(read(std::string_view("a\0b,\xFF\xFE\n\"\0\",c\n", 13)).rows,
              ElementsAre(ElementsAre(std::string("a\0b", 3), "\xFF\xFE"), ElementsAre(std::string("\0", 1), "c")));
}

TEST(TotalRules, OnlyAQuoteThatIsNeverClosedFails) {
  EXPECT_EQ(read("a,b\n\"c,d\ne,f\n").fault, CsvFault::open_quote);
  EXPECT_EQ(read("\"").fault, CsvFault::open_quote);
  EXPECT_EQ(read("\"a\"\"").fault, CsvFault::open_quote);
  EXPECT_EQ(read("a\"\n").fault, CsvFault::none);
  EXPECT_EQ(read("\"a\n", {.delimiter = ',', .quote = '\0'}).fault, CsvFault::none);
}

TEST(TotalRules, WhatEndsALineIsSaidBeforehand) {
  EXPECT_THAT(read("a\rb,c\r\nd,e\n").rows, ElementsAre(ElementsAre("a\rb", "c\r"), ElementsAre("d", "e")));
  EXPECT_THAT(read("a,b\rc\n,d\r", {}, {.line_end = '\r'}).rows,
              ElementsAre(ElementsAre("a", "b"), ElementsAre("c\n", "d")));
}

TEST(TotalRules, LinesWithoutContentAreNoRows) {
  EXPECT_THAT(read("\n \t\r\n\na\n").rows, ElementsAre(ElementsAre("a")));
  EXPECT_THAT(read("\"\"\n").rows, ElementsAre(ElementsAre("")));
  EXPECT_THAT(read("").rows, IsEmpty());
}

TEST(TotalRules, AMarkAtTheFrontOfAnyRecordIsDropped) {
  EXPECT_THAT(read("\xEF\xBB\xBF\"a\",b\n\xEF\xBB\xBF"
                   "c,d\ne\xEF\xBB\xBF,f\n")
                  .rows,
              ElementsAre(ElementsAre("a", "b"), ElementsAre("c", "d"), ElementsAre("e\xEF\xBB\xBF", "f")));
}

TEST(TotalRules, SpacesSeparateOnceHoweverMany) {
  EXPECT_THAT(read("a  b c \n  d e\n", {.delimiter = ' '}).rows,
              ElementsAre(ElementsAre("a", "b", "c"), ElementsAre("d", "e")));
}

TEST(TotalRules, ARecordThatIsTooLongIsARowOfItsOwn) {
  const TotalRules rules{.longest_record = 20};
  const std::string fits(20, 'x');
  EXPECT_THAT(read(fits + "\nb\n", {}, rules).rows, ElementsAre(ElementsAre(fits), ElementsAre("b")));
  EXPECT_THAT(read(fits + "x\nb\n", {}, rules).rows, ElementsAre(kOversized, ElementsAre("b")));
  EXPECT_THAT(read(fits, {}, rules).rows, ElementsAre(ElementsAre(fits)));
  EXPECT_THAT(read(fits + "x", {}, rules).rows, ElementsAre(kOversized));
  const std::string quoted = "a,\"" + std::string(100, '\n') + "\"\"\"z,\"q\nr\"\nb\n";
  EXPECT_THAT(read(quoted, {}, rules).rows, ElementsAre(kOversized, ElementsAre("b")));
  EXPECT_EQ(read("a,\"" + std::string(1000, 'y') + "\nb\n", {}, rules).fault, CsvFault::open_quote);
}

const char* const kOddRows[] = {"a,b",
                                "\xFF,\xC3",
                                "\"x\"y,z",
                                "a",
                                "1,2,3,4,5",
                                "\"a\nb\",\"c,d\"",
                                "\"\"\"\"",
                                "\xEF\xBB\xBFq,r",
                                "x\"y,z",
                                " \"s\" ,t",
                                ",,,",
                                "a\rb,\rc",
                                "\r\"m\nn\",p",
                                "0123456789012345678901234567890123456789,1",
                                "\"0123456789\n0123456789\n0123456789\",2"};

// Neighbours: with or without one record, every other record is read as before. Rows with quotes that fit each other.
RC_GTEST_PROP(TotalRules, OneRecordMoreIsOneRowMoreAndNothingElse, ()) {
  const auto record = rc::gen::elementOf(std::vector<std::string>(std::begin(kOddRows), std::end(kOddRows)));
  const auto before = *rc::gen::container<std::vector<std::string>>(record);
  const auto after = *rc::gen::container<std::vector<std::string>>(record);
  const std::string one = *record;
  const TotalRules rules{.line_end = '\n', .longest_record = 30};
  const auto block = *rc::gen::elementOf(std::vector<std::size_t>{3, 8, 64});
  const auto text_of = [](const std::vector<std::string>& records) {
    std::string text;
    for (const auto& each : records) text += each + "\n";
    return text;
  };
  const auto rows_of = [&](const std::string& text) { return read(text, {}, rules, block).rows; };
  Rows expected = rows_of(text_of(before));
  for (const auto& part : {one + "\n", text_of(after)})
    for (auto& row : rows_of(part)) expected.push_back(std::move(row));
  RC_ASSERT(rows_of(text_of(before) + one + "\n" + text_of(after)) == expected);
  RC_ASSERT(rows_of(one + "\n").size() == 1U);
}

RC_GTEST_PROP(TotalRules, WhereBlocksEndMakesNoDifference, ()) {
  const auto letters =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,,\"\"\"\n\n\r \xFF\xEF\xBB\xBF")));
  const TotalRules rules{.line_end = '\n', .longest_record = 12};
  const Read whole = read(letters, {}, rules, 4096, 4096);
  const auto block = *rc::gen::inRange<std::size_t>(1, 40);
  const auto drop = *rc::gen::inRange<std::size_t>(1, 9);
  const Read pieces = read(letters, {}, rules, block, drop);
  RC_ASSERT(pieces.rows == whole.rows);
  RC_ASSERT(pieces.fault == whole.fault);
}

}  // namespace total_rules_test
}  // namespace gauze::table
