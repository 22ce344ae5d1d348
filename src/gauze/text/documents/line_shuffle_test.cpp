#include "gauze/text/documents/line_shuffle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gauze/base/testing/watched.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::text {
namespace line_shuffle_test {

using ::testing::HasSubstr;

std::string shuffled(const std::vector<std::string>& pieces, RandomWords& random, std::size_t memory = 1U << 20) {
  LineShuffle shuffle = LineShuffle::make(memory).value();
  for (const std::string& piece : pieces) EXPECT_TRUE(shuffle.add(piece));
  std::string text;
  EXPECT_TRUE(shuffle.write(random, [&](std::string_view part) -> Result<void> {
    text += part;
    return {};
  }));
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return lines;
}

TEST(LineShuffle, KeepsEveryLineOnceAndMovesThem) {
  std::string text;
  for (int i = 0; i < 5'000; ++i)
    text += "line " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 70), 'x') + "\n";
  const std::string result = shuffled({text}, SecureRandom::of_thread());
  auto before = lines_of(text), after = lines_of(result);
  EXPECT_NE(before, after);  // the same order by chance: 1 in 5,000!
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  EXPECT_EQ(before, after);
}

TEST(LineShuffle, DoesNotDependOnHowTheTextIsCut) {
  const std::string text = "\xEF\xBB\xBFone\r\n\ntwo words\nthree\n\nlast";
  SeededRandom whole(5);
  const std::string expected = shuffled({text}, whole);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    SeededRandom random(5);
    EXPECT_EQ(shuffled({text.substr(0, cut), text.substr(cut)}, random), expected) << cut;
  }
  EXPECT_TRUE(expected.starts_with("\xEF\xBB\xBF"));
  auto lines = lines_of(expected.substr(3));
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, (std::vector<std::string>{"", "", "last", "one\r", "three", "two words"}));
}

TEST(LineShuffle, TakesTextsOfNoLineAndOfOne) {
  SeededRandom random(1);
  EXPECT_EQ(shuffled({}, random), "");
  EXPECT_EQ(shuffled({""}, random), "");
  EXPECT_EQ(shuffled({"\n"}, random), "\n");
  EXPECT_EQ(shuffled({"x"}, random), "x\n");
  EXPECT_EQ(shuffled({"\xEF\xBB\xBF"}, random), "\xEF\xBB\xBF");
}

// 6,000 shuffles of 3 lines, 6 orders: chi-square with 5 degrees of freedom exceeds 36 with p < 1e-6; an order that is 25 % too
// frequent, and swapping each line with any line (4 : 5 : 5 : 5 : 4 : 4 of 27), are caught in > 99 % of runs.
TEST(LineShuffle, MakesEveryOrderAsLikely) {
  SeededRandom random(77);
  std::map<std::string, double> counts;
  const int n = watched_less(6'000);
  for (int i = 0; i < n; ++i) counts[shuffled({"a\nb\nc\n"}, random)] += 1;
  ASSERT_EQ(counts.size(), 6U);
  double chi_square = 0;
  for (const auto& [text, count] : counts) chi_square += (count - n / 6.0) * (count - n / 6.0) / (n / 6.0);
  EXPECT_LT(chi_square, 36);
}

TEST(LineShuffle, SaysWhenTheMemoryForItsPlacesIsUsedUp) {
  LineShuffle shuffle = LineShuffle::make(10 * 8).value();
  EXPECT_TRUE(shuffle.add("1\n2\n3\n4\n5\n6\n7\n8\n9\n"));
  EXPECT_TRUE(shuffle.add("10"));
  EXPECT_TRUE(shuffle.add(" goes on\n"));
  const auto eleventh = shuffle.add("11\n");
  ASSERT_FALSE(eleventh);
  EXPECT_EQ(eleventh.error().code, ErrorCode::invalid_parameter);
  EXPECT_THAT(eleventh.error().message, HasSubstr("more memory"));
}

TEST(LineShuffle, HandsOnWhatTheSinkFailsWith) {
  LineShuffle shuffle = LineShuffle::make(1000).value();
  EXPECT_TRUE(shuffle.add("a\nb\n"));
  const auto written = shuffle.write(
      SecureRandom::of_thread(), [](std::string_view) -> Result<void> { return make_error(ErrorCode::io, "full"); });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "full");
}

}  // namespace line_shuffle_test
}  // namespace gauze::text
