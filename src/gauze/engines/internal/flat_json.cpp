#include "gauze/engines/internal/flat_json.h"

#include <algorithm>

#include "gauze/base/ascii.h"
#include "gauze/base/utf8.h"

namespace gauze::engines {
namespace {

void append_utf8(std::string& text, unsigned code) {
  const auto put = [&](unsigned byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

}  // namespace

std::string_view FlatJsonMember::cell() const {
  if (kind == Kind::boolean) return is_true ? "true" : "false";
  return value;
}

void FlatJsonParser::skip_blanks() {
  while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n' || rest_[0] == '\r'))
    rest_.remove_prefix(1);
}

bool FlatJsonParser::at(char mark) {
  skip_blanks();
  return !rest_.empty() && rest_[0] == mark;
}

bool FlatJsonParser::take_mark(char mark) {
  if (!at(mark)) return false;
  rest_.remove_prefix(1);
  return true;
}

bool FlatJsonParser::end_object() {
  if (!take_mark('}')) return false;
  skip_blanks();
  return rest_.empty();
}

bool FlatJsonParser::read_member(FlatJsonMember& member) {
  if (!take_mark('"') || !read_string(key_, member.readable) || !take_mark(':')) return false;
  member.key = key_;
  return read_value(member);
}

bool FlatJsonParser::read_value(FlatJsonMember& member) {
  using Kind = FlatJsonMember::Kind;
  skip_blanks();
  if (rest_.empty()) return false;
  switch (rest_[0]) {
    case '"':
      rest_.remove_prefix(1);
      member.kind = Kind::text;
      if (!read_string(text_, member.readable)) return false;
      member.value = text_;
      return true;
    case '{':
    case '[':
      member.kind = rest_[0] == '{' ? Kind::object : Kind::array;
      return pass_nested();
    case 't':
    case 'f':
      member.kind = Kind::boolean;
      member.is_true = rest_[0] == 't';
      return take_word(member.is_true ? "true" : "false");
    case 'n':
      member.kind = Kind::null;
      return take_word("null");
    default:
      member.kind = Kind::number;
      return read_number(member.value);
  }
}

bool FlatJsonParser::take_word(std::string_view word) {
  if (!rest_.starts_with(word)) return false;
  rest_.remove_prefix(word.size());
  return true;
}

std::size_t FlatJsonParser::take_digits() {
  const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
  const auto count = static_cast<std::size_t>(end - rest_.begin());
  rest_.remove_prefix(count);
  return count;
}

bool FlatJsonParser::read_number(std::string_view& digits) {
  const std::string_view before = rest_;
  if (rest_.starts_with('-')) rest_.remove_prefix(1);
  const bool zero = rest_.starts_with('0');
  const std::size_t whole = take_digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (rest_.starts_with('.')) {
    rest_.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  if (rest_.starts_with('e') || rest_.starts_with('E')) {
    rest_.remove_prefix(1);
    if (rest_.starts_with('+') || rest_.starts_with('-')) rest_.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  digits = before.substr(0, before.size() - rest_.size());
  return true;
}

bool FlatJsonParser::read_string(std::string& text, bool& readable) {
  text.clear();
  for (;;) {
    const std::size_t end = rest_.find_first_of("\"\\");
    if (end == std::string_view::npos) return false;
    text += rest_.substr(0, end);
    const char mark = rest_[end];
    rest_.remove_prefix(end + 1);
    if (mark == '"') break;
    if (!read_escape(text)) return false;
  }
  if (find_invalid_utf8(text)) readable = false;
  return true;
}

bool FlatJsonParser::read_escape(std::string& text) {
  if (rest_.empty()) return false;
  const char letter = rest_[0];
  rest_.remove_prefix(1);
  if (letter != 'u') {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t place = kLetters.find(letter);
    if (place == std::string_view::npos) return false;
    text += kMeanings[place];
    return true;
  }
  unsigned unit = 0;
  if (!read_code_unit(unit)) return false;
  const auto is_half = [](unsigned code, unsigned from) { return code >= from && code < from + 0x400; };
  if (is_half(unit, 0xD800) && rest_.starts_with("\\u")) {
    const std::string_view before = rest_;
    unsigned second = 0;
    rest_.remove_prefix(2);
    if (!read_code_unit(second)) return false;
    if (is_half(second, 0xDC00)) {
      unit = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
    } else {
      rest_ = before;  // an escape of its own
    }
  }
  if (is_half(unit, 0xD800) || is_half(unit, 0xDC00)) {
    text += '\xFF';  // no character, and no UTF-8 either
  } else {
    append_utf8(text, unit);
  }
  return true;
}

bool FlatJsonParser::read_code_unit(unsigned& unit) {
  if (rest_.size() < 4) return false;
  unit = 0;
  for (const char c : rest_.substr(0, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    unsigned digit = 0;
    if (is_digit(c)) {
      digit = static_cast<unsigned>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      digit = static_cast<unsigned>(lower - 'a') + 10;
    } else {
      return false;
    }
    unit = unit * 16 + digit;
  }
  rest_.remove_prefix(4);
  return true;
}

bool FlatJsonParser::pass_nested() {
  open_.clear();
  do {
    const std::size_t place = rest_.find_first_of("{}[]\"");
    if (place == std::string_view::npos) return false;
    const char mark = rest_[place];
    rest_.remove_prefix(place + 1);
    bool readable = true;
    if (mark == '"') {
      if (!read_string(text_, readable)) return false;
    } else if (mark == '{' || mark == '[') {
      open_ += mark;
    } else {
      if (open_.back() != (mark == '}' ? '{' : '[')) return false;
      open_.pop_back();
    }
  } while (!open_.empty());
  return true;
}

}  // namespace gauze::engines
