#include "gauze/text/tokens/internal/sensitive_stretches.h"

#include <algorithm>

#include "gauze/base/ascii.h"
#include "gauze/text/tokens/internal/code_points.h"

namespace gauze::text::internal {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_one_of(UChar32 c, std::string_view signs) {
  return c > 0 && c < 0x80 && signs.find(static_cast<char>(c)) != std::string_view::npos;
}

/// Says which letters, digits and marks may follow each other in an address.
class OneScript {
 public:
  bool takes(UChar32 c) {
    if (c >= '0' && c <= '9') return true;
    const UScriptCode script = script_of(c);
    if (script <= USCRIPT_INHERITED) return u_isdigit(c) != 0 || is_mark(c);
    if ((u_isalnum(c) == 0 && !is_mark(c)) || is_unspaced(script)) return false;
    if (script_ == USCRIPT_COMMON || (may_turn_latin_ && script == USCRIPT_LATIN)) script_ = script;
    may_turn_latin_ = false;
    return script == script_;
  }
  void may_turn_latin() { may_turn_latin_ = true; }

 private:
  UScriptCode script_ = USCRIPT_COMMON;  // until the first letter
  bool may_turn_latin_ = false;
};

/// Where the local part of an e-mail address begins that ends at an @; the place of the @ if there is none.
std::size_t local_begin(std::string_view text, std::size_t at, std::size_t floor) {
  OneScript script;
  std::size_t begin = at;
  UChar32 previous = 0;
  for (std::size_t place = at; place > floor;) {
    const Character c = character_before(text, place);
    const UChar32 sign = half_width(c.code);
    const bool taken = script.takes(c.code);
    if (!taken && !is_one_of(sign, "._%+-")) break;
    if (sign == previous && is_one_of(sign, ".-")) break;  // an ellipsis or a dash of the sentence before
    if (sign == '_' || (taken && !is_mark(c.code))) begin = c.begin;
    previous = sign;
    place = c.begin;
  }
  return begin;
}

/// Where the domain that begins here ends, without the punctuation of the sentence it stands in.
std::size_t domain_end(std::string_view text, std::size_t begin) {
  OneScript script;
  std::size_t end = begin;
  for (std::size_t place = begin; place < text.size();) {
    const Character c = character_at(text, place);
    const UChar32 sign = half_width(c.code);
    const bool follows_sign = place != end || place == begin;
    if (script.takes(c.code))
      end = c.end;
    else if (!is_one_of(sign, ".-") || (follows_sign && !text.substr(0, place).ends_with("xn-")))
      break;
    if (sign == '.') script.may_turn_latin();
    place = c.end;
  }
  return end;
}

std::size_t handle_end(std::string_view text, std::size_t begin) {
  OneScript script;
  std::size_t end = begin;
  while (end < text.size()) {
    const Character c = character_at(text, end);
    if (!script.takes(c.code) && half_width(c.code) != '_') break;
    end = c.end;
  }
  return end;
}

bool is_at(std::string_view text) { return text.starts_with('@') || text.starts_with("＠"); }

/// The end of a domain with a dot behind an @, or 0.
std::size_t domain_behind(std::string_view text, std::size_t at) {
  const std::size_t begin = character_at(text, at).end;
  const std::size_t end = domain_end(text, begin);
  const std::string_view domain = text.substr(begin, end - begin);
  const bool has_dot = domain.find('.') != std::string_view::npos || domain.find("．") != std::string_view::npos;
  return has_dot ? end : 0;
}

/// name@domain around an @, or @handle.
bool find_at(std::string_view text, std::size_t at, std::size_t floor, Token& token) {
  const std::size_t begin = local_begin(text, at, floor);
  const bool follows_letter = at > floor && is_unspaced_letter(character_before(text, at).code);
  if (begin < at || follows_letter) token = {begin, domain_behind(text, at), TokenKind::address};
  if (token.end > 0) return true;
  const std::size_t behind = character_at(text, at).end;
  const std::size_t end = handle_end(text, behind);
  if (begin < at || end < behind + 2) return false;
  if (is_at(text.substr(end)) && domain_behind(text, end) > 0)
    return false;  // @user@host.example: the second finds it
  token = {at, end, TokenKind::address};
  return true;
}

/// The end of a web address that begins before this place, without the punctuation of the sentence it stands in.
std::size_t web_end(std::string_view text, std::size_t begin) {
  OneScript script;
  std::size_t end = begin;
  while (end < text.size()) {
    const Character c = character_at(text, end);
    const bool is_sign = c.code > ' ' && c.code < 0x7F && u_isalnum(c.code) == 0;
    if (is_sign ? is_one_of(c.code, "\"<>\\^`{|}") : !script.takes(c.code)) break;
    if (is_one_of(c.code, "/?#&=_-+%"))
      script = {};
    else if (is_sign)
      script.may_turn_latin();
    end = c.end;
  }
  constexpr std::string_view kTail = ".,;:!?)]'-";
  while (end > begin && kTail.find(text[end - 1]) != std::string_view::npos) --end;
  return end;
}

/// scheme://... or www....
bool find_web(std::string_view text, std::size_t place, std::size_t floor, Token& token) {
  std::size_t begin = place;
  if (text[place] == ':') {
    while (begin > floor && (is_letter(text[begin - 1]) || is_digit(text[begin - 1]))) --begin;
    if (begin == place) return false;
  } else if (place > floor && (is_letter(text[place - 1]) || is_digit(text[place - 1]))) {
    return false;
  }
  const std::size_t end = web_end(text, place);
  if (end < place + 6) return false;
  token = {begin, end, TokenKind::address};
  return true;
}

bool begins_www(std::string_view text) {
  return text.size() >= 4 && text[3] == '.' &&
         std::all_of(text.begin(), text.begin() + 3, [](char c) { return c == 'w' || c == 'W'; });
}

/// What may stand between the digits of a telephone number, invisible characters besides.
bool is_phone_blank(UChar32 c) { return u_charType(c) == U_SPACE_SEPARATOR; }
bool is_phone_sign(UChar32 c) {
  return is_one_of(half_width(c), "-./()") || u_charType(c) == U_DASH_PUNCTUATION || c == 0x2212 || c == 0xB7;
}

/// Between two digits: at most two signs or blanks, or a sign with a blank on either side.
class Gap {
 public:
  bool takes(UChar32 c) {
    if (is_invisible(c)) return true;
    blanks_ += is_phone_blank(c) ? 1 : 0;
    ++all_;
    return (is_phone_blank(c) || is_phone_sign(c)) && (all_ <= 2 || (all_ == 3 && blanks_ == 2));
  }

