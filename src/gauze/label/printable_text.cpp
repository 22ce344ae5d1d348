#include "gauze/label/printable_text.h"

#include <algorithm>

namespace gauze {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The length of the printable character that the text begins with; 0 when there is none.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80U) return lead >= 0x20U && lead != 0x7FU ? 1 : 0;
  const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  if (lead < 0xC2U || lead > 0xF4U || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  // Overlong forms, surrogates and what lies beyond Unicode; then C1 controls and the direction overrides, which
  // reorder what a terminal shows.
  if ((lead == 0xE0U && byte(1) < 0xA0U) || (lead == 0xEDU && byte(1) > 0x9FU)) return 0;
  if ((lead == 0xF0U && byte(1) < 0x90U) || (lead == 0xF4U && byte(1) > 0x8FU)) return 0;
  if (lead == 0xC2U && byte(1) < 0xA0U) return 0;
  if (lead == 0xE2U && byte(1) == 0x80U && byte(2) >= 0xAAU && byte(2) <= 0xAEU) return 0;
  if (lead == 0xE2U && byte(1) == 0x81U && byte(2) >= 0xA6U && byte(2) <= 0xA9U) return 0;
  return length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length > 0) {
      out += text.substr(0, length);
    } else if (text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
      out += ' ';
    } else {
      out += kReplacement;
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

int text_width(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string wrap_text(std::string_view text, int width, int indent, int first_column) {
  std::string out;
  int column = first_column;
  bool line_is_empty = true;
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(" \n"), text.size());
    text.remove_prefix(blanks);
    if (text.empty()) break;
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    const int word_width = text_width(word);
    if (!line_is_empty && column + 1 + word_width > width) {
      out += '\n';
      out.append(static_cast<std::size_t>(std::max(0, indent)), ' ');
      column = indent;
      line_is_empty = true;
    }
    if (!line_is_empty) out += ' ';
    column += word_width + (line_is_empty ? 0 : 1);
    out += word;
    line_is_empty = false;
  }
  return out;
}

}  // namespace gauze
