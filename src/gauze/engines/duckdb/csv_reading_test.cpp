#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/base/testing/test_name.h"
#include "gauze/engines/testing/engine_testing.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::engines {
namespace csv_reading_test {

using table::FileFormat;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kMissing = "<missing>";

TEST(CsvReading, ReadsNamesRowsAndMissing) {
  const auto opened = open_text("age,city\n39,Rome\n?, Oslo \n,NULL\n");
  EXPECT_THAT(opened.names, ElementsAre("age", "city"));
  EXPECT_THAT(opened.rows,
              ElementsAre(ElementsAre("39", "Rome"), ElementsAre(kMissing, "Oslo"), ElementsAre(kMissing, kMissing)));
  EXPECT_EQ(opened.format, FileFormat::csv);
  EXPECT_EQ(opened.delimiter, ",");
}

TEST(CsvReading, KeepsTextsAsTheyAreWritten) {
  const auto opened = open_text("zip,day,sum,flag,word\n01234,2024-01-02,1.50,TRUE,null\n00001,1/2/2024,1e3,0,'x'\n");
  EXPECT_THAT(opened.rows, ElementsAre(ElementsAre("01234", "2024-01-02", "1.50", "TRUE", "null"),
                                       ElementsAre("00001", "1/2/2024", "1e3", "0", "'x'")));
}

TEST(CsvReading, ReadsQuotesDelimitersAndLineEndsInCells) {
  const auto opened = open_text("a;b\n\"x;y\";\"say \"\"hi\"\"\"\n\"two\nlines\";\" padded \"\n\"\";z\n");
  EXPECT_THAT(opened.rows, ElementsAre(ElementsAre("x;y", "say \"hi\""), ElementsAre("two\nlines", "padded"),
                                       ElementsAre(kMissing, "z")));
  EXPECT_EQ(opened.delimiter, ";");
}

TEST(CsvReading, ReadsEveryKindOfLineEnd) {
  const auto expected = ElementsAre(ElementsAre("1", "x"), ElementsAre("2", "y"));
  for (const char* text :
       {"a,b\n1,x\n2,y\n", "a,b\n1,x\n2,y", "a,b\r\n1,x\r\n2,y\r\n", "a,b\r1,x\r2,y\r", "a,b\n1,x\r\n2,y\n",
        "a,b\n1,x\n2,y\r", "a,b\r\n1,x\n2,y\r\n\r\n", "a,b\n\n1,x\n \n2,y\n\n"})
    EXPECT_THAT(open_text(text).rows, expected) << ::testing::PrintToString(text);
}

TEST(CsvReading, ReadsBlanksAroundQuotesAndStrayQuotes) {
  EXPECT_THAT(open_text("a,b\n1, \"x, y\"\n2,5\" disc\n3,\"z\" \n").rows,
              ElementsAre(ElementsAre("1", "x, y"), ElementsAre("2", "5\" disc"), ElementsAre("3", "z")));
}

TEST(CsvReading, ReadsOneColumn) {
  const auto opened = open_text("name\nAnn Lee\n\n\"\"\nBob\n");
  EXPECT_THAT(opened.names, ElementsAre("name"));
  EXPECT_THAT(opened.rows, ElementsAre(ElementsAre("Ann Lee"), ElementsAre(kMissing), ElementsAre("Bob")));
}

TEST(CsvReading, ReadsAHeaderWithoutRows) {
  auto opened = open_text("age,city\n");
  EXPECT_THAT(opened.names, ElementsAre("age", "city"));
  EXPECT_TRUE(opened.rows.empty());
  Progress progress;
  const auto groups = opened.table->group(all_columns(*opened.table), progress).value();
  EXPECT_EQ(groups.size(), 0U);
  EXPECT_EQ(groups.dictionaries.size(), 2U);
}

TEST(CsvReading, NamesColumnsWithoutHeader) {
  EXPECT_THAT(open_text("39,Rome\n40,Oslo\n").names, ElementsAre("column1", "column2"));
  EXPECT_THAT(open_text("age,,city,\n39,1,Rome,\n40,2,Oslo,\n").names,
              ElementsAre("age", "column2", "city", "column4"));
}

TEST(CsvReading, ObeysTheOptions) {
  const std::string text = "a,b|c\n1,2|3\n";
  EXPECT_THAT(open_text(text, {.delimiter = "|"}).names, ElementsAre("a,b", "c"));
  EXPECT_THAT(open_text(text, {.delimiter = ",", .header = false}).rows.size(), 2U);
  EXPECT_THAT(open_text(text, {.delimiter = ",", .names = {"x", "y"}}).names, ElementsAre("x", "y"));
  EXPECT_THAT(open_text("a,b\n-,\"x\"\n", {.quote = "", .null_tokens = {"-"}}).rows,
              ElementsAre(ElementsAre(kMissing, "\"x\"")));
  EXPECT_THAT(open_text("a\tb\n1\t2\n", {.delimiter = "\\t"}).names, ElementsAre("a", "b"));
}

TEST(CsvReading, RefusesWrongOptions) {
  const std::string text = "a,b\n1,2\n";
  for (const table::ReadOptions& options :
       {table::ReadOptions{.delimiter = ",,"}, table::ReadOptions{.delimiter = ""},
        table::ReadOptions{.delimiter = "\n"}, table::ReadOptions{.delimiter = "é"},
        table::ReadOptions{.quote = "ab"}, table::ReadOptions{.delimiter = "\"", .quote = "\""},
        table::ReadOptions{.encoding = "ebcdic"}, table::ReadOptions{.names = {"x"}},
        table::ReadOptions{.names = {"x", "y", "z"}}, table::ReadOptions{.names = {"x", "x"}}}) {
    EXPECT_EQ(open_text(text, options).error.code, ErrorCode::invalid_parameter);
  }
  EXPECT_THAT(open_text(text, {.names = {"x"}}).error.message, HasSubstr("1 names are given"));
}

TEST(CsvReading, RefusesTheSameNameTwice) {
  const auto opened = open_text("age,city,age\n39,Rome,40\n");
  EXPECT_EQ(opened.error.code, ErrorCode::bad_data);
  EXPECT_THAT(opened.error.message, HasSubstr("two columns are called 'age'"));
  EXPECT_THAT(open_text("Age,age\n1,2\n").names, ElementsAre("Age", "age")) << "case makes a difference";
}

TEST(CsvReading, RefusesEmptyFiles) {
  for (const char* text : {"", "\n\n", "\xEF\xBB\xBF"}) {
    const auto opened = open_text(text);
    EXPECT_EQ(opened.error.code, ErrorCode::bad_data);
    EXPECT_THAT(opened.error.message, HasSubstr("is empty"));
  }
}

TEST(CsvReading, RefusesRaggedLinesByNumber) {
  const auto opened = open_text("a,b\n1,secret\n2\n3,4\n");
  EXPECT_EQ(opened.error.code, ErrorCode::bad_data);
  EXPECT_THAT(opened.error.message, HasSubstr("line 3 has 1 cells, but the first record has 2"));
  EXPECT_THAT(opened.error.message, Not(HasSubstr("secret")));
  EXPECT_THAT(open_text("a,b\n1,2\n3,4,5\n").error.message, HasSubstr("line 3"));
}

TEST(CsvReading, RefusesAFirstLineThatIsAComment) {
  std::string text = "|1x3 Cross validator\n";
  for (int i = 0; i < 30; ++i) text += "25, Private, 226802, 11th\n";
  EXPECT_THAT(open_text(text).error.message, HasSubstr("line 2 has 4 cells, but the first record has 1"));
}

TEST(CsvReading, RefusesWhatIsNoText) {
  EXPECT_THAT(open_text(std::string_view("a,b\n1,x\0y\n", 10)).error.message, HasSubstr("line 2 holds a NUL byte"));
  EXPECT_THAT(open_text("a,b\n1,\"x, y\"\n2,\"z\n").error.message, HasSubstr("never closed"));
  const std::string late = "a,b\n" + std::string(2U << 20, 'x') + ",y\n1,\xFF\n";
  EXPECT_THAT(open_text(late).error.message, HasSubstr("line 3 is not UTF-8"));
}

TEST(CsvReading, ReadsEncodings) {
  const auto expected = ElementsAre(ElementsAre("39", "北京"), ElementsAre("40", "上海"));
  const std::string gb = "\xC4\xEA\xC1\xE4,\xB3\xC7\xCA\xD0\n39,\xB1\xB1\xBE\xA9\n40,\xC9\xCF\xBA\xA3\n";
  for (const std::string& text :
       {std::string("年龄,城市\n39,北京\n40,上海\n"), std::string("\xEF\xBB\xBF年龄,城市\n39,北京\n40,上海\n"), gb}) {
    const auto opened = open_text(text);
    EXPECT_THAT(opened.names, ElementsAre("年龄", "城市"));
    EXPECT_THAT(opened.rows, expected);
  }
  EXPECT_THAT(open_text("n,s\n1,M\xFCller\n").rows, ElementsAre(ElementsAre("1", "Müller")));
  EXPECT_THAT(open_text("n,s\n1,\xB1\xB1\n", {.encoding = "latin-1"}).rows, ElementsAre(ElementsAre("1", "±±")));
  EXPECT_THAT(open_text(std::string_view("\xFF\xFE"
                                         "n\0,\0s\0\n\0"
                                         "1\0,\0\xE9\0\n\0",
                                         18))
                  .rows,
              ElementsAre(ElementsAre("1", "é")));
  EXPECT_THAT(open_text("n,s\n1,\x80\x85\n").error.message, HasSubstr("say which encoding"));
}

TEST(CsvReading, ReadsWideTables) {
  std::string header;
  std::string row;
  for (int i = 0; i < 5000; ++i) {
    header += (i == 0 ? "name " : ",name ") + std::to_string(i);
    row += (i == 0 ? "" : ",") + std::to_string(i);
  }
  auto opened = open_text(header + "\n" + row + "\n" + row + "\n");
  ASSERT_EQ(opened.names.size(), 5000U);
  EXPECT_EQ(opened.names[4999], "name 4999");
  ASSERT_EQ(opened.rows.size(), 2U);
  EXPECT_EQ(opened.rows[1][4999], "4999");
}

TEST(CsvReading, ReadsLongCells) {
  const std::string cell(5'000'000, 'x');
  auto opened = open_text("a,b\n1,\"" + cell + "\"\n2,\"" + cell + "y\n\"\n3,z\n");
  ASSERT_EQ(opened.rows.size(), 3U);
  EXPECT_EQ(opened.rows[0][1], cell);
  EXPECT_EQ(opened.rows[1][1], cell + "y");
  Progress progress;
  EXPECT_EQ(opened.table->group(all_columns(*opened.table), progress).value().size(), 3U);
}

TEST(CsvReading, TakesHostileNamesLiterally) {
  const Folder folder;
  for (const char* name : {"it's.csv", "a b.csv", "[x].csv", "*.csv", "a?.csv", "x'; DROP TABLE y; --.csv",
                           "ü;\"q\".csv", "~.csv", "s3:.csv", "x.csv.gz", "year=2024"}) {
    const auto opened = open(folder.write(name, std::string("a,b\n1,") + "x\n"));
    EXPECT_THAT(opened.rows, ElementsAre(ElementsAre("1", "x"))) << name << opened.error.message;
    std::filesystem::remove(folder / name);
  }
}

TEST(CsvReading, ReadsGlobsInTheOrderOfNames) {
  const Folder folder;
  for (const char* name : {"part-2.csv", "part-10.csv", "part-1.csv"})
    static_cast<void>(folder.write(name, std::string("file,n\n") + name + ",1\n"));
  static_cast<void>(folder.write("other.csv", "x,y\n1,2\n"));
  const auto opened = open(folder / "part-*.csv");
  EXPECT_THAT(opened.rows, ElementsAre(ElementsAre("part-1.csv", "1"), ElementsAre("part-10.csv", "1"),
                                       ElementsAre("part-2.csv", "1")));
  const auto mixed = open(folder / "*.csv");
  EXPECT_EQ(mixed.error.code, ErrorCode::bad_data);
  EXPECT_THAT(mixed.error.message, HasSubstr("do not have the same columns"));
}

TEST(CsvReading, ReadsPartsThatAreWrittenDifferently) {
  const Folder folder;
  static_cast<void>(folder.write("1.csv", "n,city\n1,Rome\n"));
  static_cast<void>(folder.write("2.csv", "n;city\r\n2;\"Os;lo\"\r\n"));
  static_cast<void>(folder.write("3.csv", "\xEF\xBB\xBFn\tcity\n3\tBonn\n"));
  EXPECT_THAT(open(folder / "?.csv").rows,
              ElementsAre(ElementsAre("1", "Rome"), ElementsAre("2", "Os;lo"), ElementsAre("3", "Bonn")));
}

TEST(CsvReading, SaysWhyAFileCannotBeRead) {
  const Folder folder;
  EXPECT_EQ(open(folder / "absent.csv").error.code, ErrorCode::io);
  EXPECT_THAT(open(folder / "absent.csv").error.message, HasSubstr("absent.csv"));
  EXPECT_THAT(open(folder / "absent*.csv").error.message, HasSubstr("no file matches"));
  EXPECT_EQ(open(folder.path().string()).error.code, ErrorCode::io);
  EXPECT_EQ(open("").error.code, ErrorCode::io);
  EXPECT_EQ(open(std::string("a\0b", 3)).error.code, ErrorCode::io);
}

TEST(CsvReading, NoticesAFileThatChanges) {
  const Folder folder;
  const auto path = folder.write("x.csv", "a,b\n1,2\n3,4\n");
  auto table = shared_tables().open(path, {}).value().source;
  std::ofstream(path, std::ios::app) << "5,6\n";
  Progress progress;
  const auto groups = table->group(all_columns(*table), progress);
  ASSERT_FALSE(groups);
  EXPECT_THAT(groups.error().message, HasSubstr("changed while it was being read"));
  const auto written = write(*table, {}, {.path = folder / "out.csv"}, progress);
  EXPECT_FALSE(written);
  EXPECT_THAT(folder.list(), ElementsAre("x.csv"));
}

TEST(CsvReading, RefusesColumnsThatAreNotThere) {
  auto opened = open_text("a,b\n1,2\n");
  Progress progress;
  const std::vector<std::size_t> columns = {0, 2};
  EXPECT_EQ(opened.table->group(columns, progress).error().code, ErrorCode::unknown_column);
}

struct RealFile {
  const char* name;
  std::uint64_t rows;
  std::size_t columns;
};

class RealCsv : public ::testing::TestWithParam<RealFile> {};

TEST_P(RealCsv, IsReadWhole) {
  GAUZE_SHARED_DATA_OR_SKIP(path, GetParam().name);
  auto table = shared_tables().open(path, {});
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->source->row_count().value(), GetParam().rows);
  EXPECT_EQ(table->source->columns().size(), GetParam().columns);
  Progress progress;
  const auto groups = table->source->group(all_columns(*table->source), progress);
  ASSERT_TRUE(groups) << groups.error().message;
  EXPECT_EQ(std::accumulate(groups->counts.begin(), groups->counts.end(), std::uint64_t{0}), GetParam().rows);
}

