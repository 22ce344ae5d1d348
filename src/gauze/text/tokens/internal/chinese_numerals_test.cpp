#include "gauze/text/tokens/internal/chinese_numerals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace gauze::text::internal {
namespace {

using testing::ElementsAre;

/// Divides at bars; numbers come back in <>.
std::vector<std::string> joined(const std::string& divided) {
  std::string text;
  std::vector<Token> tokens;
  for (std::size_t from = 0; from <= divided.size();) {
    const std::size_t to = std::min(divided.find('|', from), divided.size());
    const std::string piece = divided.substr(from, to - from);
    if (!piece.empty())
      tokens.push_back({text.size(), text.size() + piece.size(), piece == "," ? TokenKind::layout : TokenKind::word});
    text += piece;
    from = to + 1;
  }
  join_chinese_numerals(text, tokens);
  std::vector<std::string> result;
  std::size_t end = 0;
  for (const Token& token : tokens) {
    EXPECT_EQ(token.begin, end);
    EXPECT_GT(token.end, token.begin);
    end = token.end;
    const std::string piece = text.substr(token.begin, token.end - token.begin);
    result.push_back(token.kind == TokenKind::number ? "<" + piece + ">" : piece);
  }
  EXPECT_EQ(end, text.size());
  return result;
}

TEST(ChineseNumerals, AreNumbersHoweverTheyAreDivided) {
  for (const char* text : {"一百二十|元", "一百|二十|元", "一|百|二|十元", "一|百二|十|元"})
    EXPECT_THAT(joined(text), ElementsAre("<一百二十>", "元")) << text;
  EXPECT_THAT(joined("二|〇|二|六年|三月"), ElementsAre("<二〇二六>", "年", "三月"));
  EXPECT_THAT(joined("壹|仟|贰|佰|元"), ElementsAre("<壹仟贰佰>", "元"));
  EXPECT_THAT(joined("五十|,|六十"), ElementsAre("<五十>", ",", "<六十>"));
}

TEST(ChineseNumerals, NeverTakeTheEndOfAWord) {
  EXPECT_THAT(joined("统一|二十|个"), ElementsAre("统一", "<二十>", "个"));
  EXPECT_THAT(joined("第二|十|人"), ElementsAre("第二", "十", "人"));
}

TEST(ChineseNumerals, OneIsAWordAndSoIsWhatHasMoreThanNumerals) {
  EXPECT_THAT(joined("一|人"), ElementsAre("一", "人"));
  EXPECT_THAT(joined("十二月|百万富翁|第一"), ElementsAre("十二月", "百万富翁", "第一"));
}

TEST(ChineseNumerals, EverydayWordsAreWordsUnlessANumeralStandsBefore) {
  EXPECT_THAT(joined("千万|不要|万一|一定"), ElementsAre("千万", "不要", "万一", "一定"));
  EXPECT_THAT(joined("三|千万|元"), ElementsAre("<三千万>", "元"));
}

TEST(ChineseNumerals, CoverAnyTextWithoutAGap) {
  const std::vector<std::string> pieces = {"一", "百", "万",  "千万", "元",       "第",
                                           "|",  "|",  "|,|", "a",    "\xCC\x81", "〇"};
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    joined(text);
  }
}

}  // namespace
}  // namespace gauze::text::internal
