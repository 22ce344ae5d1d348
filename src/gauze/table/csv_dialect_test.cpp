#include "gauze/table/csv_dialect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>
#include <sstream>

#include "gauze/base/testing/test_name.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::table {
namespace csv_dialect_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<SniffedCsv> try_sniff(std::string_view text, const SniffOptions& options = {}, bool whole = true) {
  return sniff_csv(text, whole, options, MissingTokens{}, "'x.csv'");
}

SniffedCsv sniff(std::string_view text, const SniffOptions& options = {}, bool whole = true) {
  return try_sniff(text, options, whole).value();
}

TEST(SniffCsv, FindsTheDelimiter) {
  EXPECT_EQ(sniff("a,b\n1,2\n").dialect.delimiter, ',');
  EXPECT_EQ(sniff("a;b\n1;2\n").dialect.delimiter, ';');
  EXPECT_EQ(sniff("a\tb\n1\t2\n").dialect.delimiter, '\t');
  EXPECT_EQ(sniff("a|b\n1|2\n").dialect.delimiter, '|');
  EXPECT_EQ(sniff("a b c\n1 2 3\n").dialect.delimiter, ' ');
  EXPECT_EQ(sniff("you 123\nI 45\n").dialect.delimiter, ' ');
}

TEST(SniffCsv, TakesCommaAndBlankForAComma) {
  const auto sniffed = sniff("39, State-gov, 77516\n50, Private, 83311\n");
  EXPECT_EQ(sniffed.dialect.delimiter, ',');
  EXPECT_FALSE(sniffed.header);
  EXPECT_THAT(sniffed.first_record, ElementsAre("39", "State-gov", "77516"));
}

TEST(SniffCsv, KnowsDecimalCommas) {
  EXPECT_EQ(sniff("a;1,5;2,5\nb;2,5;3,5\n").dialect.delimiter, ';');
  EXPECT_EQ(sniff("1,5;2,5;3,5\n2,5;3,5;4,5\n").dialect.delimiter, ';');
}

TEST(SniffCsv, PrefersMoreCellsAmongEquals) { EXPECT_EQ(sniff("a,b,c;d\ne,f,g;h\n").dialect.delimiter, ','); }

TEST(SniffCsv, LooksIntoQuotes) {
  EXPECT_EQ(sniff("\"a;b\",\"c;d\"\n\"e\",\"f;g;h\"\n").dialect.delimiter, ',');
  EXPECT_EQ(sniff("x;\"a,b\"\ny;\"c,\nd\"\n").dialect.delimiter, ';');
}

TEST(SniffCsv, ReadsOneColumn) {
  for (const char* text :
       {"name\nAnn\nBob\n", "name\nAnn Lee\nBob Ray\n", "text\nyes, I do\nno\nwell, well, well\n"}) {
    const auto sniffed = sniff(text);
    EXPECT_EQ(sniffed.dialect.delimiter, '\0') << text;
    EXPECT_TRUE(sniffed.header);
    EXPECT_EQ(sniffed.first_record.size(), 1U);
  }
}

TEST(SniffCsv, DoesNotTakeRaggedLinesForOneColumn) {
  EXPECT_EQ(sniff("a,b,c\nd,e\nf\n").dialect.delimiter, ',');
  EXPECT_EQ(
      sniff("|1x3 Cross validator\n25, Private, 7\n38, Private, 9\n28, Local-gov, 12\n18, ?, 10\n34, Private, 6\n"
            "29, ?, 9\n63, Self, 15\n24, Private, 10\n55, Private, 4\n65, Private, 9\n36, Federal, 13\n")
          .dialect.delimiter,
      ',');
}

TEST(SniffCsv, NeverTakesQuotesThatDoNotFitForLetters) {
  for (const char* text : {"id,text\n1,\"a b.\nc, d.\ne, f.", "id,text\n1,\"a\" b\n2,\"c\nd, e\"\n",
                           "text\n\"a\" b\n", "label\ttext\n1\t\"good\" film\n0\t\"bad\n1\tfine\n"})
    EXPECT_EQ(sniff(text).dialect.quote, '"') << text;
  EXPECT_EQ(sniff("a\tb\n\"x\ty\n", {.delimiter = {}, .quote = '\0', .header = {}}).dialect,
            (CsvDialect{'\t', '\0'}));
}

