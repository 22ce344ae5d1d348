// Inputs of releases: what is looked at before rows are read, and that rows decide nothing but their own counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>

#include "gauze/engines/testing/engine_testing.h"
#include "gauze/files/compression.h"
#include "gauze/files/file_descriptor.h"

namespace gauze::engines {
namespace declared_source_test {

using table::DeclaredColumn;
using table::ReadOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using Counts = std::map<std::vector<std::string>, std::uint64_t>;

const std::vector<DeclaredColumn> kColumns = {{.name = "town"}, {.name = "id", .unreadable = ""}};

/// What a listener hears while a declared source hands over its rows: the least total, the most steps.
std::vector<Progress::Report> reports_of_reading(const std::string& path) {
  struct Nothing final : table::RowSink {
    void add(std::span<const std::string_view>) override {}
    void add_unreadable() override {}
  } nothing;
  std::vector<Progress::Report> reports;
  Progress progress([&](const Progress::Report& report) { reports.push_back(report); });
  EXPECT_TRUE((*shared_tables().open_declared(path, kColumns, {}))->read(nothing, progress));
  return reports;
}

struct Grouped {
  Counts counts;
  Error error;
  bool opened = false;
};

Grouped group(const std::string& path, const ReadOptions& options = {},
              std::vector<DeclaredColumn> columns = kColumns) {
  Grouped result;
  auto source = shared_tables().open_declared(path, columns, options);
  if (!source) {
    result.error = source.error();
    return result;
  }
  result.opened = true;
  Progress progress;
  const auto tuples = (*source)->group(progress);
  if (!tuples) {
    result.error = tuples.error();
    return result;
  }
  for (std::size_t i = 0; i < tuples->size(); ++i) {
    std::vector<std::string> row;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const std::uint32_t code = tuples->codes[column][i];
      const auto& dictionary = tuples->dictionaries[column];
      row.push_back(code == dictionary.missing ? "<missing>" : dictionary.values[code]);
    }
    result.counts[row] += tuples->counts[i];
  }
  return result;
}

class DeclaredSource : public ::testing::Test {
 protected:
  Folder folder_;
  Grouped text(std::string_view bytes, const std::string& name = "x.csv", const ReadOptions& options = {}) {
    return group(folder_.write(name, bytes), options);
  }
};

TEST_F(DeclaredSource, EveryRowOfCsvCountsWhateverItHolds) {
  const Grouped read = text(
      "id,town,more\n"
      "1,Kiel,x\n"
      "2,K\xFFiel,x\n"
      "\xFE,Rom,x\n"
      "4\n"
      "5,Rom,x,y,z\n"
      "6,\"Ro\"m,\"x\n\"\n"
      "7,Ro\"m,x\n");
  EXPECT_THAT(read.counts,
              UnorderedElementsAre(Pair(ElementsAre("Kiel", "1"), 1), Pair(ElementsAre("other", "2"), 1),
                                   Pair(ElementsAre("Rom", "<missing>"), 1), Pair(ElementsAre("<missing>", "4"), 1),
                                   Pair(ElementsAre("Rom", "5"), 1), Pair(ElementsAre("Rom", "6"), 1),
                                   Pair(ElementsAre("Ro\"m", "7"), 1)));
}

/// Rows as they are handed over, cells divided by bars.
class Listed final : public table::RowSink {
 public:
  void add(std::span<const std::string_view> cells) override {
    std::string row;
    for (const std::string_view cell : cells) row += std::string(trimmed(cell)) + "|";
    rows.push_back(std::move(row));
  }
  void add_unreadable() override { rows.emplace_back("<unreadable>"); }
  std::vector<std::string> rows;
};

TEST_F(DeclaredSource, RowsAreHandedOverInTheirOrderByEveryFormat) {
  const std::string parquet = folder_ / "rows.parquet";
  run_sql(
      "COPY (SELECT 'Kiel' AS town, 1.0::DOUBLE AS id UNION ALL SELECT NULL, 2.5 UNION ALL SELECT 'Rom', NULL) TO " +
      sql_text(parquet) + " (FORMAT parquet)");
  for (const std::string& path :
       {folder_.write("rows.csv", "id,town\n1,Kiel\n2.5\n,Rom\n"),
        folder_.write("rows.jsonl", "{\"town\":\"Kiel\",\"id\":1}\n{\"id\":2.5}\n{\"town\":\"Rom\",\"id\":null}\n"),
        parquet}) {
    auto source = shared_tables().open_declared(path, kColumns, {});
    ASSERT_TRUE(source) << path;
    Progress progress;
    Listed listed;
    std::size_t seen = 0;
    ASSERT_TRUE((*source)->read(listed, progress, [&](std::string_view bytes) { seen += bytes.size(); }));
    EXPECT_THAT(listed.rows, ElementsAre("Kiel|1|", "|2.5|", "Rom||")) << path;
    EXPECT_EQ(seen, std::filesystem::file_size(path)) << path;
  }
}

TEST_F(DeclaredSource, ABlankLineOfOneColumnIsARowWithoutAValue) {
  const auto counts = [&](std::string_view bytes) {
    return group(folder_.write("one.csv", bytes), {}, {{.name = "town"}}).counts;
  };
  EXPECT_THAT(counts("\n \ntown\nKiel\n\n \t\nKiel"),
              UnorderedElementsAre(Pair(ElementsAre("Kiel"), 2), Pair(ElementsAre("<missing>"), 2)));
  EXPECT_THAT(counts("town\nKiel\n"), UnorderedElementsAre(Pair(ElementsAre("Kiel"), 1)));
  EXPECT_THAT(counts("town,id\nKiel,1\n\n"), UnorderedElementsAre(Pair(ElementsAre("Kiel"), 1)));
}

TEST_F(DeclaredSource, EveryLineOfJsonCountsWhateverItHolds) {
  const Grouped read = text(
      "{\"id\":1,\"town\":\"Kiel\",\"more\":[1]}\r\n"
      "\xEF\xBB\xBF{\"id\":2,\"town\":\"K\xFFiel\"}\n"
      "{\"id\":{\"a\":3},\"town\":[\"Rom\"]}\n"
      "[4]\n"
      "not JSON\n"
      "\n"
      "{\"town\":\"Rom\",\"town\":\"Rom\",\"id\":6}\n"
      "{\"id\":7,\"Town\":\"Rom\"}\n"
      "{\"id\":8,\"town\":1e999}",
      "x.jsonl");
  EXPECT_THAT(read.counts,
              UnorderedElementsAre(Pair(ElementsAre("Kiel", "1"), 1), Pair(ElementsAre("other", "2"), 1),
                                   Pair(ElementsAre("other", "<missing>"), 1),
                                   Pair(ElementsAre("<missing>", "<missing>"), 2), Pair(ElementsAre("other", "6"), 1),
                                   Pair(ElementsAre("<missing>", "7"), 1), Pair(ElementsAre("1e999", "8"), 1)));
}

TEST_F(DeclaredSource, TheNameDecidesTheFormatAndTheBytesNothing) {
  const std::string csv = "town,id\nKiel,1\n";
  const std::string json = "{\"town\":\"Kiel\",\"id\":1}\n";
  const auto is_read = UnorderedElementsAre(Pair(ElementsAre("Kiel", "1"), 1));
  std::filesystem::create_directory(folder_ / "dir.json");
  for (const char* name :
       {"x.csv", "x.json.csv", "x.jsonl.txt", "x", "x.tsv", "dir.json/p.csv", "x.pq.csv", "x.PARQUET.CSV"})
    EXPECT_THAT(text(csv, name).counts, is_read) << name;
  for (const char* name : {"x.jsonl", "x.csv.json", "x.ndjson", "x.JSONL"})
    EXPECT_THAT(text(json, name).counts, is_read) << name;
  for (const auto& [end, compression] : {std::pair{".gz", Compression::gzip}, {".zst", Compression::zstd}}) {
    EXPECT_THAT(text(compress_piece(csv, compression).value(), std::string("x.jsonl.csv") + end).counts, is_read);
    EXPECT_THAT(text(compress_piece(json, compression).value(), std::string("x.jsonl") + end).counts, is_read);
  }
  EXPECT_FALSE(text(compress_piece(csv, Compression::gzip).value(), "packed.csv").opened)
      << "a name that says nothing";
  EXPECT_EQ(text(json, "x.csv").error.code, ErrorCode::unknown_column) << "a line of names without these names";
}

TEST_F(DeclaredSource, OneLatinByteDoesNotChangeHowOthersAreRead) {
  std::string rows = "town,id\n";
  for (int i = 0; i < 50; ++i) rows += "Zürich,7\n";
  for (const char* name : {"x.csv", "x.json.csv"}) {
    const Grouped without = text(rows, name);
    const Grouped with = text(rows + "Z\xFCrich,8\n", name);
    EXPECT_EQ(without.counts.at({"Zürich", "7"}), 50U);
    EXPECT_EQ(with.counts.at({"Zürich", "7"}), 50U);
    EXPECT_EQ(with.counts.at({"other", "8"}), 1U);
  }
}

TEST_F(DeclaredSource, TheHeaderDecidesTheDelimiter) {
  const auto is_read = UnorderedElementsAre(Pair(ElementsAre("Kiel", "1"), 1));
  for (const char* csv :
       {"town,id\nKiel,1\n", "town;id\nKiel;1\n", "town\tid\nKiel\t1\n", "town|id\nKiel|1\n", "town id\nKiel 1\n",
        "a,b;town;id\nx,y;Kiel;1\n", "\"town\" ; id\r\n Kiel ;\"1\"\r\n", "\xEF\xBB\xBFtown,id\nKiel,1\n",
        "\n\ntown,id\nKiel,1", "town,id\rKiel,1\r", "id;town;id,town\n1;Kiel;x\n"})
    EXPECT_THAT(text(csv).counts, is_read) << csv;
  EXPECT_THAT(text("town;id\nKiel;1\n", "x.csv", {.delimiter = ";"}).counts, is_read);
  EXPECT_EQ(text("town;id\nKiel;1\n", "x.csv", {.delimiter = ","}).error.code, ErrorCode::unknown_column);
}

TEST_F(DeclaredSource, WhatOnlyRowsCouldTellIsRefused) {
  const ReadOptions names{.header = false, .names = {"town", "id"}};
  const Grouped guess = text("Kiel,1\n", "x.csv", names);
  EXPECT_EQ(guess.error.code, ErrorCode::invalid_parameter);
  EXPECT_THAT(guess.error.message, HasSubstr("name the delimiter"));
  ReadOptions told = names;
  told.delimiter = ",";
  EXPECT_EQ(text("Kiel,1\n", "x.csv", told).counts.size(), 1U);
  told.header = true;
  EXPECT_THAT(text("a,b\nKiel,1\n", "x.csv", told).counts, UnorderedElementsAre(Pair(ElementsAre("Kiel", "1"), 1)));
  EXPECT_EQ(text("a;b\nKiel;1\n", "x.csv", {.header = true, .names = {"town", "id"}}).counts.size(), 1U);
  EXPECT_FALSE(text("a,b,c\n", "x.csv", {.header = true, .names = {"town", "id"}}).opened);
  EXPECT_EQ(text("Kiel,1\n", "x.csv", {.delimiter = ",", .header = false}).error.code, ErrorCode::unknown_column);
  const Grouped numbered = group(folder_.write("n.csv", "1,Kiel\n"), {.delimiter = ",", .header = false},
                                 {{.name = "column2"}, {.name = "column9"}});
  EXPECT_THAT(numbered.counts, UnorderedElementsAre(Pair(ElementsAre("Kiel", "<missing>"), 1)));
}

TEST_F(DeclaredSource, WhatDoesNotDependOnRowsIsRefusedBeforeTheyAreRead) {
  EXPECT_EQ(group(folder_ / "nowhere.csv").error.code, ErrorCode::io);
  EXPECT_EQ(text("").error.code, ErrorCode::bad_data);
  EXPECT_EQ(text("town\nKiel\n").error.code, ErrorCode::unknown_column);
  EXPECT_EQ(text("town,id,town\n").error.code, ErrorCode::bad_data);
  EXPECT_THAT(text("town,idd\nKiel,1\n").error.message, AllOf(HasSubstr("'id'"), HasSubstr("'idd'")));
  EXPECT_FALSE(text("town,id,\"a\nb\",c\nKiel,1,2,3\n").opened) << "names are one line";
  EXPECT_FALSE(text("t\xF6wn,id\n").opened);
  EXPECT_EQ(text("town,id\n", "x.csv", {.encoding = "klingon"}).error.code, ErrorCode::invalid_parameter);
  EXPECT_EQ(text("town,id,x,x\nKiel,1\n").error.code, ErrorCode::bad_data) << "also where nobody asks for the name";
  EXPECT_TRUE(text("town,id,,\nKiel,1\n").opened) << "columns without a name";
}

TEST_F(DeclaredSource, WhatIsWrongWithTheWholeFileIsFoundAfterwardsWithoutAPlace) {
  const Grouped open = text("town,id\nKiel,1\n\"Kiel,2\n");
  EXPECT_TRUE(open.opened);
  EXPECT_EQ(open.error.code, ErrorCode::bad_data);
  EXPECT_THAT(open.error.message, AllOf(HasSubstr("never closed"), Not(HasSubstr("line"))));
  std::string packed = compress_piece("town,id\n" + std::string(1 << 20, 'x'), Compression::gzip).value();
  packed.resize(packed.size() - 9);
  const Grouped cut = text(packed, "x.csv.gz");
  EXPECT_TRUE(cut.opened);
  EXPECT_EQ(cut.error.code, ErrorCode::bad_data);
}

TEST_F(DeclaredSource, OtherEncodingsMarkWhatTheyCannotRead) {
  const auto counts = [&](std::string_view bytes, const std::string& encoding) {
    return text(bytes, "x.csv", {.encoding = encoding}).counts;
  };
  EXPECT_THAT(counts("town,id\nZ\xFCrich,1\n", "latin-1"), UnorderedElementsAre(Pair(ElementsAre("Zürich", "1"), 1)));
  // A first byte of a pair before the line end takes the line end along in no case.
  EXPECT_THAT(counts("town,id\n\xC9\xCF\xBA\xA3,1\nx\x81,2\n\xFF,3\ny,\x81\nz,5\n", "gb18030"),
              UnorderedElementsAre(Pair(ElementsAre("上海", "1"), 1), Pair(ElementsAre("other", "2"), 1),
                                   Pair(ElementsAre("other", "3"), 1), Pair(ElementsAre("y", "<missing>"), 1),
                                   Pair(ElementsAre("z", "5"), 1)));
}

// One byte more in a record would shift every record behind it, and a first record could be taken for a byte order mark.
TEST_F(DeclaredSource, Utf16IsRefused) {
  for (const char* name : {"x.csv", "x.jsonl"})
    for (const char* encoding : {"utf-16", "UTF-16LE", "utf16be"}) {
      const Grouped read = text(std::string("\xFF\xFEt\0", 4), name, {.encoding = encoding});
      EXPECT_FALSE(read.opened);
      EXPECT_EQ(read.error.code, ErrorCode::invalid_parameter) << encoding;
    }
}

// How far a damaged file goes must not decide whether it is refused for free.
TEST_F(DeclaredSource, OnlyDamageBeforeTheEndOfTheHeaderIsRefusedBeforehand) {
  for (const int rows : {0, 1, 10, 16'300, 16'400, 100'000}) {
    std::string csv = "town,id\n";
    for (int i = 0; i < rows; ++i) csv += "x,p\n";
    std::string packed = compress_piece(csv, Compression::gzip).value();
    packed.pop_back();
    const Grouped cut = text(packed, "x.csv.gz", {.encoding = "gb18030"});
    EXPECT_TRUE(cut.opened) << rows << cut.error.message;
    EXPECT_EQ(cut.error.code, ErrorCode::bad_data) << rows;
  }
  EXPECT_FALSE(text("not gzip", "x.csv.gz").opened);
}

TEST(FileSource, ASignalEndsTheWaitForAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  struct sigaction action {};
  action.sa_handler = [](int) {};
  struct sigaction before {};
  ::sigaction(SIGALRM, &action, &before);
  const itimerval soon{.it_interval = {0, 20'000}, .it_value = {0, 20'000}};
  const itimerval never{};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
  const FileDescriptor pipe(ends[0]);
  FileSource source(pipe, "a pipe");
  char block[16];
  const auto got = source.read(block);
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  ::close(ends[1]);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::interrupted);
}

TEST_F(DeclaredSource, SeveralFilesAreOneTable) {
  static_cast<void>(folder_.write("p1.csv", "town,id\nKiel,1\n"));
  static_cast<void>(folder_.write("p2.csv", "id;town\n1;Kiel\n"));
  EXPECT_THAT(group(folder_ / "p*.csv").counts, UnorderedElementsAre(Pair(ElementsAre("Kiel", "1"), 2)));
  static_cast<void>(folder_.write("p3.jsonl", "{}\n"));
  EXPECT_FALSE(group(folder_ / "p*").opened);
}

TEST_F(DeclaredSource, ParquetIsReadByItsSchema) {
  const std::string path = folder_ / "x.parquet";
  run_sql(
      "COPY (SELECT 'Kiel' AS town, 1.0::DOUBLE AS id, [1] AS list UNION ALL SELECT NULL, 'nan'::DOUBLE, []) TO " +
      sql_text(path) + " (FORMAT parquet)");
  EXPECT_THAT(group(path).counts, UnorderedElementsAre(Pair(ElementsAre("Kiel", "1"), 1),
                                                       Pair(ElementsAre("<missing>", "<missing>"), 1)));
  EXPECT_EQ(group(path, {}, {{.name = "list"}}).error.code, ErrorCode::bad_data);
  EXPECT_EQ(group(path, {}, {{.name = "nothing"}}).error.code, ErrorCode::unknown_column);
  static_cast<void>(folder_.write("bad.parquet", "town,id\nKiel,1\n"));
  EXPECT_FALSE(group(folder_ / "bad.parquet").opened);
}

TEST_F(DeclaredSource, BytesInParquetThatAreNoTextAreTheBusinessOfTheirCell) {
  const std::string path = folder_ / "x.parquet";
  run_sql(
      "COPY (SELECT 'Kiel'::BLOB AS town, '1'::BLOB AS id UNION ALL SELECT '\\xFF'::BLOB, '\\xFE'::BLOB UNION ALL "
      "SELECT NULL, '3'::BLOB) TO " +
      sql_text(path) + " (FORMAT parquet)");
  EXPECT_THAT(group(path).counts,
              UnorderedElementsAre(Pair(ElementsAre("Kiel", "1"), 1), Pair(ElementsAre("other", "<missing>"), 1),
                                   Pair(ElementsAre("<missing>", "3"), 1)));
}

// The whole input, as a release reads it: one record more is one row more, of the cells that it has by itself.
RC_GTEST_PROP(DeclaredSourceNeighbours, DifferInOneRow, ()) {
  const bool json = *rc::gen::arbitrary<bool>();
  const auto record = rc::gen::elementOf(
      json ? std::vector<std::string>{R"({"town":"Kiel","id":1})", "{", "[]", "nothing", "{\"town\":\"\xFF\"}",
                                      R"({"town":[],"id":"1"})", R"({"id":1,"id":2,"town":"a"})", R"({"x":{}})"}
           : std::vector<std::string>{"Kiel,1", "\xFF,1", "Kiel", "a,b,c", "\"a\"b,1", "\"x\ny\",2", ",", "\"\"",
                                      "\xEF\xBB\xBFKiel,1", "Ki\"el,\"1\"", std::string("N\0L,1", 5)});
  const auto records = *rc::gen::container<std::vector<std::string>>(record);
  const std::string one = *record;
  const Folder folder;
  const auto counts = [&](const std::vector<std::string>& lines) {
    std::string text = json ? "" : "town,id\n";
    for (const auto& line : lines) text += line + "\n";
    const Grouped read = group(folder.write(json ? "x.jsonl" : "x.csv", text));
    RC_ASSERT(read.error.message.empty());
    return read.counts;
  };
  Counts expected = counts(records);
  const Counts alone = counts({one});
  RC_ASSERT(alone.size() == 1U);
  RC_ASSERT(alone.begin()->second == 1U);
  ++expected[alone.begin()->first];
  auto more = records;
  more.insert(more.begin() + static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, records.size() + 1)), one);
  RC_ASSERT(counts(more) == expected);
}