INSTANTIATE_TEST_SUITE_P(
    Shared, RealCsv,
    ::testing::Values(RealFile{"adult/adult.data", 32561, 15}, RealFile{"adult/adult.test", 16281, 15},
                      RealFile{"arx-adult/adult.csv", 30162, 9}, RealFile{"credit/german.data", 1000, 21},
                      RealFile{"sst2/train.tsv", 67349, 2}, RealFile{"survey/ess9_49519x37.csv.gz", 49519, 37},
                      RealFile{"arx-adult/adult_hierarchy_sex.csv", 2, 2},
                      RealFile{"wordfreq/zh_cn_50k.txt", 50000, 2}),
    [](const auto& one) { return test_name(one.param.name); });

TEST(RealCsv, AdultHasItsKnownClasses) {
  GAUZE_SHARED_DATA_OR_SKIP(path, "adult/adult.data");
  auto table = shared_tables().open(path, {}).value().source;
  const std::vector<std::size_t> columns = {1, 9};
  Progress progress;
  const auto groups = table->group(columns, progress).value();
  EXPECT_THAT(groups.dictionaries[1].values, ElementsAre("Female", "Male"));
  EXPECT_EQ(groups.dictionaries[0].values.front(), "?");
  EXPECT_EQ(groups.dictionaries[0].missing, 0U);
  EXPECT_EQ(groups.counts[0] + groups.counts[1], 1836U);
}

TEST(RealCsv, RaggedBasketsAreRefused) {
  GAUZE_SHARED_DATA_OR_SKIP(path, "baskets/groceries.csv");
  EXPECT_EQ(open(path).error.code, ErrorCode::bad_data);
}

}  // namespace csv_reading_test
}  // namespace gauze::engines