TEST(ParseMark, TakesOneCharacterOrTheWordTab) {
  EXPECT_EQ(parse_mark(";", "delimiter").value(), ';');
  for (const char* tab : {"tab", "\\t", "\t"}) EXPECT_EQ(parse_mark(tab, "delimiter").value(), '\t');
  for (const char* text : {"", "ab", "\n", "\xC3"}) {
    const auto mark = parse_mark(text, "delimiter");
    ASSERT_FALSE(mark) << text;
    EXPECT_EQ(mark.error().code, ErrorCode::invalid_parameter);
  }
}

TEST(SniffCsv, DoesNotHideAnOpenQuote) {
  EXPECT_EQ(sniff("a,b\n1,\"x, y\"\n2,\"z\n").dialect, (CsvDialect{',', '"'})) << "reading it says what is wrong";
}

TEST(SniffCsv, KnowsSingleQuotes) {
  EXPECT_EQ(sniff("name,n\n'Lee, Ann',1\n'Ray, Bob',2\n").dialect, (CsvDialect{',', '\''}));
  EXPECT_EQ(sniff("name,n\nO'Neil,1\n'tis,2\n").dialect, (CsvDialect{',', '"'}));
}

TEST(SniffCsv, KnowsAHeaderAboveNumbersAndDates) {
  EXPECT_TRUE(sniff("age,city\n39,Rome\n40,Oslo\n").header);
  EXPECT_TRUE(sniff("born,city\n1999-01-02,Rome\n2000-01-02,Oslo\n").header);
  EXPECT_TRUE(sniff("age\n?\n40\n").header);
}

TEST(SniffCsv, KnowsDataInTheFirstLine) {
  EXPECT_FALSE(sniff("39,Rome\n40,Oslo\n").header);
  EXPECT_FALSE(sniff("1.5,x\n2,y\n").header) << "numbers of two kinds";
  EXPECT_FALSE(sniff("a,?,b\nc,d,e\n").header) << "a missing cell";
  EXPECT_FALSE(sniff("Male;*\nFemale;*\n").header) << "a cell that repeats in its column";
  EXPECT_FALSE(sniff("Rome,Rome\nOslo,Paris\n").header) << "the same cell twice";
}

TEST(SniffCsv, TakesTextAboveTextForAHeader) { EXPECT_TRUE(sniff("name,city\nAnn,Rome\nBob,Oslo\n").header); }

TEST(SniffCsv, TakesASingleLineForAHeader) {
  EXPECT_TRUE(sniff("name,age\n").header);
  EXPECT_THAT(sniff("name,age").first_record, ElementsAre("name", "age"));
}

TEST(SniffCsv, AllowsADelimiterAtTheEndOfEachLine) {
  EXPECT_TRUE(sniff("age,city,\n39,Rome,\n40,Oslo,\n").header);
  EXPECT_THAT(sniff("age,city,\n39,Rome,\n").first_record, ElementsAre("age", "city", ""));
}

TEST(SniffCsv, ReadsChineseHeaders) {
  const auto sniffed = sniff("年龄,城市\n39,北京\n40,上海\n");
  EXPECT_TRUE(sniffed.header);
  EXPECT_THAT(sniffed.first_record, ElementsAre("年龄", "城市"));
}

TEST(SniffCsv, ObeysWhatIsKnown) {
  EXPECT_EQ(sniff("a,b;c\n", {.delimiter = ';', .quote = {}, .header = {}}).first_record.size(), 2U);
  EXPECT_FALSE(sniff("age,city\n39,Rome\n", {.delimiter = {}, .quote = {}, .header = false}).header);
  EXPECT_TRUE(sniff("39,Rome\n40,Oslo\n", {.delimiter = {}, .quote = {}, .header = true}).header);
  EXPECT_EQ(sniff("\"a,b\"\n", {.delimiter = ',', .quote = '\0', .header = {}}).first_record.size(), 2U);
}

