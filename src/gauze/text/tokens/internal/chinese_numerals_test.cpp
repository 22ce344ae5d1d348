#include "gauze/text/tokens/internal/chinese_numerals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace gauze::text::internal {
namespace chinese_numerals_test {

using ::testing::ElementsAre;

/// Divides at bars; numbers come back in <>, telephone numbers in ().
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
    result.push_back(token.kind == TokenKind::number  ? "<" + piece + ">"
                     : token.kind == TokenKind::phone ? "(" + piece + ")"
                                                      : piece);
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
  EXPECT_THAT(joined("千|万|别|去"), ElementsAre("千万", "别", "去")) << "the segmentation does not know it";
  EXPECT_THAT(joined("万|一下|雨"), ElementsAre("万一", "下", "雨"));
  EXPECT_THAT(joined("三三|两|两|三|千|万"), ElementsAre("<三三两两三千万>"));
}

// Where numbers are kept a name would be printed.
TEST(ChineseNumerals, ThatMayBeNamesAreWords) {
  EXPECT_THAT(joined("伍|六|七|说"), ElementsAre("伍六七", "说"));
  EXPECT_THAT(joined("陆仟|和|陸|九渊|和|万|三"), ElementsAre("陆仟", "和", "陸九", "渊", "和", "万三"));
  EXPECT_THAT(joined("陆|仟|伍|佰|元"), ElementsAre("<陆仟伍佰>", "元")) << "too long for a name";
  EXPECT_THAT(joined("贰|拾|伍"), ElementsAre("<贰拾伍>"));
}

TEST(ChineseNumerals, AreTelephoneNumbersWhenFiguresStandOneByOne) {
  EXPECT_THAT(joined("打|一三八|〇〇一三|八〇〇〇|吧"), ElementsAre("打", "(一三八〇〇一三八〇〇〇)", "吧"));
  EXPECT_THAT(joined("二|〇|二|六|一|二"), ElementsAre("<二〇二六一二>"));
  EXPECT_THAT(joined("三百|二十|五万|六千"), ElementsAre("<三百二十五万六千>"));
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

}  // namespace chinese_numerals_test
}  // namespace gauze::text::internal
