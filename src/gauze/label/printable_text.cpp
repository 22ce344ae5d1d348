#include "gauze/label/printable_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gauze {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Unicode's Default_Ignorable_Code_Point, and the line and paragraph separators and annotation marks beside it.
constexpr std::array<std::pair<char32_t, char32_t>, 17> kInvisible = {{{0x00AD, 0x00AD},
                                                                       {0x034F, 0x034F},
                                                                       {0x061C, 0x061C},
                                                                       {0x115F, 0x1160},
                                                                       {0x17B4, 0x17B5},
                                                                       {0x180B, 0x180F},
                                                                       {0x200B, 0x200F},
                                                                       {0x2028, 0x202E},
                                                                       {0x2060, 0x206F},
                                                                       {0x2800, 0x2800},
                                                                       {0x3164, 0x3164},
                                                                       {0xFE00, 0xFE0F},
                                                                       {0xFEFF, 0xFEFF},
                                                                       {0xFFA0, 0xFFA0},
                                                                       {0xFFF0, 0xFFFB},
                                                                       {0x1D173, 0x1D17A},
                                                                       {0xE0000, 0xE0FFF}}};
constexpr char32_t kNonJoiner = 0x200C;
constexpr char32_t kJoiner = 0x200D;

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

/// The code point of a character of so many bytes.
char32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(character[i])); };
  if (character.size() <= 1) return byte(0);
  char32_t code = byte(0) & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6U | (byte(i) & 0x3FU);
  return code;
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

bool has_invisible(std::string_view text, Joiners joiners) {
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, printable_length(text));
    const char32_t code = code_point(text.substr(0, length));
    const bool passes = joiners == Joiners::pass && (code == kNonJoiner || code == kJoiner);
    const auto holds = [code](const auto& range) { return code >= range.first && code <= range.second; };
    if (!passes && std::any_of(kInvisible.begin(), kInvisible.end(), holds)) return true;
    text.remove_prefix(length);
  }
  return false;
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