/// What a witness is shown while rows are grouped, and how many rows there were.
struct Witnessed {
  std::string bytes;
  std::uint64_t rows = 0;
  std::string error;
};
Witnessed witnessed(table::DeclaredSource& source) {
  Witnessed result;
  Progress progress;
  const auto tuples = source.group(progress, [&](std::string_view piece) { result.bytes += piece; });
  if (!tuples) return {{}, 0, tuples.error().message};
  for (const std::uint64_t count : tuples->counts) result.rows += count;
  return result;
}

TEST(WitnessOfInput, SeesTheBytesThatTheRowsWereMadeOf) {
  const Folder folder;
  std::string rows = "town,id\n";
  for (int i = 0; i < 100'000; ++i) rows += fmt::format("town{},{}\n", i % 7, i);
  const std::string path = folder.write("people.csv", rows);
  auto source = shared_tables().open_declared(path, kColumns, {});
  ASSERT_TRUE(source) << source.error().message;
  std::filesystem::rename(folder.write("other.csv", "town,id\nRom,2\n"), path);
  const Witnessed seen = witnessed(**source);
  EXPECT_EQ(seen.rows, 100'000U);
  EXPECT_EQ(seen.bytes, rows) << "whatever lies under the name by then";
}

// Whoever overwrites the file while it is read, and sets its times back, changes rows and commitment alike.
TEST(WitnessOfInput, CannotBeShownOtherBytesThanTheRows) {
  const Folder folder;
  std::string rows = "town,id\n";
  for (int i = 0; i < 200'000; ++i) rows += "Oslo,1\n";
  const std::string path = folder.write("people.csv", rows);
  auto source = shared_tables().open_declared(path, kColumns, {});
  ASSERT_TRUE(source);
  std::uint64_t seen = 0;
  std::uint64_t romans = 0;
  Progress progress;
  std::string tail;
  const auto tuples = (*source)->group(progress, [&](std::string_view piece) {
    if (seen == 0) {
      std::string changed = rows;
      for (std::size_t at = rows.size() - 70'000 / 7 * 7; at < rows.size(); at += 7) changed.replace(at, 4, "Roma");
      std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << changed;
    }
    seen += piece.size();
    tail += piece;
  });
  ASSERT_TRUE(tuples) << tuples.error().message;
  for (std::size_t at = tail.find("Roma"); at != std::string::npos; at = tail.find("Roma", at + 1)) ++romans;
  EXPECT_GT(romans, 0U) << "the change came in time";
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < tuples->size(); ++i)
    if (tuples->dictionaries[0].values[tuples->codes[0][i]] == "Roma") counted += tuples->counts[i];
  EXPECT_EQ(counted, romans);
}

TEST(WitnessOfInput, SeesCompressedFilesAsTheyLie) {
  const Folder folder;
  std::string rows = "town,id\n";
  for (int i = 0; i < 5'000; ++i) rows += fmt::format("town{},{}\n", i % 7, i);
  for (const auto& [name, compression] :
       {std::pair{"people.csv.gz", Compression::gzip}, std::pair{"people.csv.zst", Compression::zstd}}) {
    const std::string path = folder.write(name, compress_piece(rows, compression).value());
    auto source = shared_tables().open_declared(path, kColumns, {});
    ASSERT_TRUE(source) << source.error().message;
    const Witnessed seen = witnessed(**source);
    EXPECT_EQ(seen.rows, 5'000U) << seen.error;
    EXPECT_EQ(seen.bytes, folder.read(name));
  }
}

TEST(WitnessOfInput, SeesTheFilesOfAGlobInOrder) {
  const Folder folder;
  folder.write("b.csv", "town,id\nRom,2\n");
  folder.write("a.csv", "town,id\nOslo,1\n");
  auto source = shared_tables().open_declared(folder / "*.csv", kColumns, {});
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(witnessed(**source).bytes, "town,id\nOslo,1\ntown,id\nRom,2\n");
}

// The number of rows is private: a terminal shows which share of the file was read, never how many rows.
TEST(DeclaredProgress, IsToldInBytesOfTheFile) {
  const Folder folder;
  std::string csv = "town,id\n";
  std::string json;
  for (int i = 0; i < 40'000; ++i) {
    csv += "Rome,1\n";
    json += "{\"town\":\"Rome\",\"id\":\"1\"}\n";
  }
  for (const auto& [name, text] : {std::pair{"t.csv", csv}, std::pair{"t.jsonl", json}}) {
    const auto reports = reports_of_reading(folder.write(name, text));
    ASSERT_FALSE(reports.empty());
    for (const Progress::Report& report : reports) {
      EXPECT_EQ(report.stage, "reading");
      EXPECT_EQ(report.total, text.size());
      EXPECT_LE(report.done, text.size());
    }
    EXPECT_EQ(reports.back().done, text.size()) << name;
  }
}

}  // namespace declared_source_test
}  // namespace gauze::engines
