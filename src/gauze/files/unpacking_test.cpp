#include "gauze/files/unpacking.h"

#include <gtest/gtest.h>

#include "gauze/files/atomic_file.h"
#include "gauze/files/compression.h"
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

TEST(Unpacking, AMissingFileIsAnError) { EXPECT_EQ(open_unpacked("/nowhere/x").error().code, ErrorCode::io); }

}  // namespace unpacking_test
}  // namespace gauze