 private:
  int all_ = 0;
  int blanks_ = 0;
};

/// The telephone number in a run of digits with gaps between them that begins here; moves `place` to the end of the run.
bool find_phone(std::string_view text, std::size_t& place, std::size_t floor, std::size_t limit, Token& token) {
  bool free = place == floor || !is_spaced_letter(character_before(text, place).code);
  std::size_t digits = 0;
  std::size_t begin = limit;
  std::size_t end = 0;
  while (true) {
    const std::size_t first = place;
    while (place < limit && u_isdigit(character_at(text, place).code) != 0) {
      place = character_at(text, place).end;
      ++digits;
    }
    const bool touches_letter = place < limit && is_spaced_letter(character_at(text, place).code);
    if (free && !touches_letter) {
      begin = std::min(begin, first);
      end = place;
    }
    free = true;
    std::size_t next = place;
    for (Gap gap; next < limit && gap.takes(character_at(text, next).code);) next = character_at(text, next).end;
    if (touches_letter || next == limit || u_isdigit(character_at(text, next).code) == 0) break;
    place = next;
  }
  if (digits < 7 || begin >= end) return false;
  if (begin > floor && half_width(character_before(text, begin).code) == '+')
    begin = character_before(text, begin).begin;
  token = {begin, end, TokenKind::phone};
  return true;
}

void add_phones(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& found) {
  for (std::size_t place = begin; place < end;) {
    const Character c = character_at(text, place);
    Token token;
    if (u_isdigit(c.code) == 0)
      place = c.end;
    else if (find_phone(text, place, begin, end, token))
      found.push_back(token);
  }
}

std::vector<Token> find_addresses(std::string_view text) {
  std::vector<Token> found;
  std::size_t floor = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    Token token;
    const bool hit = (is_at(rest) && find_at(text, i, floor, token)) ||
                     ((rest.starts_with("://") || begins_www(rest)) && find_web(text, i, floor, token));
    if (!hit) continue;
    found.push_back(token);
    floor = token.end;
    i = token.end - 1;
  }
  return found;
}

}  // namespace

std::vector<Token> sensitive_stretches(std::string_view text) {
  std::vector<Token> found;
  std::size_t done = 0;
  for (const Token& address : find_addresses(text)) {  // first: an address may have the digits of a telephone number
    add_phones(text, done, address.begin, found);
    found.push_back(address);
    done = address.end;
  }
  add_phones(text, done, text.size(), found);
  return found;
}

bool may_part_digits(std::string_view text, std::size_t place) {
  constexpr int kFar = 16;  // characters; behind so many invisible ones there might be anything
  const auto reaches_digit = [&](auto beyond_end, auto next) {
    std::size_t at = place;
    Gap gap;
    for (int i = 0; i < kFar; ++i) {
      if (beyond_end(at)) return false;
      const Character c = next(at);
      if (u_isdigit(c.code) != 0) return true;
      if (!gap.takes(c.code)) return false;
      at = at == c.begin ? c.end : c.begin;
    }
    return true;
  };
  return reaches_digit([](std::size_t at) { return at == 0; },
                       [&](std::size_t at) { return character_before(text, at); }) &&
         reaches_digit([&](std::size_t at) { return at == text.size(); },
                       [&](std::size_t at) { return character_at(text, at); });
}

}  // namespace gauze::text::internal
