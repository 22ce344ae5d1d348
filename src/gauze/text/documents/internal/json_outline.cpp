#include "gauze/text/documents/internal/json_outline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gauze/base/ascii.h"
#include "gauze/base/utf8.h"

namespace gauze::text::internal {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// How many bytes an escape has, which begins with a backslash; 0 when it is none of JSON.
std::size_t escape_size(std::string_view escape) {
  if (escape.size() < 2) return 0;
  if (escape[1] != 'u') return std::string_view("\"\\/bfnrt").find(escape[1]) == kNone ? 0 : 2;
  const std::string_view digits = escape.substr(2, 4);
  return digits.size() == 4 && std::all_of(digits.begin(), digits.end(), is_hex) ? 6 : 0;
}

/// Takes digits from the front; false when there is none.
bool take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto size = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(size);
  return size > 0;
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool leading_zero = text.starts_with('0');
  const std::size_t size = text.size();
  if (!take_digits(text) || (leading_zero && size - text.size() > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!take_digits(text)) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (!take_digits(text)) return false;
  }
  return text.empty();
}

/// The line with "" for its strings and 0 for its numbers. What is none stays, for a parser to refuse.
std::string outline(std::string_view line) {
  std::string result;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '"') {
      const std::size_t end = json_string_end(line, i);
      if (end == kNone) return {};
      result += "\"\"";
      i = end;
    } else if (line[i] == '-' || is_digit(line[i])) {
      const std::size_t end = std::min(line.find_first_not_of("+-.0123456789eE", i), line.size());
      const std::string_view number = line.substr(i, end - i);
      result += is_number(number) ? "0" : number;
      i = end;
    } else {
      result += line[i++];
    }
  }
  return result;
}

}  // namespace

std::size_t json_string_end(std::string_view text, std::size_t place) {
  for (++place; place < text.size();) {
    const char c = text[place];
    if (c == '"') return place + 1;
    const std::size_t size = c == '\\' ? escape_size(text.substr(place)) : 1;
    if (size == 0 || static_cast<unsigned char>(c) < 0x20) return kNone;
    place += size;
  }
  return kNone;
}

bool is_json_object(std::string_view line) {
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return trimmed(line).starts_with('{') && nlohmann::json::accept(outline(line));
}

}  // namespace gauze::text::internal
