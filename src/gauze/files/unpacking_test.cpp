#include "gauze/files/unpacking.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "gauze/files/atomic_file.h"
#include "gauze/files/compression.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/files/scratch_folder.h"

namespace gauze {
namespace unpacking_test {

std::string read_all(ByteSource& source) {
  std::string all;
  std::string block(1000, '\0');
  for (;;) {
    const auto got = source.read(block);
    EXPECT_TRUE(got) << got.error().message;
    if (!got || *got == 0) return all;
    all.append(block, 0, *got);
  }
}

TEST(Unpacking, RecognisesWhatIsCompressedByItsBytes) {
  const auto folder = ScratchFolder::make();
  ASSERT_TRUE(folder);
  for (const std::string& text : {std::string(), std::string("ab"), std::string(300'000, 'q')}) {
    for (const Compression compression : {Compression::none, Compression::gzip, Compression::zstd}) {
      const std::string path = folder->file("x");
      const std::string pieces =
          compress_piece(text, compression).value() + compress_piece(text, compression).value();
      ASSERT_TRUE(write_file(path, pieces));
      auto source = open_unpacked(path);
      ASSERT_TRUE(source) << source.error().message;
      EXPECT_EQ(read_all(**source), text + text);
    }
  }
}

TEST(Unpacking, SaysWhatIsCutOff) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const std::string packed = compress_piece(std::string(50'000, 'q') + "end", compression).value();
    const auto source =
        unpack(std::make_unique<TextSource>(std::string_view(packed).substr(0, packed.size() - 3)), "x");
    ASSERT_TRUE(source);
    std::string block(1 << 20, '\0');
    Result<std::size_t> got = 1;
    while (got && *got > 0) got = (*source)->read(block);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, ErrorCode::bad_data);
  }
}

TEST(Unpacking, ClaimsOfAFileAreReadInAnyOrder) {
  const auto folder = ScratchFolder::make();
  ASSERT_TRUE(folder);
  const std::string path = folder->file("x");
  ASSERT_TRUE(write_file(path, "0123456789abcde"));
  const auto source = open_unpacked(path).value();
  EXPECT_FALSE(source->claim(4)) << "the first bytes were read to see what they are";
  std::string block(5, '\0');
  ASSERT_TRUE(read_fully(*source, block));
  EXPECT_EQ(block, "01234");
  const auto first = source->claim(4);
  const auto second = source->claim(4);
  const auto third = source->claim(4);
  ASSERT_TRUE(first && second && third);
  block.resize(4);
  EXPECT_EQ((*third)(block).value(), 2U);
  EXPECT_EQ(block.substr(0, 2), "de");
  EXPECT_EQ((*second)(block).value(), 4U);
  EXPECT_EQ(block, "9abc");
  EXPECT_EQ((*first)(block).value(), 4U);
  EXPECT_EQ(block, "5678");
}

TEST(Unpacking, NothingIsClaimedOfWhatIsPackedOrInAPipe) {
  const auto folder = ScratchFolder::make();
  ASSERT_TRUE(folder);
  std::string block(4, '\0');
  ASSERT_TRUE(write_file(folder->file("x"), compress_piece("0123456789", Compression::gzip).value()));
  const auto packed = open_unpacked(folder->file("x")).value();
  ASSERT_TRUE(read_fully(*packed, block));
  EXPECT_FALSE(packed->claim(4));

  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const FileDescriptor out(ends[0]);
  const FileDescriptor in(ends[1]);
  ASSERT_EQ(::write(in.number(), "0123456789", 10), 10);
  FileSource pipe(out, "pipe");
  ASSERT_EQ(pipe.read(block).value(), 4U);
  EXPECT_FALSE(pipe.claim(4));
}

TEST(Unpacking, AMissingFileIsAnError) { EXPECT_EQ(open_unpacked("/nowhere/x").error().code, ErrorCode::io); }

}  // namespace unpacking_test
}  // namespace gauze
