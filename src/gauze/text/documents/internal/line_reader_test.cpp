#include "gauze/text/documents/internal/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::text::internal {
namespace line_reader_test {

/// Gives a few bytes at a time, as a decompressor does.
class Drops : public ByteSource {
 public:
  explicit Drops(std::string text) : text_(std::move(text)), rest_(text_) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    return rest_.read(block.first(std::min<std::size_t>(block.size(), 7)));
  }

 private:
  std::string text_;
  TextSource rest_;
};

TEST(LineReader, ReadsLinesOfAnyLengthUpToTheLimit) {
  const std::string longest(1'000'000, 'x');
  LineReader reader(std::make_unique<Drops>("a\r\n" + longest + "\n\nlast"), {}, 1'000'000);
  std::vector<std::size_t> sizes;
  TextLine line;
  for (;;) {
    const auto more = reader.next(line);
    ASSERT_TRUE(more) << more.error().message;
    if (!*more) break;
    sizes.push_back(line.text.size());
  }
  EXPECT_THAT(sizes, ::testing::ElementsAre(1, 1'000'000, 0, 4));
}

TEST(LineReader, RefusesALineThatIsTooLong) {
  LineReader reader(std::make_unique<Drops>("a\n" + std::string(3 << 20, 'x') + "\n"), {}, std::size_t{1} << 20);
  TextLine line;
  ASSERT_TRUE(reader.next(line));
  const auto refused = reader.next(line);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_data);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("longer than 1 MiB"));
}

}  // namespace line_reader_test
}  // namespace gauze::text::internal
