#include "gauze/text/tokens/internal/sensitive_stretches.h"

#include <algorithm>

namespace gauze::text::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// What local parts of e-mail addresses are made of; all that is not ASCII may be in one.
bool is_local(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_domain(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

/// The end of an address without the punctuation of the sentence it stands in.
std::size_t without_tail(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::string_view kTail = ".,;:!?)]}'\"-";
  while (end > begin && kTail.find(text[end - 1]) != std::string_view::npos) --end;
  return end;
}

/// name@domain around an @, or @handle.
bool find_at(std::string_view text, std::size_t at, std::size_t floor, Token& token) {
  std::size_t begin = at;
  while (begin > floor && is_local(text[begin - 1])) --begin;
  std::size_t end = at + 1;
  while (end < text.size() && is_domain(text[end])) ++end;
  end = without_tail(text, at + 1, end);
  const std::string_view domain = text.substr(at + 1, end - at - 1);
  if (begin < at && domain.find('.') != std::string_view::npos) {
    token = {begin, end, TokenKind::address};
    return true;
  }
  end = at + 1;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '_')) ++end;
  if (begin != at || end < at + 3) return false;
  token = {at, end, TokenKind::address};
  return true;
}

/// scheme://... or www....
bool find_web(std::string_view text, std::size_t place, std::size_t floor, Token& token) {
  std::size_t begin = place;
  if (text.substr(place).starts_with("://")) {
    while (begin > floor && (is_letter(text[begin - 1]) || is_digit(text[begin - 1]))) --begin;
    if (begin == place) return false;
  } else if (place > floor && (is_letter(text[place - 1]) || is_digit(text[place - 1]))) {
    return false;
  }
  std::size_t end = place;
  while (end < text.size() && !is_blank(text[end]) && static_cast<unsigned char>(text[end]) < 0x80) ++end;
  end = without_tail(text, place, end);
  if (end < place + 6) return false;
  token = {begin, end, TokenKind::address};
  return true;
}

/// Seven digits or more, with at most two other characters of such numbers between two of them.
bool find_phone(std::string_view text, std::size_t place, std::size_t floor, Token& token) {
  if (place > floor && (is_letter(text[place - 1]) || is_digit(text[place - 1]))) return false;
  std::size_t end = place;
  std::size_t digits = 0;
  std::size_t gap = 0;
  for (std::size_t i = place; i < text.size() && gap <= 2; ++i) {
    const char c = text[i];
    if (is_digit(c)) {
      ++digits;
      gap = 0;
      end = i + 1;
    } else if (c == ' ' || c == '-' || c == '.' || c == '(' || c == ')' || c == '/' || (c == '+' && i == place)) {
      ++gap;
    } else {
      break;
    }
  }
  if (digits < 7 || (end < text.size() && is_letter(text[end]))) return false;
  std::size_t begin = place;
  if (begin > floor && text[begin - 1] == '+') --begin;
  token = {begin, end, TokenKind::phone};
  return true;
}

}  // namespace

std::vector<Token> sensitive_stretches(std::string_view text) {
  std::vector<Token> found;
  std::size_t floor = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    Token token;
    const bool hit = (c == '@' && find_at(text, i, floor, token)) ||
                     (c == ':' && text.substr(i).starts_with("://") && find_web(text, i, floor, token)) ||
                     (c == 'w' && text.substr(i).starts_with("www.") && find_web(text, i, floor, token)) ||
                     (is_digit(c) && (i == 0 || !is_digit(text[i - 1])) && find_phone(text, i, floor, token));
    if (!hit) continue;
    found.push_back(token);
    floor = token.end;
    i = token.end - 1;
  }
  return found;
}

}  // namespace gauze::text::internal