TEST(SniffCsv, RefusesAnEmptyFile) {
  for (const char* text : {"", "\n", "\r\n \n\n"}) {
    const auto result = try_sniff(text);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::bad_data);
    EXPECT_THAT(result.error().message, HasSubstr("'x.csv': the file is empty"));
  }
}

TEST(SniffCsv, RefusesAnUnsoundFirstRecord) {
  const auto result = try_sniff(std::string_view("\0\0\0", 3));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("NUL"));
}

TEST(SniffCsv, IgnoresWhereTheBeginningIsCut) {
  EXPECT_EQ(sniff("a;b;c\n1;2;3\n4;5;6\n7;\"8", {}, false).dialect, (CsvDialect{';', '"'}));
  EXPECT_EQ(sniff("a;b;c\n1;2;3\n4;5;6\n7;8", {}, false).dialect.delimiter, ';');
}

TEST(SniffCsv, AnswersForAnyText) {
  EXPECT_TRUE(rc::check("text of delimiters and quotes", [] {
    const auto letters = rc::gen::element('a', '1', '"', '\'', ',', ';', '\n', '\r', ' ', '\t', '|', '\0', '\xC3');
    const auto text = *rc::gen::container<std::string>(letters);
    const auto sniffed = try_sniff(text, {}, *rc::gen::arbitrary<bool>());
    if (sniffed) RC_ASSERT(!sniffed->first_record.empty());
  }));
}

std::string beginning_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str().substr(0, 1U << 20);
}

struct RealFile {
  const char* name;
  char delimiter;
  bool header;
  std::size_t columns;
};

class RealFiles : public ::testing::TestWithParam<RealFile> {};

TEST_P(RealFiles, AreReadAsTheyAreWritten) {
  GAUZE_SHARED_DATA_OR_SKIP(path, GetParam().name);
  const auto beginning = beginning_of(path);
  const auto sniffed = sniff(beginning, {}, beginning.size() < 1U << 20);
  EXPECT_EQ(sniffed.dialect.delimiter, GetParam().delimiter);
  EXPECT_EQ(sniffed.header, GetParam().header);
  EXPECT_EQ(sniffed.first_record.size(), GetParam().columns);
}

INSTANTIATE_TEST_SUITE_P(
    Shared, RealFiles,
    ::testing::Values(RealFile{"adult/adult.data", ',', false, 15}, RealFile{"adult/adult.test", ',', false, 15},
                      RealFile{"arx-adult/adult.csv", ';', true, 9}, RealFile{"credit/german.data", ' ', false, 21},
                      RealFile{"arx-adult/adult_hierarchy_age.csv", ';', false, 5},
                      RealFile{"arx-adult/adult_hierarchy_education.csv", ';', false, 4},
                      RealFile{"arx-adult/adult_hierarchy_marital-status.csv", ';', false, 3},
                      RealFile{"arx-adult/adult_hierarchy_native-country.csv", ';', false, 3},
                      RealFile{"arx-adult/adult_hierarchy_occupation.csv", ';', false, 3},
                      RealFile{"arx-adult/adult_hierarchy_race.csv", ';', false, 2},
                      RealFile{"arx-adult/adult_hierarchy_salary-class.csv", ';', false, 2},
                      RealFile{"arx-adult/adult_hierarchy_sex.csv", ';', false, 2},
                      RealFile{"arx-adult/adult_hierarchy_workclass.csv", ';', false, 3},
                      RealFile{"sst2/dev.tsv", '\t', true, 2}, RealFile{"sst2/train.tsv", '\t', true, 2},
                      RealFile{"sst2/test.tsv", '\t', true, 2}, RealFile{"wordfreq/en_50k.txt", ' ', false, 2},
                      RealFile{"wordfreq/zh_cn_50k.txt", ' ', false, 2}),
    [](const auto& one) { return test_name(one.param.name); });

}  // namespace csv_dialect_test
}  // namespace gauze::table
