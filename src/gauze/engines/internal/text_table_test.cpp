#include "gauze/engines/internal/text_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gauze/base/utf8.h"
#include "gauze/engines/internal/json_lines.h"
#include "gauze/engines/testing/engine_testing.h"
#include "gauze/files/text_output.h"

namespace gauze::engines {
namespace text_table_test {

using ::testing::ElementsAre;

Result<TextTable> read_text(const Folder& folder, std::string_view text, const table::ReadOptions& options = {}) {
  std::vector<InputFile> files;
  files.push_back(InputFile::open(folder.write("in.csv", text), folder.path(), options.encoding).value());
  return read_csv_files(std::move(files), options, folder.path());
}

/// The bytes that the engine will read.
std::string bytes_of(const TextTable& table) { return read_all(table.files.front().file.path()); }

TEST(TextTable, LeavesPlainFilesWhereTheyAre) {
  const Folder folder;
  for (const char* text :
       {"a,b\n1,2\n", "a;b\r\n1;2\r\n", "a,b\n1,\"x\ny\"\n", "a\tb\n1\t2", "1, x\n2, y\n\n", "a b c\n1 2 3\n"}) {
    const auto table = read_text(folder, text).value();
    EXPECT_EQ(bytes_of(table), text);
    EXPECT_EQ(table.files.front().name, "'" + folder / "in.csv" + "'");
  }
}

TEST(TextTable, RewritesWhatAnotherReaderMightMisread) {
  const Folder folder;
  EXPECT_EQ(bytes_of(read_text(folder, "a,b\r1,2\r").value()), "1,2\n") << "CR alone";
  EXPECT_EQ(bytes_of(read_text(folder, "a,b\n1,2\r\n3,4\n").value()), "1,2\n3,4\n") << "mixed line ends";
  EXPECT_EQ(bytes_of(read_text(folder, "a,b\r\n1,\"x\r\ny\"\r\n").value()), "1,\"x\r\ny\"\n") << "CR LF in quotes";
  EXPECT_EQ(bytes_of(read_text(folder, "a;b\n1; \"x;y\"\n").value()), "1,x;y\n") << "blanks at quotes";
  EXPECT_EQ(bytes_of(read_text(folder, "a;b\n1;5\" disc\n").value()), "1,\"5\"\" disc\"\n") << "stray quotes";
  EXPECT_EQ(bytes_of(read_text(folder, "a;b\n1; x,y \n \n").value()), "1,\" x,y \"\n") << "lines of blanks";
  EXPECT_EQ(bytes_of(read_text(folder, "a\n1\n\n\"\"\n").value()), "1\n\"\"\n") << "one column";
  EXPECT_EQ(bytes_of(read_text(folder, "a b  c\n1 2 3 \n").value()), "1,2,3\n") << "runs of spaces";
  EXPECT_EQ(bytes_of(read_text(folder,
                               "\xEF\xBB\xBF"
                               "a,b\n1,2\n")
                         .value()),
            "1,2\n")
      << "a byte order mark";
  EXPECT_EQ(bytes_of(read_text(folder, "n,s\n1,M\xFCller\n").value()), "1,Müller\n") << "Latin-1";
  EXPECT_EQ(bytes_of(read_text(folder, "a,b\n1,'x'\n2,'y'\n").value()), "1,x\n2,y\n") << "single quotes";
  EXPECT_THAT(folder.list(), ElementsAre("in.csv")) << "no file is left behind";
}

TEST(TextTable, KnowsItsRowsAndLongestRecord) {
  const Folder folder;
  const auto plain = read_text(folder, "a,b\n1,2\n10,\"2\n0\"\n").value();
  EXPECT_EQ(plain.rows(), 2U);
  EXPECT_EQ(plain.files.front().longest_record, 9U);
  EXPECT_TRUE(plain.files.front().quoted_line_ends);
  const auto rewritten = read_text(folder, "a\nlonger\nx\n").value();
  EXPECT_EQ(rewritten.rows(), 2U);
  EXPECT_EQ(rewritten.files.front().longest_record, 7U);
  EXPECT_FALSE(rewritten.files.front().quoted_line_ends);
  EXPECT_FALSE(rewritten.files.front().header);
}

TEST(NameColumns, FillsInAndRefuses) {
  EXPECT_THAT(name_columns({}, {}, 2, "x").value(), ElementsAre("column1", "column2"));
  EXPECT_THAT(name_columns({}, {"a", ""}, 2, "x").value(), ElementsAre("a", "column2"));
  EXPECT_THAT(name_columns({"p", "q"}, {"a", "b"}, 2, "x").value(), ElementsAre("p", "q"));
  EXPECT_EQ(name_columns({}, {"a", "a"}, 2, "x").error().code, ErrorCode::bad_data);
  EXPECT_EQ(name_columns({}, {"column2", ""}, 2, "x").error().code, ErrorCode::bad_data)
      << "a filled-in name is taken";
  EXPECT_EQ(name_columns({"p", "p"}, {}, 2, "x").error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(name_columns({"p"}, {}, 2, "x").error().code, ErrorCode::invalid_parameter);
}

TEST(SoundLines, ReadBackAsTheyWere) {
  EXPECT_TRUE(rc::check("any cells", [] {
    const auto cell = rc::gen::container<std::string>(rc::gen::element('a', '"', ',', '\n', '\r', ' ', '\t'));
    const auto rows = *rc::gen::container<Rows>(rc::gen::container<std::vector<std::string>>(std::size_t{2}, cell));
    SoundLines lines;
    for (const auto& row : rows) lines.add(row);
    RC_ASSERT(lines.rows == rows.size());
    TextSource source(lines.text);
    table::CsvReader reader(source, {',', '"'}, "x");
    std::vector<std::string_view> cells;
    for (const auto& row : rows) {
      RC_ASSERT(reader.next(cells).value());
      for (std::size_t i = 0; i < 2; ++i) RC_ASSERT(cells[i] == row[i]);
    }
    RC_ASSERT(!reader.next(cells).value());
    RC_ASSERT(reader.traits().longest_record == lines.longest_record);
    RC_ASSERT(reader.traits().quoted_line_ends == lines.quoted_line_ends);
    RC_ASSERT(!reader.traits().blank_lines);
  }));
}

TEST(JsonLinesTable, IsSoundCsv) {
  const Folder folder;
  std::vector<InputFile> files;
  const auto path = folder.write("x.jsonl", "{\"a\": \"x,y\", \"b\": \"two\\nlines\"}\n{\"c\": 1}\n");
  files.push_back(InputFile::open(path, folder.path(), std::nullopt).value());
  const auto table = read_json_lines(std::move(files), {}, folder.path()).value();
  EXPECT_THAT(table.columns, ElementsAre("a", "b", "c"));
  EXPECT_EQ(bytes_of(table), "\"x,y\",\"two\nlines\",\n,,1\n");
  EXPECT_TRUE(table.files.front().quoted_line_ends);
  EXPECT_EQ(table.rows(), 2U);
}

TEST(JsonLinesTable, UnitesTheKeysOfAllFiles) {
  const Folder folder;
  static_cast<void>(folder.write("1.jsonl", "{\"a\": 1}\n"));
  static_cast<void>(folder.write("2.jsonl", "{\"b\": 2}\n"));
  const auto opened = open(folder / "*.jsonl");
  EXPECT_THAT(opened.names, ElementsAre("a", "b"));
  EXPECT_THAT(opened.rows, ElementsAre(ElementsAre("1", "<missing>"), ElementsAre("<missing>", "2")));
}

TEST(TextOutput, AppearsWholeOrNotAtAll) {
  const Folder folder;
  {
    auto output = TextOutput::create(folder / "x.csv").value();
    ASSERT_TRUE(output.write("half"));
  }
  EXPECT_TRUE(folder.list().empty());
  auto output = TextOutput::create(folder / "x.csv").value();
  ASSERT_TRUE(output.write("whole"));
  EXPECT_FALSE(std::filesystem::exists(folder / "x.csv"));
  ASSERT_TRUE(output.commit());
  EXPECT_EQ(read_all(folder / "x.csv"), "whole");
}

TEST(TextOutput, CompressesTheSameHoweverTextIsHandedOver) {
  const Folder folder;
  std::string text;
  for (unsigned i = 0; i < 400'000; ++i) text += fmt::format("{},{}\n", i, i * 7919 % 65'537);
  ASSERT_GT(text.size(), 3U << 20);
  for (const char* suffix : {".gz", ".zst"}) {
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{70'000}, text.size()}) {
      auto output = TextOutput::create(folder / fmt::format("{}{}", piece, suffix)).value();
      for (std::size_t at = 0; at < text.size(); at += piece)
        ASSERT_TRUE(output.write(std::string_view(text).substr(at, piece)));
      ASSERT_TRUE(output.commit());
    }
    const std::string bytes = read_all(folder / fmt::format("1000{}", suffix));
    EXPECT_TRUE(bytes == read_all(folder / fmt::format("70000{}", suffix)));
    EXPECT_TRUE(bytes == read_all(folder / fmt::format("{}{}", text.size(), suffix)));
    auto file = InputFile::open(folder / fmt::format("1000{}", suffix), folder.path(), std::nullopt).value();
    const auto source = file.text().value();
    std::string back(text.size() + 1, '\0');
    EXPECT_EQ(read_fully(*source, back).value(), text.size());
    back.pop_back();
    EXPECT_TRUE(back == text);
  }
}

}  // namespace text_table_test
}  // namespace gauze::engines
