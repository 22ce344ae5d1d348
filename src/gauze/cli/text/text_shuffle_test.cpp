// text sanitize --shuffle.
#include <gmock/gmock.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace text_shuffle_test {

using ::testing::HasSubstr;
using ::testing::Not;

/// Lines that can be told apart by their blanks, which stay as they are whatever becomes of the words.
class TextShuffle : public ::testing::Test {
 protected:
  TextShuffle() {
    folder_.write("v.txt", "good 0 0\nfilm 1 0\nbad 0 1\n");
    std::string text;
    for (int i = 0; i < 300; ++i) text += "good" + std::string(static_cast<std::size_t>(i + 1), ' ') + "film\n";
    folder_.write("t.txt", text);
  }
  Ran sanitize(const std::vector<std::string>& more) {
    std::vector<std::string> line = {"text", "sanitize", "--vectors",         folder_ / "v.txt", "--epsilon",
                                     "1",    "-o",       folder_ / "out.txt", "--json"};
    line.insert(line.end(), more.begin(), more.end());
    return run(line);
  }
  /// How many blanks each line has: its number in the original, from 1.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> numbers;
    for (const std::string& line : lines_of(folder_.read("out.txt")))
      numbers.push_back(static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')));
    return numbers;
  }

  Folder folder_;
};

TEST_F(TextShuffle, KeepsTheOrderByDefaultAndSaysSo) {
  const Ran ran = sanitize({folder_ / "t.txt"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  const auto numbers = order();
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(at(json_of(ran), {"label", "parameters", "order"}), "that of the original");
  EXPECT_THAT(at(json_of(ran), {"label", "does_not_cover"}), HasSubstr("the order of the documents"));
}

TEST_F(TextShuffle, WritesEveryLineOnceInAnotherOrder) {
  const Ran ran = sanitize({folder_ / "t.txt", "--shuffle"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  auto numbers = order();
  EXPECT_FALSE(std::is_sorted(numbers.begin(), numbers.end()));  // by chance: 1 in 300!
  std::sort(numbers.begin(), numbers.end());
  ASSERT_EQ(numbers.size(), 300U);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], i + 1);
  EXPECT_EQ(at(json_of(ran), {"label", "parameters", "order"}), "random");
  EXPECT_THAT(at(json_of(ran), {"label", "does_not_cover"}), Not(HasSubstr("order of the documents")));
  EXPECT_EQ(run({"label", "check", folder_ / "out.txt"}).status, 0);
  EXPECT_EQ(at(json_of(ran), {"documents"}), "300");
}

TEST_F(TextShuffle, MixesTheLinesOfAllFiles) {
  folder_.write("a.txt", "good film");  // without a line end
  folder_.write("b.txt", "good  film\ngood   film\n");
  ASSERT_EQ(sanitize({folder_ / "a.txt", folder_ / "b.txt", "--shuffle"}).status, 0);
  auto numbers = order();
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers, (std::vector<std::size_t>{1, 2, 3}));
}

TEST_F(TextShuffle, IsRepeatableWithASeedAlone) {
  ASSERT_EQ(sanitize({folder_ / "t.txt", "--shuffle", "--seed", "3", "--insecure-seed"}).status, 0);
  const std::string first = folder_.read("out.txt");
  ASSERT_EQ(sanitize({folder_ / "t.txt", "--shuffle", "--seed", "3", "--insecure-seed"}).status, 0);
  EXPECT_EQ(folder_.read("out.txt"), first);
  ASSERT_EQ(sanitize({folder_ / "t.txt", "--shuffle"}).status, 0);
  EXPECT_NE(folder_.read("out.txt"), first);
}

TEST_F(TextShuffle, IsForDocumentsThatAreLines) {
  folder_.write("t.csv", "id,words\n1,good film\n2,bad film\n");
  const Ran ran = sanitize({folder_ / "t.csv", "--column", "words", "--shuffle"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.out, HasSubstr("documents that are lines"));
}

}  // namespace text_shuffle_test
}  // namespace gauze::cli
