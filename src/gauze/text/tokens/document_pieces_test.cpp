#include "gauze/text/tokens/document_pieces.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "gauze/base/utf8.h"
#include "gauze/text/tokens/internal/sensitive_stretches.h"
#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text {
namespace document_pieces_test {

std::string joined(const std::vector<std::string_view>& pieces) {
  std::string whole;
  for (const std::string_view piece : pieces) whole += piece;
  return whole;
}

TEST(DocumentPieces, AreTheTextAndNoLongerThanAsked) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "word" + std::to_string(i) + (i % 7 == 0 ? ". " : " ");
  for (const std::size_t longest : {16U, 100U, 1000U, 100'000U}) {
    const auto pieces = document_pieces(text, {.longest = longest});
    EXPECT_EQ(joined(pieces), text);
    for (const std::string_view piece : pieces) {
      EXPECT_LE(piece.size(), longest);
      EXPECT_FALSE(piece.empty());
    }
  }
  EXPECT_EQ(document_pieces("", {.longest = 10}).size(), 1U);
  EXPECT_EQ(document_pieces("short text", {.longest = 10}).size(), 1U);
}

TEST(DocumentPieces, EndBetweenWordsWhereThereIsABlank) {
  const std::string text = "call 030 12 34 56 78 90 now and write to someone";
  for (const std::string_view piece : document_pieces(text, {.longest = 30})) {
    if (piece.data() + piece.size() == text.data() + text.size()) continue;
    EXPECT_EQ(piece.back(), ' ') << piece;
    EXPECT_NE(piece.find("030"), piece.find("90") == std::string_view::npos ? 5U : std::string_view::npos)
        << "a telephone number is not cut: " << piece;
  }
}

TEST(DocumentPieces, NeverCutACharacter) {
  std::string chinese;
  for (int i = 0; i < 500; ++i) chinese += "知人者智";
  const auto pieces = document_pieces(chinese, {.longest = 64});
  EXPECT_EQ(joined(pieces), chinese);
  for (const std::string_view piece : pieces) EXPECT_FALSE(find_invalid_utf8(piece));
}

/// What the tokenizer makes of a text, whole or in pieces.
std::vector<std::string> words_of(const std::vector<std::string_view>& pieces) {
  Tokenizer tokenizer;
  std::vector<Token> tokens;
  std::vector<std::string> words;
  for (const std::string_view piece : pieces) {
    tokenizer.split(piece, tokens);
    for (const Token& token : tokens)
      if (token.kind != TokenKind::layout) words.emplace_back(piece.substr(token.begin, token.end - token.begin));
  }
  return words;
}

// With blanks and without: neither clitics nor numbers are cut, wherever a piece would end.
TEST(DocumentPieces, LeaveCliticsAndNumbersWhole) {
  for (const std::string unit : {"don't it’s 's ", "don't,it’s,we'll;", "共一百二十元，", "二〇二六年一百二十元"}) {
    std::string text;
    for (int i = 0; i < 50; ++i) text += unit;
    const auto whole = words_of({text});
    for (std::size_t longest = 60; longest < 130; ++longest)
      EXPECT_EQ(words_of(document_pieces(text, {.longest = longest})), whole) << unit << longest;
  }
}

std::vector<std::string> stretches_of(const std::vector<std::string_view>& pieces) {
  std::vector<std::string> result;
  for (const std::string_view piece : pieces)
    for (const Token& token : internal::sensitive_stretches(piece))
      result.emplace_back(piece.substr(token.begin, token.end - token.begin));
  return result;
}

// A fragment of one would be printed where numbers are kept.
TEST(DocumentPieces, LeaveTelephoneNumbersWholeWhereNothingElseIs) {
  std::mt19937 random(7);
  for (const std::string between : {", ", "、", "; ", "\n", "，"}) {
    std::string text;
    for (int i = 0; i < 300; ++i) {
      const std::string digits = std::to_string(1'000'000 + random() % 9'000'000);
      const std::string_view d = digits;
      text += "+1 555 " + std::string(d.substr(0, 2)) + " " + std::string(d.substr(2, 2)) + "\u00A0" +
              std::string(d.substr(4)) + between;
    }
    const auto whole = stretches_of({text});
    EXPECT_EQ(whole.size(), 300U);
    for (std::size_t longest = 60; longest < 130; ++longest)
      EXPECT_EQ(stretches_of(document_pieces(text, {.longest = longest})), whole) << between << longest;
  }
}

TEST(DocumentPieces, LeaveAddressesAndTelephoneNumbersWholeAmongAnything) {
  const std::vector<std::string> units = {"https://x.org/a,b;c!d?e",
                                          "zz@example.com",
                                          "张三@example.com",
                                          "+49 170 1234567",
                                          "１３８ - ００１３ - ８０００",
                                          "138\u200b0013\u200b8000",
                                          "Tel030 123 456",
                                          "030 1234567x22",
                                          "@some_one",
                                          "张三丰在北京",
                                          "一百二十",
                                          "word",
                                          "it's",
                                          "7",
                                          " ",
                                          " ",
                                          ",",
                                          "，",
                                          "—",
                                          "\u3000",
                                          "\u00A0",
                                          "❤"};
  std::mt19937 random(11);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    while (text.size() < 400) text += units[random() % units.size()];
    const std::size_t longest = 60 + random() % 100;
    const auto pieces = document_pieces(text, {.longest = longest});
    EXPECT_EQ(joined(pieces), text);
    ASSERT_EQ(stretches_of(pieces), stretches_of({text})) << longest << ": " << text;
  }
}

