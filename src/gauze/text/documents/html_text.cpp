#include "gauze/text/documents/html_text.h"

#include <algorithm>
#include <array>
#include <optional>

#include "gauze/text/documents/internal/html_entities.h"

namespace gauze::text {
namespace {

constexpr std::array<std::string_view, 43> kBlocks = {
    "address", "article", "aside", "blockquote", "body", "br", "caption",  "center",     "dd",
    "details", "dialog",  "dir",   "div",        "dl",   "dt", "fieldset", "figcaption", "figure",
    "footer",  "form",    "h1",    "h2",         "h3",   "h4", "h5",       "h6",         "header",
    "hr",      "html",    "li",    "main",       "nav",  "ol", "option",   "p",          "pre",
    "section", "summary", "table", "td",         "th",   "tr", "ul"};

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_letter(char c) { return small(c) >= 'a' && small(c) <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

void append_utf8(std::string& text, char32_t code) {
  const auto byte = [&](char32_t value) { text += static_cast<char>(static_cast<unsigned char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6));
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | (code >> 18));
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

/// Numbers 128 to 159 are taken for those of Windows-1252, as browsers do; 0: none of these.
constexpr std::array<char16_t, 32> kWindows = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                               0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                               0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                               0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

char32_t character_of_number(std::uint64_t number) {
  if (number >= 128 && number < 160) number = kWindows[number - 128];
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000)) return 0xFFFD;
  const bool is_control = number < 32 || (number >= 127 && number < 160) || number == 0x2028 || number == 0x2029;
  return is_control ? U' ' : static_cast<char32_t>(number);
}

class HtmlReader {
 public:
  explicit HtmlReader(std::string_view html) : html_(html) {}

  std::string read() {
    result_.reserve(html_.size());
    while (place_ < html_.size()) {
      const std::size_t next = std::min(html_.find_first_of("<&", place_), html_.size());
      result_ += html_.substr(place_, next - place_);
      place_ = next;
      if (place_ == html_.size()) break;
      if (html_[place_] == '&' ? read_entity() : read_markup()) continue;
      result_ += html_[place_++];  // stands for itself
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] char at(std::size_t place) const { return place < html_.size() ? html_[place] : '\0'; }
  void skip_behind(std::string_view end, std::size_t from) {
    const std::size_t found = html_.find(end, from);
    place_ = found == std::string_view::npos ? html_.size() : found + end.size();
  }

  bool read_markup() {
    const char next = at(place_ + 1);
    if (html_.substr(place_).starts_with("<!--")) {
      // <!--> and <!---> are whole comments.
      if (at(place_ + 4) == '>' || html_.substr(place_ + 4).starts_with("->"))
        skip_behind(">", place_ + 4);
      else
        skip_behind("-->", place_ + 4);
      return true;
    }
    if (next == '!' || next == '?' || (next == '/' && !is_letter(at(place_ + 2)))) {
      if (next == '/' && place_ + 2 >= html_.size()) return false;  // "</" at the end is text
      skip_behind(">", place_ + 2);
      return true;
    }
    if (next != '/' && !is_letter(next)) return false;
    const bool opens = next != '/';
    const std::string name = read_tag(place_ + (opens ? 1 : 2));
    const bool is_block = std::binary_search(kBlocks.begin(), kBlocks.end(), name);
    if (is_block && !result_.empty() && !is_space(result_.back())) result_ += ' ';
    if (opens && (name == "script" || name == "style")) skip_raw(name);
    return true;
  }

  /// From the name on; leaves the place behind the tag.
  std::string read_tag(std::size_t from) {
    std::string name;
    std::size_t i = from;
    while (i < html_.size() && !is_space(html_[i]) && html_[i] != '/' && html_[i] != '>') name += small(html_[i++]);
    bool value = false;  // an attribute has an = and its value comes next
    while (i < html_.size() && html_[i] != '>') {
      const char c = html_[i];
      if (value && (c == '"' || c == '\'')) i = std::min(html_.find(c, i + 1), html_.size() - 1);
      if (!is_space(c)) value = c == '=';
      ++i;
    }
    place_ = std::min(i + 1, html_.size());
    return name;
  }

  /// To the end tag of the same name, which is read as such.
  void skip_raw(const std::string& name) {
    for (std::size_t i = place_; (i = html_.find("</", i)) != std::string_view::npos; i += 2) {
      std::size_t same = 0;
      while (same < name.size() && small(at(i + 2 + same)) == name[same]) ++same;
      const char behind = at(i + 2 + name.size());
      if (same == name.size() && (is_space(behind) || behind == '/' || behind == '>')) {
        place_ = i;
        return;
      }
    }
    place_ = html_.size();
  }

  bool read_entity() {
    const std::size_t begin = place_ + 1;
    if (at(begin) == '#') return read_number(begin + 1);
    std::size_t end = begin;
    while (end - begin < 16 && (is_letter(at(end)) || is_digit(at(end)))) ++end;
    const std::string_view name = html_.substr(begin, end - begin);
    const auto found = std::lower_bound(internal::kHtmlEntities.begin(), internal::kHtmlEntities.end(), name,
                                        [](const auto& one, std::string_view wanted) { return one.name < wanted; });
    if (at(end) != ';' || found == internal::kHtmlEntities.end() || found->name != name) return false;
    append_utf8(result_, found->code);
    place_ = end + 1;
    return true;
  }

  bool read_number(std::size_t begin) {
    const bool is_hex = small(at(begin)) == 'x';
    std::size_t i = begin + (is_hex ? 1 : 0);
    const std::size_t first = i;
    std::uint64_t number = 0;
    for (;; ++i) {
      const char c = small(at(i));
      int digit = -1;
      if (is_digit(c)) digit = c - '0';
      if (is_hex && c >= 'a' && c <= 'f') digit = c - 'a' + 10;
      if (digit < 0) break;
      number = std::min<std::uint64_t>(number * (is_hex ? 16 : 10) + static_cast<std::uint64_t>(digit), 0x110000);
    }
    if (i == first) return false;
    append_utf8(result_, character_of_number(number));
    place_ = i + (at(i) == ';' ? 1 : 0);
    return true;
  }

  std::string_view html_;
  std::size_t place_ = 0;
  std::string result_;
};

}  // namespace

std::string text_of_html(std::string_view html) { return HtmlReader(html).read(); }

}  // namespace gauze::text
