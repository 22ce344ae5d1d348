#include "gauze/text/tokens/document_pieces.h"

#include <algorithm>
#include <array>

#include "gauze/text/tokens/internal/chinese_numerals.h"

namespace gauze::text {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// A letter of any script, as far as bytes tell.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// Whether what ends here is punctuation that is in no word and no number.
bool ends_clause(std::string_view text) {
  constexpr std::array<std::string_view, 10> kMarks = {",", ";", "!", "?", "，", "。", "、", "；", "！", "？"};
  return std::any_of(kMarks.begin(), kMarks.end(), [text](std::string_view mark) { return text.ends_with(mark); });
}

/// Whether a cut here leaves numbers in Chinese characters whole.
bool parts_no_number(std::string_view text, std::size_t place) {
  return place < 3 || !internal::is_chinese_numeral(text, place - 3) || !internal::is_chinese_numeral(text, place);
}

/// Where the piece that begins at the start of the text ends; the text is longer than `longest`.
std::size_t piece_end(std::string_view text, std::size_t longest) {
  const std::size_t half = longest / 2;
  for (std::size_t end = longest; end > half && end >= 2; --end)
    if (is_blank(text[end - 1]) && is_letter(text[end - 2]) && is_letter(text[end])) return end;
  for (std::size_t end = longest; end > half; --end)
    if (is_blank(text[end - 1])) return end;
  for (std::size_t end = longest; end > half; --end)
    if (is_letter(text[end]) && begins_character(text[end]) && ends_clause(text.substr(0, end))) return end;
  for (std::size_t end = longest; end > half; --end)
    if (begins_character(text[end]) && parts_no_number(text, end)) return end;
  std::size_t end = longest;
  while (end > 1 && !begins_character(text[end])) --end;
  return end;
}

}  // namespace

std::vector<std::string_view> document_pieces(std::string_view text, std::size_t longest) {
  std::vector<std::string_view> pieces;
  while (text.size() > longest) {
    const std::size_t end = piece_end(text, longest);
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  pieces.push_back(text);
  return pieces;
}

}  // namespace gauze::text
