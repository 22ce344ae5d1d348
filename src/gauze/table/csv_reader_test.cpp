#include "gauze/table/csv_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gauze/table/csv_text.h"

namespace gauze::table {
namespace csv_reader_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Rows = std::vector<std::vector<std::string>>;

/// Hands out a text in small blocks, so that records are cut everywhere.
class Crumbs : public ByteSource {
 public:
  Crumbs(std::string_view text, std::size_t size) : rest_(text), size_(size) {}
  Result<std::size_t> read(std::span<char> block) override {
    const std::size_t size = std::min({block.size(), rest_.size(), size_});
    std::copy_n(rest_.begin(), size, block.begin());
    rest_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view rest_;
  std::size_t size_;
};

struct Reading {
  Rows rows;
  std::vector<std::uint64_t> lines;
  CsvTraits traits;
  std::string error;
};

Reading read(std::string_view text, const CsvDialect& dialect = {}, std::size_t crumb = 1U << 20) {
  Crumbs source(text, crumb);
  CsvReader reader(source, dialect, "'x.csv'");
  Reading reading;
  std::vector<std::string_view> cells;
  for (;;) {
    const auto more = reader.next(cells);
    if (!more) reading.error = more.error().message;
    if (!more || !*more) break;
    reading.rows.emplace_back(cells.begin(), cells.end());
    reading.lines.push_back(reader.line());
  }
  reading.traits = reader.traits();
  return reading;
}

TEST(CsvReader, ReadsCellsAsTheyAreWritten) {
  EXPECT_THAT(read("a,b\n1, x \n").rows, ElementsAre(ElementsAre("a", "b"), ElementsAre("1", " x ")));
}

TEST(CsvReader, ReadsAllThreeLineEndsAndNoneAtTheEnd) {
  const auto expected = ElementsAre(ElementsAre("a", "b"), ElementsAre("1", "2"), ElementsAre("3", "4"));
  EXPECT_THAT(read("a,b\n1,2\n3,4").rows, expected);
  EXPECT_THAT(read("a,b\r\n1,2\r\n3,4\r\n").rows, expected);
  EXPECT_THAT(read("a,b\r1,2\r3,4\r").rows, expected);
  EXPECT_THAT(read("a,b\r1,2\r\n3,4\n").rows, expected);
}

TEST(CsvReader, SaysWhichLineEndsItMet) {
  EXPECT_TRUE(read("a\n").traits.lf);
  EXPECT_TRUE(read("a\r\n").traits.crlf);
  EXPECT_FALSE(read("a\r\n").traits.lf);
  EXPECT_TRUE(read("a\rb").traits.cr);
}

TEST(CsvReader, ReadsQuotedCells) {
  EXPECT_THAT(read("\"a,b\",\"say \"\"hi\"\"\"\n\"line\nend\",\"\"\n").rows,
              ElementsAre(ElementsAre("a,b", "say \"hi\""), ElementsAre("line\nend", "")));
}

TEST(CsvReader, AllowsBlanksAroundQuotes) {
  const auto reading = read("1, \"x, y\" ,2\n");
  EXPECT_THAT(reading.rows, ElementsAre(ElementsAre("1", "x, y", "2")));
  EXPECT_TRUE(reading.traits.blanks_at_quotes);
}

TEST(CsvReader, TakesAQuoteInsideACellForALetter) {
  const auto reading = read("5\" disc,x\n");
  EXPECT_THAT(reading.rows, ElementsAre(ElementsAre("5\" disc", "x")));
  EXPECT_TRUE(reading.traits.stray_quotes);
}

TEST(CsvReader, ReadsWithoutQuotes) {
  EXPECT_THAT(read("\"a,b\"\n", {',', '\0'}).rows, ElementsAre(ElementsAre("\"a", "b\"")));
}

TEST(CsvReader, ReadsSingleQuotes) {
  EXPECT_THAT(read("'a,''b',\"c\"\n", {',', '\''}).rows, ElementsAre(ElementsAre("a,'b", "\"c\"")));
}

TEST(CsvReader, ReadsOneColumnWithoutDelimiter) {
  EXPECT_THAT(read("a,b\nc;d\n", {'\0', '"'}).rows, ElementsAre(ElementsAre("a,b"), ElementsAre("c;d")));
}

TEST(CsvReader, TakesSeveralSpacesForOne) {
  const auto reading = read("a b  c \n  d \"\" e\n   \nf g h", {' ', '"'}, 1);
  EXPECT_THAT(reading.rows,
              ElementsAre(ElementsAre("a", "b", "c"), ElementsAre("d", "", "e"), ElementsAre("f", "g", "h")));
  EXPECT_TRUE(reading.traits.space_runs);
  EXPECT_FALSE(read("a b\nc d\n", {' ', '"'}).traits.space_runs);
}

TEST(CsvReader, KeepsEmptyCells) {
  EXPECT_THAT(read(",\n,,\n").rows, ElementsAre(ElementsAre("", ""), ElementsAre("", "", "")));
}

TEST(CsvReader, SkipsBlankLinesButNotQuotedNothing) {
  const auto reading = read("a\n\n  \n\"\"\nb\n\n");
  EXPECT_THAT(reading.rows, ElementsAre(ElementsAre("a"), ElementsAre(""), ElementsAre("b")));
  EXPECT_THAT(reading.lines, ElementsAre(1, 4, 5));
  EXPECT_TRUE(reading.traits.blank_lines);
  EXPECT_TRUE(reading.traits.lines_of_blanks);
}

TEST(CsvReader, CountsLinesInsideQuotes) { EXPECT_THAT(read("\"1\n2\r\n3\",x\ny,z\n").lines, ElementsAre(1, 4)); }

TEST(CsvReader, RefusesTextAfterAClosingQuote) {
  const auto reading = read("a,b\n\"x\"y,2\n");
  EXPECT_THAT(reading.error, HasSubstr("'x.csv': line 2 has text after a closing quote"));
}

TEST(CsvReader, RefusesAnOpenQuote) { EXPECT_THAT(read("a\n\"x\n\n").error, HasSubstr("line 2 opens a quote")); }

TEST(CsvReader, RefusesNulBytes) {
  EXPECT_THAT(read(std::string_view("a\nb\0c\n", 6)).error, HasSubstr("line 2 holds a NUL byte"));
  EXPECT_THAT(read(std::string_view("a\n\"b\0c\"\n", 8)).error, HasSubstr("NUL"));
}

TEST(CsvReader, RefusesWhatIsNotUtf8AndNamesTheLine) {
  EXPECT_THAT(read("a\nb\nM\xFCller\n").error, HasSubstr("line 3 is not UTF-8"));
  EXPECT_THAT(read("a\nb\xC3").error, HasSubstr("line 2 is not UTF-8")) << "cut inside a character";
}

TEST(CsvReader, ReadsLongRecords) {
  const std::string cell(3'000'000, 'x');
  const auto reading = read(cell + ",\"" + cell + "\"\n1,2\n", {}, 100'000);
  ASSERT_EQ(reading.rows.size(), 2U);
  EXPECT_EQ(reading.rows[0][1], cell);
  EXPECT_GT(reading.traits.longest_record, 6'000'000U);
}

TEST(CsvReader, RefusesEndlessRecords) {
  class Endless : public ByteSource {
    Result<std::size_t> read(std::span<char> block) override {
      std::fill(block.begin(), block.end(), 'x');
      return block.size();
    }
  } source;
  CsvReader reader(source, {}, "'x.csv'");
  std::vector<std::string_view> cells;
  const auto more = reader.next(cells);
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error().message, HasSubstr("longer than 64 MiB"));
}

TEST(CsvReader, NeverQuotesCells) {
  for (const char* text : {"secret,\"secret\"secret\n", "\"secret", "secret\xFF\n"})
    EXPECT_EQ(read(text).error.find("secret"), std::string::npos);
}

TEST(CsvReader, ReadsWhatWasWrittenHoweverItIsCut) {
  EXPECT_TRUE(rc::check("any cells, any blocks", [] {
    const auto cell =
        rc::gen::container<std::string>(rc::gen::element('a', '"', ',', ';', '\n', '\r', ' ', '\t', '\''));
    const auto columns = *rc::gen::inRange<std::size_t>(1, 5);
    const auto rows = *rc::gen::container<Rows>(rc::gen::container<std::vector<std::string>>(columns, cell));
    const char delimiter = *rc::gen::element(',', ';', '\t', '|');
    std::string text;
    for (const auto& row : rows) append_csv_line(text, row, delimiter);
    const auto reading = read(text, {delimiter, '"'}, *rc::gen::inRange<std::size_t>(1, 20));
    RC_ASSERT(reading.error.empty());
    RC_ASSERT(reading.rows == rows);
    RC_ASSERT(!reading.traits.blanks_at_quotes && !reading.traits.stray_quotes && !reading.traits.blank_lines);
  }));
}

TEST(CsvText, QuotesOnlyWhereItMust) {
  std::string line;
  append_csv_line(line, std::vector<std::string>{"a b", "c;d", "", "e,f", "g\"h", " i", "j\nk"}, ',');
  EXPECT_EQ(line, "a b,c;d,,\"e,f\",\"g\"\"h\",\" i\",\"j\nk\"\n");
}

TEST(Utf8Checker, KnowsWhatIsWellFormed) {
  for (const char* text : {"plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xEF\xBF\xBF", "\xED\x9F\xBF"}) {
    Utf8Checker checker;
    EXPECT_FALSE(checker.check(text)) << text;
    EXPECT_TRUE(checker.complete());
  }
  for (const char* text :
       {"\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8\x88", "\xC3z"}) {
    Utf8Checker checker;
    EXPECT_TRUE(checker.check(text)) << ::testing::PrintToString(text);
  }
}

TEST(Utf8Checker, GoesOnAcrossBlocks) {
  Utf8Checker checker;
  EXPECT_FALSE(checker.check("abcdefgh\xF0\x9F"));
  EXPECT_FALSE(checker.complete());
  EXPECT_FALSE(checker.check("\x98"));
  EXPECT_EQ(checker.check("\x80xy\xFF"), 3U);
}

}  // namespace csv_reader_test
}  // namespace gauze::table
