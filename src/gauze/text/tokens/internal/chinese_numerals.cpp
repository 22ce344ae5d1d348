#include "gauze/text/tokens/internal/chinese_numerals.h"

#include <algorithm>
#include <array>
#include <span>

namespace gauze::text::internal {
namespace {

/// Every one of them has three bytes.
constexpr std::string_view kNumerals =
    "〇零一二三四五六七八九十百千万亿兆两"
    "壹贰叁肆伍陆柒捌玖拾佰仟"
    "萬億兩貳參叄陸廿卅";
constexpr std::size_t kBytes = 3;
constexpr std::string_view kFigures = "〇零一二三四五六七八九壹贰叁肆伍陆柒捌玖貳參叄陸";

constexpr std::array<std::string_view, 12> kEverydayWords = {
    "千万", "千萬", "万一", "萬一", "一一", "万万", "万千", "两两", "千千万万", "七七八八", "三三两两", "一五一十"};

/// The end of the numerals that a token begins with.
std::size_t numerals_end(std::string_view text, const Token& token) {
  std::size_t place = token.begin;
  while (place < token.end && is_chinese_numeral(text, place)) place += kBytes;
  return place;
}

bool is_everyday_word(std::string_view word) {
  return std::find(kEverydayWords.begin(), kEverydayWords.end(), word) != kEverydayWords.end();
}

/// A surname that is a numeral as well, and at most two characters behind it.
bool may_be_name(std::string_view run) {
  constexpr std::string_view kSurnames = "伍陆陸万萬";
  return run.size() <= 3 * kBytes && kSurnames.find(run.substr(0, kBytes)) != std::string_view::npos;
}

/// 一三八〇〇一三八〇〇〇: figures one by one, as many as a telephone number has.
bool is_phone(std::string_view run) {
  if (run.size() < 7 * kBytes) return false;
  for (std::size_t i = 0; i < run.size(); i += kBytes)
    if (kFigures.find(run.substr(i, kBytes)) == std::string_view::npos) return false;
  return true;
}

TokenKind kind_of(std::string_view run) {
  if (is_everyday_word(run) || may_be_name(run)) return TokenKind::word;
  return is_phone(run) ? TokenKind::phone : TokenKind::number;
}

/// The end of the run of numerals that the first of these tokens begins, or 0.
std::size_t run_end(std::string_view text, std::span<const Token> tokens) {
  const Token& first = tokens.front();
  if (is_everyday_word(text.substr(first.begin, first.end - first.begin))) return 0;
  std::size_t end = first.begin;
  for (const Token& token : tokens) {
    if (token.kind != TokenKind::word) break;
    end = numerals_end(text, token);
    if (end < token.end) break;
  }
  return end < first.end || end - first.begin < 2 * kBytes ? 0 : end;
}

}  // namespace

bool is_chinese_numeral(std::string_view text, std::size_t place) {
  const std::string_view character = text.substr(std::min(place, text.size()), kBytes);
  return character.size() == kBytes && static_cast<unsigned char>(character[0]) >= 0xE3 &&
         kNumerals.find(character) != std::string_view::npos;
}

void join_chinese_numerals(std::string_view text, std::vector<Token>& tokens) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < tokens.size();) {
    const std::size_t end = run_end(text, std::span<const Token>(tokens).subspan(i));
    if (end == 0) {
      tokens[written++] = tokens[i++];
      continue;
    }
    const std::size_t begin = tokens[i].begin;
    while (i < tokens.size() && tokens[i].end <= end) ++i;
    tokens[written++] = {begin, end, kind_of(text.substr(begin, end - begin))};
    if (i < tokens.size()) tokens[i].begin = end;  // what is left of a word that begins with numerals
  }
  tokens.resize(written);
}

}  // namespace gauze::text::internal
