#include "gauze/text/tokens/document_pieces.h"

#include <gtest/gtest.h>

#include <string>

#include "gauze/base/utf8.h"
#include "gauze/text/tokens/tokenizer.h"

namespace gauze::text {
namespace {

std::string joined(const std::vector<std::string_view>& pieces) {
  std::string whole;
  for (const std::string_view piece : pieces) whole += piece;
  return whole;
}

TEST(DocumentPieces, AreTheTextAndNoLongerThanAsked) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "word" + std::to_string(i) + (i % 7 == 0 ? ". " : " ");
  for (const std::size_t longest : {16U, 100U, 1000U, 100'000U}) {
    const auto pieces = document_pieces(text, longest);
    EXPECT_EQ(joined(pieces), text);
    for (const std::string_view piece : pieces) {
      EXPECT_LE(piece.size(), longest);
      EXPECT_FALSE(piece.empty());
    }
  }
  EXPECT_EQ(document_pieces("", 10).size(), 1U);
  EXPECT_EQ(document_pieces("short text", 10).size(), 1U);
}

TEST(DocumentPieces, EndBetweenWordsWhereThereIsABlank) {
  const std::string text = "call 030 12 34 56 78 90 now and write to someone";
  for (const std::string_view piece : document_pieces(text, 30)) {
    if (piece.data() + piece.size() == text.data() + text.size()) continue;
    EXPECT_EQ(piece.back(), ' ') << piece;
    EXPECT_NE(piece.find("030"), piece.find("90") == std::string_view::npos ? 5U : std::string_view::npos)
        << "a telephone number is not cut: " << piece;
  }
}

TEST(DocumentPieces, NeverCutACharacter) {
  std::string chinese;
  for (int i = 0; i < 500; ++i) chinese += "知人者智";
  const auto pieces = document_pieces(chinese, 64);
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
      EXPECT_EQ(words_of(document_pieces(text, longest)), whole) << unit << longest;
  }
}

TEST(DocumentPieces, EndSomewhereInAnEndlessNumber) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "一二三";
  const auto pieces = document_pieces(text, 64);
  EXPECT_EQ(joined(pieces), text);
  for (const std::string_view piece : pieces) EXPECT_FALSE(find_invalid_utf8(piece));
}

}  // namespace
}  // namespace gauze::text
