// Parquet, JSON lines and compressed files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/engines/testing/engine_testing.h"
#include "gauze/files/compression.h"

namespace gauze::engines {
namespace formats_test {

using table::FileFormat;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kMissing = "<missing>";

std::string make_parquet(const Folder& folder, const std::string& name, const std::string& select) {
  run_sql("COPY (" + select + ") TO " + sql_text(folder / name) + " (FORMAT parquet)");
  return folder / name;
}

TEST(Parquet, NamesThatTheDatabaseWouldChangeAreRefused) {
  const Folder folder;
  const std::string bytes = read_all(make_parquet(folder, "x.parquet", "SELECT 1 AS abc, 2 AS abd"));
  for (const std::string second : {"abc", "ABC"}) {
    std::string changed = bytes;
    for (auto place = changed.find("abd"); place != std::string::npos; place = changed.find("abd"))
      changed.replace(place, 3, second);
    const std::string file = folder.write("twice.parquet", changed);
    EXPECT_THAT(open(file).error.message, HasSubstr("name them all anew")) << second;
    EXPECT_THAT(open(file, {.names = {"a", "b"}}).names, ElementsAre("a", "b"));
  }
}

TEST(Parquet, ReadsEveryPlainTypeAsText) {
  const Folder folder;
  const auto opened = open(make_parquet(
      folder, "x.parquet",
      "SELECT 7::TINYINT AS i, 12345678901234567890123::DECIMAL(38,0) AS h, 39.0::DOUBLE AS d, 0.5::FLOAT AS f, "
      "1.50::DECIMAL(5,2) AS m, DATE '2024-01-02' AS day, TIMESTAMP '2024-01-02 03:04:05' AS t, true AS b, ' 007 ' AS s, "
      "'NaN'::DOUBLE AS n, NULL::INTEGER AS z, -2.0::DOUBLE AS w, 1e30::DOUBLE AS e, 'a'::ENUM('a','b') AS u, "
      "TIMESTAMPTZ '2024-01-02 03:04:05+08' AS tz"));
  EXPECT_THAT(opened.names,
              ElementsAre("i", "h", "d", "f", "m", "day", "t", "b", "s", "n", "z", "w", "e", "u", "tz"));
  EXPECT_THAT(opened.rows, ElementsAre(ElementsAre("7", "12345678901234567890123", "39", "0.5", "1.50", "2024-01-02",
                                                   "2024-01-02 03:04:05", "true", "007", kMissing, kMissing, "-2",
                                                   "1e+30", "a", "2024-01-01 19:04:05+00")))
      << opened.error.message;
  EXPECT_EQ(opened.format, FileFormat::parquet);
  EXPECT_EQ(opened.delimiter, ",");
}

TEST(Parquet, RefusesNestedColumnsByName) {
  const Folder folder;
  for (const char* value : {"[1, 2]", "{'a': 1}", "MAP {'a': 1}"}) {
    const auto opened = open(make_parquet(folder, "x.parquet", std::string("SELECT 1 AS a, ") + value + " AS b"));
    EXPECT_EQ(opened.error.code, ErrorCode::bad_data);
    EXPECT_THAT(opened.error.message, HasSubstr("the column 'b'"));
  }
}

TEST(Parquet, IsKnownByItsContentNotItsName) {
  const Folder folder;
  make_parquet(folder, "x.parquet", "SELECT 1 AS a, 'x' AS b");
  std::filesystem::rename(folder / "x.parquet", folder / "it's [a] table.csv");
  EXPECT_THAT(open(folder / "it's [a] table.csv").rows, ElementsAre(ElementsAre("1", "x")));
}

TEST(Parquet, RefusesDamagedFiles) {
  const Folder folder;
  const std::string bytes = read_all(make_parquet(folder, "x.parquet", "SELECT range AS a FROM range(10000)"));
  const auto cut = open(folder.write("cut.parquet", bytes.substr(0, bytes.size() / 2)));
  EXPECT_THAT(cut.error.code, ::testing::AnyOf(ErrorCode::bad_data, ErrorCode::io));
  EXPECT_THAT(cut.error.message, HasSubstr("cut.parquet"));
  EXPECT_THAT(open(folder.write("no.parquet", "PAR1")).error.code,
              ::testing::AnyOf(ErrorCode::bad_data, ErrorCode::io));
}

TEST(Parquet, ReadsGlobsOfTheSameShapeOnly) {
  const Folder folder;
  make_parquet(folder, "2.parquet", "SELECT 2 AS a");
  make_parquet(folder, "1.parquet", "SELECT 1 AS a");
  EXPECT_THAT(open(folder / "*.parquet").rows, ElementsAre(ElementsAre("1"), ElementsAre("2")));
  make_parquet(folder, "3.parquet", "SELECT 3 AS b");
  EXPECT_THAT(open(folder / "*.parquet").error.message, HasSubstr("do not have the same columns"));
  static_cast<void>(folder.write("0.parquet", "a\n1\n"));
  EXPECT_THAT(open(folder / "*.parquet").error.message, HasSubstr("not of the same format"));
}

TEST(Parquet, TakesNames) {
  const Folder folder;
  const auto path = make_parquet(folder, "x.parquet", R"(SELECT 1 AS "odd ""name'", 2 AS b)");
  EXPECT_THAT(open(path).names, ElementsAre("odd \"name'", "b"));
  EXPECT_THAT(open(path, {.names = {"x", "y"}}).names, ElementsAre("x", "y"));
  EXPECT_EQ(open(path, {.names = {"x"}}).error.code, ErrorCode::invalid_parameter);
}

TEST(Parquet, KeepsTheTypesOfUntouchedColumns) {
  const Folder folder;
  const auto path =
      make_parquet(folder, "x.parquet",
                   "SELECT range::INTEGER AS n, DATE '2024-01-01' + range::INTEGER AS day, 'x' AS s FROM range(5)");
  auto table = shared_tables().open(path, {}).value().source;
  table::Rewrite rewrite;
  rewrite.inputs = {0};
  rewrite.outputs = {2};
  rewrite.rewrite = [](const table::RowBatch& batch, table::RewrittenBatch& result) {
    for (std::size_t row = 0; row < batch.rows; ++row) result.cells[0][row] = batch.cells[0][row].text;
  };
  Progress progress;
  ASSERT_TRUE(write(*table, rewrite, {.path = folder / "out.parquet"}, progress));
  const auto database = Database::open({}).value();
  auto connection = Connection::open(database).value();
  const auto sum = connection.count(
      "SELECT sum(n + s::INTEGER + (day - DATE '2024-01-01'))::BIGINT FROM " + sql_text(folder / "out.parquet"),
      "add up");
  ASSERT_TRUE(sum) << sum.error().message;
  EXPECT_EQ(*sum, 30U);
}

TEST(Parquet, GroupsStoredValuesWithEqualTexts) {
  const Folder folder;
  auto opened = open(
      make_parquet(folder, "x.parquet",
                   "SELECT * FROM (VALUES (1.0::DOUBLE, 'a '), (1.0, 'a'), ('NaN', NULL), (NULL, '?')) t(d, s)"));
  Progress progress;
  const auto groups = opened.table->group(all_columns(*opened.table), progress).value();
  EXPECT_THAT(groups.counts, ElementsAre(2, 2));
  EXPECT_THAT(groups.dictionaries[0].values, ElementsAre("", "1"));
  EXPECT_THAT(groups.dictionaries[1].values, ElementsAre("", "a"));
}

TEST(JsonLines, ReadsObjectsLineByLine) {
  const auto opened = open_text(
      "{\"name\": \"Ann\", \"age\": 39, \"score\": 1.50}\n\n{\"age\": null, \"name\": \"B, \\\"b\\\"\\n\", \"extra\": true}\r\n"
      "{\"age\": 12345678901234567890123, \"zip\": \"007\", \"score\": -1e-3}",
      {}, "x.jsonl");
  EXPECT_THAT(opened.names, ElementsAre("name", "age", "score", "extra", "zip"));
  EXPECT_THAT(opened.rows, ElementsAre(ElementsAre("Ann", "39", "1.50", kMissing, kMissing),
                                       ElementsAre("B, \"b\"", kMissing, kMissing, "true", kMissing),
                                       ElementsAre(kMissing, "12345678901234567890123", "-1e-3", kMissing, "007")));
  EXPECT_EQ(opened.format, FileFormat::json_lines);
}

TEST(JsonLines, AreKnownByContent) {
  const std::string line = "{\"a\": 1}\n";
  EXPECT_EQ(open_text(line, {}, "x.json").format, FileFormat::json_lines);
  EXPECT_EQ(open_text(line, {}, "data").format, FileFormat::json_lines);
  EXPECT_EQ(open_text(line, {}, "x.csv").format, FileFormat::csv);
  EXPECT_THAT(open_text("[{\"a\": 1}]\n", {}, "x.json").error.message, HasSubstr("one object a line"));
}

TEST(JsonLines, RefuseWhatIsNoTable) {
  const auto message = [](const std::string& line) {
    const auto opened = open_text("{\"a\": 1}\n" + line + "\n", {.encoding = "utf-8"}, "x.jsonl");
    EXPECT_EQ(opened.error.code, ErrorCode::bad_data) << line;
    EXPECT_THAT(opened.error.message, Not(HasSubstr("secret")));
    EXPECT_THAT(opened.error.message, HasSubstr("line 2"));
    return opened.error.message;
  };
  EXPECT_THAT(message("{\"a\": [\"secret\"]}"), HasSubstr("an array as a value"));
  EXPECT_THAT(message("{\"a\": {\"secret\": 1}}"), HasSubstr("a record as a value"));
  EXPECT_THAT(message("{\"a\": 1, \"a\": 2}"), HasSubstr("the same key twice"));
  EXPECT_THAT(message("{\"a\": \"secret"), HasSubstr("no JSON object"));
  EXPECT_THAT(message("{\"a\": 1} {\"a\": 2}"), HasSubstr("no JSON object"));
  EXPECT_THAT(message("[1]"), HasSubstr("no JSON object"));
  EXPECT_THAT(message("\"secret\""), HasSubstr("no JSON object"));
  EXPECT_THAT(message("{\"a\": \"\xFF\"}"), HasSubstr("no JSON object"));
  EXPECT_THAT(open_text("{}\n{}\n", {}, "x.jsonl").error.message, HasSubstr("no line has a key"));
}

TEST(JsonLines, ReadManyLinesInOrder) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += fmt::format("{{\"n\": {}, \"k{}\": \"v\"}}\n", i, i % 3);
  const auto opened = open_text(text, {}, "x.jsonl");
  EXPECT_THAT(opened.names, ElementsAre("n", "k0", "k1", "k2"));
  ASSERT_EQ(opened.rows.size(), 200'000U);
  for (std::size_t i = 0; i < opened.rows.size(); ++i) ASSERT_EQ(opened.rows[i][0], std::to_string(i));
  text += "{\n";
  EXPECT_THAT(open_text(text, {}, "x.jsonl").error.message, HasSubstr("line 200001"));
}

std::string compressed(std::string_view text, Compression compression, std::size_t pieces) {
  std::string result;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t begin = text.size() * i / pieces;
    const std::size_t end = text.size() * (i + 1) / pieces;
    result += compress_piece(text.substr(begin, end - begin), compression).value();
  }
  return result;
}

class Compressed : public ::testing::TestWithParam<Compression> {};

TEST_P(Compressed, TextIsReadWhateverItHolds) {
  for (const std::size_t pieces : {1U, 3U}) {
    EXPECT_THAT(open_text(compressed("a,b\n1,x\n", GetParam(), pieces), {}, "x").rows,
                ElementsAre(ElementsAre("1", "x")));
    EXPECT_THAT(open_text(compressed("{\"a\": \"x\"}\n", GetParam(), pieces), {}, "x").rows,
                ElementsAre(ElementsAre("x")));
    EXPECT_THAT(open_text(compressed("n,s\n1,M\xFCller\n", GetParam(), pieces)).rows,
                ElementsAre(ElementsAre("1", "Müller")));
  }
}

TEST_P(Compressed, LargeTextComesBack) {
  std::string text = "n,square\n";
  for (unsigned i = 0; i < 300'000; ++i) text += fmt::format("{},{}\n", i, i * 7919 % 65'537);
  const auto opened = open_text(compressed(text, GetParam(), 5));
  ASSERT_EQ(opened.rows.size(), 300'000U);
  EXPECT_EQ(opened.rows.back()[0], "299999");
}

TEST_P(Compressed, DamageIsFound) {
  std::string text = "n,m\n";
  for (unsigned i = 0; i < 50'000; ++i) text += fmt::format("{},{}\n", i, i * 7919 % 65'537);
  std::string bytes = compressed(text, GetParam(), 1);
  EXPECT_THAT(open_text(bytes.substr(0, bytes.size() - 10)).error.message, HasSubstr("damaged or cut off"));
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 100; ++i) bytes[i] = 'x';
  EXPECT_EQ(open_text(bytes).error.code, ErrorCode::bad_data);
  EXPECT_EQ(open_text(bytes.substr(0, 5)).error.code, ErrorCode::bad_data);
}

INSTANTIATE_TEST_SUITE_P(Both, Compressed, ::testing::Values(Compression::gzip, Compression::zstd),
                         [](const auto& one) { return one.param == Compression::gzip ? "gzip" : "zstd"; });

TEST(Compression, IsKnownByContentForReadingAndByNameForWriting) {
  EXPECT_EQ(sniff_compression("a,b"), Compression::none);
  EXPECT_EQ(sniff_compression(""), Compression::none);
  EXPECT_EQ(sniff_compression(compress_piece("x", Compression::gzip).value()), Compression::gzip);
  EXPECT_EQ(sniff_compression(compress_piece("x", Compression::zstd).value()), Compression::zstd);
  EXPECT_EQ(compression_of_name("x.csv.gz"), Compression::gzip);
  EXPECT_EQ(compression_of_name("x.csv.zst"), Compression::zstd);
  EXPECT_EQ(compression_of_name("gz"), Compression::none);
}

TEST(Translate, NeverPassesCellsOn) {
  for (const char* message : {"Conversion Error: Could not convert string 'secret' to INT32", "secret: x",
                              "Invalid Input Error: CSV Error on Line: 3\nOriginal Line: secret", "IO Error: secret",
                              "Out of Memory Error: secret", "secret", "Catalog Error: secret"}) {
    const Error error = translate(message, "read 'x.csv'");
    EXPECT_THAT(error.message, Not(HasSubstr("secret"))) << message;
    EXPECT_THAT(error.message, HasSubstr("read 'x.csv'"));
  }
  EXPECT_EQ(translate("INTERRUPT Error: Interrupted!", "x").code, ErrorCode::interrupted);
  EXPECT_EQ(translate("Out of Memory Error: x", "x").code, ErrorCode::io);
  EXPECT_EQ(translate(nullptr, "x").code, ErrorCode::internal);
}

}  // namespace formats_test
}  // namespace gauze::engines