TEST(DocumentPieces, AreLongerThanAskedRatherThanCutAnAddress) {
  std::string address = "https://example.org/";
  for (int i = 0; i < 50; ++i) address += "a,b/";
  std::string digits;
  for (int i = 0; i < 50; ++i) digits += "12 34-";
  for (const std::string& one : {address + "c", digits + "5"}) {
    const std::string text = "see " + one + " for more of it";
    const auto pieces = document_pieces(text, {.longest = 40});
    EXPECT_EQ(joined(pieces), text);
    EXPECT_EQ(stretches_of(pieces), std::vector<std::string>{one});
  }
}

// Each of them is a place to end where there are no blanks of ASCII: words stay as they are.
TEST(DocumentPieces, EndBehindBlanksAndPunctuationOfAnyKind) {
  for (const std::string mark :
       {"\u3000", "：", "（", "）", "…", "”", "\u200b", "\u2028", "\u2029", "\u00A0", "。"}) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "我们今天去北京" + mark;
    const auto pieces = document_pieces(text, {.longest = 100});
    EXPECT_EQ(joined(pieces), text);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) EXPECT_TRUE(pieces[i].ends_with(mark)) << pieces[i];
    EXPECT_EQ(words_of(pieces), words_of({text}));
  }
}

// As long as what a user may paste: no blank anywhere, and the pieces have the words of the whole.
TEST(DocumentPieces, EndWhereWordsDoWhereThereAreNoBlanks) {
  const std::vector<std::string> words = {"state", "of",   "the",   "art",      "mother",  "in",
                                          "law's", "it's", "naïve", "Zebulon7", "Überfluß"};
  std::mt19937 random(5);
  std::string hyphens;
  while (hyphens.size() < 140'000) hyphens += words[random() % words.size()] + "-";
  const std::vector<std::string> han = {"我们", "今天", "去", "北京", "人民", "大学", "研究",
                                        "生命", "起源", "的", "中国", "和",   "平"};
  std::string chinese;
  while (chinese.size() < 240'000) chinese += han[random() % han.size()];
  for (const std::string& text : {hyphens, chinese}) {
    const auto pieces = document_pieces(text);
    EXPECT_GT(pieces.size(), 2U);
    EXPECT_EQ(joined(pieces), text);
    EXPECT_EQ(words_of(pieces), words_of({text}));
    const std::string start = text.substr(0, 30'000);
    EXPECT_EQ(words_of(document_pieces(start, {.longest = 1000})), words_of({start}));
  }
}

TEST(DocumentPieces, EndWhereWordsOfTheDictionaryDo) {
  const auto dictionary = SegmentationDictionary::parse("甲乙丙 100\n丁 100\n甲 1\n乙 1\n丙丁 1\n").value();
  std::string text;
  for (int i = 0; i < 400; ++i) text += "甲乙丙丁";
  const auto pieces = document_pieces(text, {.dictionary = &dictionary, .longest = 100});
  EXPECT_GT(pieces.size(), 20U);
  for (const std::string_view piece : pieces)
    EXPECT_TRUE(piece.ends_with("丙") || piece.ends_with("丁")) << "甲乙丙 is a word: " << piece;
}

TEST(DocumentPieces, AreLongerThanAskedForALongWord) {
  const std::string word(1500, 'a');
  const std::string text = "x-" + word + "-y-" + word + "-z";
  const auto pieces = document_pieces(text, {.longest = 1000});
  EXPECT_EQ(words_of(pieces), words_of({text}));
  EXPECT_GT(pieces.size(), 1U);
  const std::string endless(100'000, 'a');
  EXPECT_EQ(joined(document_pieces(endless, {.longest = 1000})), endless);
  EXPECT_GT(document_pieces(endless, {.longest = 1000}).size(), 5U);
}

TEST(DocumentPieces, EndSomewhereInAnEndlessNumber) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "一二三";
  const auto pieces = document_pieces(text, {.longest = 64});
  EXPECT_EQ(joined(pieces), text);
  EXPECT_GT(pieces.size(), 5U);
  for (const std::string_view piece : pieces) EXPECT_FALSE(find_invalid_utf8(piece));
  EXPECT_EQ(document_pieces(text.substr(0, 900), {.longest = 64}).size(), 1U) << "this one stays whole";
}

}  // namespace document_pieces_test
}  // namespace gauze::text
