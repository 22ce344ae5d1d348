#include "gauze/engines/internal/input_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gauze/engines/testing/engine_testing.h"

namespace gauze::engines {
namespace input_file_test {

using table::FileFormat;
using ::testing::HasSubstr;

std::string all_of(ByteSource& source) {
  std::string text;
  std::string block(777, '\0');
  for (;;) {
    const std::size_t got = source.read(block).value();
    if (got == 0) return text;
    text.append(block, 0, got);
  }
}

TEST(FileDescriptor, HasAPathThatNeedsNoName) {
  const Folder folder;
  auto file = open_for_reading(folder.write("x", "hello")).value();
  std::filesystem::remove(folder / "x");
  EXPECT_EQ(read_all(file.path()), "hello");
  const int number = file.number();
  const FileDescriptor moved = std::move(file);
  EXPECT_EQ(moved.number(), number);
}

TEST(FileDescriptor, IsClosedAtTheEndOfItsLife) {
  const Folder folder;
  const auto path = folder.write("x", "hello");
  int number = -1;
  {
    const auto file = open_for_reading(path).value();
    number = file.number();
    EXPECT_GE(::fcntl(number, F_GETFD), 0);
  }
  EXPECT_LT(::fcntl(number, F_GETFD), 0);
}

TEST(FileDescriptor, IsNotInheritedByOtherPrograms) {
  const Folder folder;
  const auto named = open_for_reading(folder.write("x", "")).value();
  const auto nameless = open_nameless(folder.path()).value();
  EXPECT_NE(::fcntl(named.number(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(::fcntl(nameless.number(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(NamelessFile, LeavesNoNameAndIsPrivate) {
  const Folder folder;
  const auto file = open_nameless(folder.path()).value();
  EXPECT_TRUE(folder.list().empty());
  struct stat status {};
  ASSERT_EQ(::fstat(file.number(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ASSERT_TRUE(write_all(file, "some bytes", "x"));
  FileSource first(file, "x");
  FileSource second(file, "x");
  EXPECT_EQ(all_of(first), "some bytes");
  EXPECT_EQ(all_of(second), "some bytes") << "each source reads from the beginning";
  EXPECT_EQ(open_nameless(folder / "absent").error().code, ErrorCode::io);
}

InputFile open_bytes(const Folder& folder, std::string_view bytes, const std::string& name = "x") {
  return InputFile::open(folder.write(name, bytes), folder.path(), std::nullopt).value();
}

TEST(InputFile, KnowsFormatsByContent) {
  const Folder folder;
  EXPECT_EQ(open_bytes(folder, "a,b\n").format(), FileFormat::csv);
  EXPECT_EQ(open_bytes(folder, "PAR1....").format(), FileFormat::parquet);
  EXPECT_EQ(open_bytes(folder, "\n {\"a\":1}\n").format(), FileFormat::json_lines);
  EXPECT_EQ(open_bytes(folder, "{a},b\n", "x.csv").format(), FileFormat::csv);
  EXPECT_EQ(open_bytes(folder, "{a}\tb\n", "x.tsv").format(), FileFormat::csv);
  EXPECT_EQ(open_bytes(folder, "").format(), FileFormat::csv);
  EXPECT_EQ(open_bytes(folder, compress_piece("{\"a\":1}\n", Compression::zstd).value()).format(),
            FileFormat::json_lines);
}

TEST(InputFile, SaysWhetherItsBytesAreItsText) {
  const Folder folder;
  EXPECT_TRUE(open_bytes(folder, "a,b\n").is_plain());
  EXPECT_TRUE(open_bytes(folder, "年,b\n").is_plain());
  EXPECT_FALSE(open_bytes(folder,
                          "\xEF\xBB\xBF"
                          "a,b\n")
                   .is_plain());
  EXPECT_FALSE(open_bytes(folder, "M\xFCller\n").is_plain());
  EXPECT_FALSE(open_bytes(folder, compress_piece("a,b\n", Compression::gzip).value()).is_plain());
}

TEST(InputFile, GivesItsTextAgainAndAgain) {
  const Folder folder;
  const auto file = open_bytes(folder, compress_piece("M\xFCller\n", Compression::gzip).value());
  for (int i = 0; i < 2; ++i) {
    const auto source = file.text().value();
    EXPECT_EQ(all_of(*source), "Müller\n");
  }
  EXPECT_EQ(file.beginning(), "Müller\n");
  EXPECT_TRUE(file.beginning_is_all());
}

TEST(InputFile, CutsTheBeginningOfALargeFileAtALineEnd) {
  const Folder folder;
  std::string text;
  while (text.size() < 3U << 20) text += "一二三,四五六\n";
  const auto file = open_bytes(folder, text);
  EXPECT_FALSE(file.beginning_is_all());
  EXPECT_EQ(file.beginning().back(), '\n');
  EXPECT_GT(file.beginning().size(), 1'000'000U);
  EXPECT_LT(file.beginning().size(), 1'100'000U);
}

TEST(InputFile, TakesALongFirstLineWhole) {
  const Folder folder;
  const std::string line(5U << 20, 'x');
  const auto file = open_bytes(folder, line + "\nshort\n");
  EXPECT_EQ(file.beginning().substr(0, line.size() + 1), line + "\n");
}

TEST(InputFile, NamesItselfInErrors) {
  const Folder folder;
  const auto absent = InputFile::open(folder / "absent", folder.path(), std::nullopt);
  EXPECT_THAT(absent.error().message, HasSubstr("'" + folder / "absent" + "'"));
  EXPECT_EQ(InputFile::open(folder.path().string(), folder.path(), std::nullopt).error().code, ErrorCode::io);
  EXPECT_EQ(InputFile::open(folder.write("x", "a"), folder.path(), "klingon").error().code,
            ErrorCode::invalid_parameter);
}

}  // namespace input_file_test
}  // namespace gauze::engines
