#include "gauze/text/tokens/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/text/tokens/word_shape.h"

namespace gauze::text {
namespace {

using testing::ElementsAre;

/// Words as they are, numbers in <>, addresses in [], telephone numbers in (); layout left out.
std::vector<std::string> pieces(std::string_view text, const SegmentationDictionary* dictionary = nullptr,
                                Language language = Language::automatic) {
  Tokenizer tokenizer(dictionary, language);
  std::vector<Token> tokens;
  tokenizer.split(text, tokens);
  std::vector<std::string> result;
  std::size_t done = 0;
  for (const Token& one : tokens) {
    EXPECT_EQ(one.begin, done) << "without a gap";
    EXPECT_GT(one.end, one.begin);
    done = one.end;
    const std::string piece(text.substr(one.begin, one.end - one.begin));
    if (one.kind == TokenKind::word) result.push_back(piece);
    if (one.kind == TokenKind::number) result.push_back("<" + piece + ">");
    if (one.kind == TokenKind::address) result.push_back("[" + piece + "]");
    if (one.kind == TokenKind::phone) result.push_back("(" + piece + ")");
  }
  EXPECT_EQ(done, text.size());
  return result;
}

TEST(Tokenizer, EnglishWordsAndLayout) {
  EXPECT_THAT(pieces("Hello, world!  It 's the film's best: don't miss."),
              ElementsAre("Hello", "world", "It", "'s", "the", "film's", "best", "don't", "miss"));
  EXPECT_THAT(pieces("one\ttwo\nthree"), ElementsAre("one", "two", "three"));
  EXPECT_THAT(pieces(""), ElementsAre());
  EXPECT_THAT(pieces(" ... !? "), ElementsAre());
  EXPECT_THAT(pieces("caf\xC3\xA9 na\xC3\xAFve"), ElementsAre("caf\xC3\xA9", "na\xC3\xAFve"));
}

TEST(Tokenizer, NumbersAddressesAndTelephones) {
  EXPECT_THAT(pieces("in 1999 it cost 3.50"), ElementsAre("in", "<1999>", "it", "cost", "<3.50>"));
  EXPECT_THAT(pieces("Write to jo.doe+x@mail.example.org, please."),
              ElementsAre("Write", "to", "[jo.doe+x@mail.example.org]", "please"));
  EXPECT_THAT(pieces("see https://example.org/a?b=c&d (or www.example.net)."),
              ElementsAre("see", "[https://example.org/a?b=c&d]", "or", "[www.example.net]"));
  EXPECT_THAT(pieces("thanks @some_one!"), ElementsAre("thanks", "[@some_one]"));
  EXPECT_THAT(pieces("call +44 (0)20 7946-0018 now"), ElementsAre("call", "(+44 (0)20 7946-0018)", "now"));
  EXPECT_THAT(pieces("\xE7\x94\xB5\xE8\xAF\x9D"
                     "13800138000"),
              ElementsAre("\xE7\x94\xB5\xE8\xAF\x9D", "(13800138000)"));
  EXPECT_THAT(pieces("a @ b"), ElementsAre("a", "b"));
}

TEST(Tokenizer, ChineseWithAndWithoutADictionary) {
  EXPECT_THAT(pieces("数据脱敏很重要。"), testing::Contains("数据"));
  const auto dictionary = SegmentationDictionary::parse("数据 100 n\n脱敏 50 v\n很 80\n重要 90 a\n重 3\n要 4\n");
  ASSERT_TRUE(dictionary);
  EXPECT_THAT(pieces("数据脱敏很重要。ok", &*dictionary), ElementsAre("数据", "脱敏", "很", "重要", "ok"));
  EXPECT_THAT(pieces("用数据", &*dictionary), ElementsAre("用", "数据")) << "an unknown character stands alone";
}

TEST(Tokenizer, CliticsThatStandAloneHaveTheirApostrophe) {
  for (const Language language : {Language::automatic, Language::english}) {
    EXPECT_THAT(pieces("it 's ’S", nullptr, language), ElementsAre("it", "'s", "’S"));
    EXPECT_THAT(pieces("电影's 电影’s", nullptr, language), ElementsAre("电影", "'s", "电影", "’s"));
    EXPECT_THAT(pieces("the 1990's do n't", nullptr, language), ElementsAre("the", "<1990>", "'s", "do", "n't"));
  }
  EXPECT_THAT(pieces("电影's", nullptr, Language::chinese), ElementsAre("电影", "s"));
  EXPECT_THAT(pieces("'tis James' rock'n'roll, rock ’n’ roll, O’Neil’s"),
              ElementsAre("tis", "James", "rock'n'roll", "rock", "n", "roll", "O’Neil’s"));
}

TEST(Tokenizer, ChineseNumeralsAreNumbersButNotInEnglish) {
  const auto dictionary = SegmentationDictionary::parse("一百 9\n二十 9\n十块 9\n块钱 9\n千万 9\n不要 9\n");
  ASSERT_TRUE(dictionary);
  for (const SegmentationDictionary* words : {static_cast<const SegmentationDictionary*>(nullptr), &*dictionary})
    for (const Language language : {Language::automatic, Language::chinese}) {
      EXPECT_THAT(pieces("一百二十元", words, language), ElementsAre("<一百二十>", "元"));
      EXPECT_THAT(pieces("二〇二六年", words, language), ElementsAre("<二〇二六>", "年"));
      EXPECT_THAT(pieces("千万不要", words, language), ElementsAre("千万", "不要"));
    }
  EXPECT_THAT(pieces("一百二十元", &*dictionary, Language::english), ElementsAre("一百", "二十", "元"));
  EXPECT_THAT(pieces("一百二十块钱", &*dictionary), ElementsAre("<一百二十>", "块钱"));
}

TEST(SegmentationDictionary, RefusesDamage) {
  for (const char* bad : {"", "word\n", "word x\n", "word -1\n", "word nan\n", "\xFF 1\n"})
    EXPECT_FALSE(SegmentationDictionary::parse(bad)) << bad;
  EXPECT_THAT(SegmentationDictionary::parse("a 1\nb\n").error().message, testing::HasSubstr("line 2"));
}

TEST(WordShape, LookupFormsAreTheSame) {
  EXPECT_EQ(lookup_form("e\xCC\x81"), lookup_form("\xC3\xA9")) << "NFD and NFC";
  EXPECT_EQ(lookup_form("ｈｅｌｌｏ"), "hello") << "full width";
  EXPECT_EQ(lookup_form("ｶﾞ"), lookup_form("ガ")) << "half width";
  EXPECT_EQ(small_letters("ÉCOLE"), "école");
}

TEST(WordShape, CaseIsRestored) {
  EXPECT_EQ(in_the_case_of("Film", "movie"), "Movie");
  EXPECT_EQ(in_the_case_of("FILM", "movie"), "MOVIE");
  EXPECT_EQ(in_the_case_of("film", "Movie"), "Movie");
  EXPECT_EQ(in_the_case_of("I", "we"), "We");
  EXPECT_EQ(in_the_case_of("École", "église"), "Église");
  EXPECT_EQ(in_the_case_of("电影", "movie"), "movie");
  EXPECT_EQ(in_the_case_of("A", ""), "");
}

}  // namespace
}  // namespace gauze::text
