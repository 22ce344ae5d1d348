#include "gauze/patterns/baskets/basket_release.h"

#include <gtest/gtest.h>

namespace gauze::patterns {
namespace {

/// A small generator for tests.
struct Draws {
  std::uint64_t state = 99;
  std::uint64_t below(std::uint64_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % bound;
  }
};

TEST(BasketRelease, ComesBackByteForByte) {
  Draws draws;
  const std::string files[] = {"A B C D\nA B D\n\n# a remark\n A\t C  D \r\nB C D\nA D",
                               "牛奶,\"bread, white\",a\n\"x \"\"y\"\"\", a ,牛奶\n\na\n",
                               "a,b,c\n1,0,1\n1,1,1\n0,0,1\n"};
  for (const std::string& text : files) {
    const BasketFile file = *BasketFile::parse(text, std::nullopt);
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<Edit> edits;
      for (std::size_t r = 0; r < file.database().rows(); ++r)
        for (const Item item : file.database().row(r))
          if (draws.below(3) == 0)
            edits.push_back({r, item, draws.below(2) == 0 ? Operation::mark : Operation::remove});
      for (const MarkStyle style : {MarkStyle::anchored, MarkStyle::anonymous}) {
        const auto release = write_release(file, edits, style);
        if (file.format() == BasketFormat::matrix && style == MarkStyle::anonymous) {
          EXPECT_FALSE(release);
          continue;
        }
        ASSERT_TRUE(release) << release.error().message;
        const auto back = restore(release->bytes, release->marks);
        ASSERT_TRUE(back) << back.error().message << "\n" << release->bytes << "\n" << release->marks;
        EXPECT_EQ(*back, text) << release->bytes;
        // What is read from the release is the original less what was taken.
        const BasketFile read = *BasketFile::parse(release->bytes, file.format());
        ASSERT_EQ(read.database().rows(), file.database().rows());
        EXPECT_EQ(read.database().items.size() + edits.size(), file.database().items.size());
      }
    }
  }
}

TEST(BasketRelease, MarksAreWhatTheFormatSays) {
  const BasketFile file = *BasketFile::parse("A B C\nB, C\n", BasketFormat::dat);
  const std::vector<Edit> edits = {{0, 1, Operation::mark}};
  EXPECT_EQ(write_release(file, edits, MarkStyle::anchored)->bytes, "A ?B C\nB, C\n");
  EXPECT_EQ(write_release(file, edits, MarkStyle::anonymous)->bytes, "A ? C\nB, C\n");
  EXPECT_EQ(write_release(file, edits, MarkStyle::anchored)->marks,
            "row,position,item,operation,text\n1,2,B,anchored,B\n");
  const BasketFile quoted = *BasketFile::parse("\"a, b\",c\n", BasketFormat::csv);
  EXPECT_EQ(write_release(quoted, std::vector<Edit>{{0, 0, Operation::mark}}, MarkStyle::anchored)->bytes,
            "\"?a, b\",c\n");
}

TEST(BasketRelease, OtherMarksAreRefused) {
  const BasketFile file = *BasketFile::parse("A B\nA B\n", BasketFormat::dat);
  const auto release = write_release(file, std::vector<Edit>{{0, 0, Operation::mark}}, MarkStyle::anchored);
  EXPECT_FALSE(restore("A B\nA B\n", release->marks));
  EXPECT_FALSE(restore("", release->marks));
  EXPECT_FALSE(restore(release->bytes, "nonsense"));
  EXPECT_FALSE(restore(release->bytes, "row,position,item,operation,text\n1,x,A,anchored,A\n"));
  EXPECT_FALSE(restore(release->bytes, "row,position,item,operation,text\n9,0,A,anchored,A\n"));
  EXPECT_FALSE(restore(release->bytes, "row,position,item,operation,text\n1,0,A,other,A\n"));
}

}  // namespace
}  // namespace gauze::patterns
