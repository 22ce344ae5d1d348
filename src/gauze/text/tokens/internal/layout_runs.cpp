#include "gauze/text/tokens/internal/layout_runs.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace gauze::text::internal {
namespace {

enum class Content { layout, joiner, number, letter, symbol };

Content content_of(UChar32 c) {
  if (c >= 0xFE00 && c <= 0xFE0F) return Content::symbol;    // variation selectors
  if (c >= 0xE0000 && c <= 0xE0FFF) return Content::symbol;  // tags and more of them
  switch (u_charType(c)) {
    case U_UPPERCASE_LETTER:
    case U_LOWERCASE_LETTER:
    case U_TITLECASE_LETTER:
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_COMBINING_SPACING_MARK:
    case U_LETTER_NUMBER:
      return Content::letter;
    case U_DECIMAL_DIGIT_NUMBER:
    case U_OTHER_NUMBER:
      return Content::number;
    case U_OTHER_SYMBOL:
    case U_CURRENCY_SYMBOL:
    case U_MATH_SYMBOL:
    case U_PRIVATE_USE_CHAR:
    case U_SURROGATE:
    case U_UNASSIGNED:
      return Content::symbol;
    case U_MODIFIER_SYMBOL:
      return c == '`' ? Content::layout : Content::symbol;  // a quotation mark in ASCII
    case U_FORMAT_CHAR:
      return Content::joiner;
    default:
      return u_hasBinaryProperty(c, UCHAR_ALPHABETIC) ? Content::letter : Content::layout;
  }
}

}  // namespace

void add_layout_runs(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& tokens) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  auto place = static_cast<std::int32_t>(begin);
  const auto last = static_cast<std::int32_t>(end);
  bool open = false;  // whether the last token is of this stretch and may grow
  while (place < last) {
    const auto from = static_cast<std::size_t>(place);
    UChar32 c = 0;
    U8_NEXT(bytes, place, last, c);
    const auto to = static_cast<std::size_t>(place);
    const Content content = c < 0 ? Content::symbol : content_of(c);
    const TokenKind kind = content == Content::letter   ? TokenKind::word
                           : content == Content::number ? TokenKind::number
                           : content == Content::symbol ? TokenKind::symbol
                                                        : TokenKind::layout;
    Token* const previous = open ? &tokens.back() : nullptr;
    const bool is_text = kind == TokenKind::word || kind == TokenKind::number;
    const bool follows_text =
        previous != nullptr && (previous->kind == TokenKind::word || previous->kind == TokenKind::number);
    if (previous != nullptr &&
        (previous->kind == kind || (content == Content::joiner && previous->kind == TokenKind::symbol))) {
      previous->end = to;
    } else if (is_text && follows_text) {  // letters and digits: a word
      previous->end = to;
      previous->kind = TokenKind::word;
    } else {
      tokens.push_back({from, to, kind});
      open = true;
    }
  }
}

}  // namespace gauze::text::internal
