#include "gauze/text/sanitize/similar_spelling.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace gauze::text {
namespace similar_spelling_test {

WordVectors vocabulary(const std::vector<std::string>& words) {
  std::vector<float> values;
  for (std::size_t i = 0; i < words.size(); ++i) values.push_back(static_cast<float>(i));
  return WordVectors::make(words, values).value();
}

TEST(SimilarSpelling, FindsTheWordThatIsSpeltMostAlike) {
  const WordVectors vectors = vocabulary({"hospital", "hospitality", "doctor", "doctoral", "电影", "电脑"});
  const SimilarSpelling spelling(vectors);
  EXPECT_EQ(spelling.nearest("hospitals"), 0U);
  EXPECT_EQ(spelling.nearest("doctors"), 2U);
  EXPECT_EQ(spelling.nearest("hospitalities"), 1U);
  EXPECT_EQ(spelling.nearest("电影院"), 4U);
  EXPECT_EQ(spelling.nearest("电车"), 4U) << "by pieces of two; the first of equals";
  EXPECT_EQ(spelling.nearest("xyz"), std::nullopt);
  EXPECT_EQ(spelling.nearest(""), std::nullopt);
}

/// Dice's coefficient as two whole numbers, from sets of pieces.
std::pair<std::size_t, std::size_t> dice(const std::string& a, const std::string& b, std::size_t length) {
  const auto pieces = [&](const std::string& word) {
    const std::string whole = "<" + word + ">";
    std::set<std::string> result;
    for (std::size_t i = 0; i + length <= whole.size(); ++i) result.insert(whole.substr(i, length));
    return result;
  };
  const auto left = pieces(a);
  const auto right = pieces(b);
  std::size_t common = 0;
  for (const std::string& piece : left) common += right.count(piece);
  return {common, left.size() + right.size()};
}

TEST(SimilarSpelling, IsItsDefinition) {
  std::mt19937_64 random(3);
  const auto word = [&] {
    std::string result;
    for (std::size_t i = 2 + random() % 6; i > 0; --i) result += static_cast<char>('a' + random() % 4);
    return result;
  };
  std::vector<std::string> words;
  std::set<std::string> seen;
  while (words.size() < 150)
    if (const std::string one = word(); seen.insert(one).second) words.push_back(one);
  const WordVectors vectors = vocabulary(words);
  const SimilarSpelling spelling(vectors);
  for (int i = 0; i < 300; ++i) {
    const std::string asked = word();
    std::optional<std::uint32_t> expected;
    for (const std::size_t length : {3U, 2U}) {
      std::pair<std::size_t, std::size_t> best = {0, 1};
      for (std::uint32_t w = 0; w < words.size() && (length == 3 || !expected || best.first > 0); ++w) {
        const auto found = dice(asked, words[w], length);
        if (found.first * best.second <= best.first * found.second) continue;
        best = found;
        expected = w;
      }
      if (expected) break;
    }
    EXPECT_EQ(spelling.nearest(asked), expected) << asked;
  }
}

}  // namespace similar_spelling_test
}  // namespace gauze::text
