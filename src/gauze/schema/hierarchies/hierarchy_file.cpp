#include "gauze/schema/hierarchies/hierarchy_file.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "gauze/base/utf8.h"
#include "gauze/files/atomic_file.h"
#include "gauze/schema/hierarchies/hierarchy_builder.h"

namespace gauze::schema {
namespace {

constexpr std::size_t kLargestFile = std::size_t{512} << 20;
constexpr std::size_t kSniffedLines = 1000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::array<char, 4> kDelimiters = {';', '\t', '|', ','};

/// Cuts a text into lines and cells. Cells are views of the text, or of `storage` where quotes had to be taken away.
class LineReader {
 public:
  LineReader(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

  /// The line on which the last cells began.
  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] bool has_unended_quote() const { return has_unended_quote_; }

  /// The cells of the next line that is not blank; false at the end of the text and at a quote that does not end.
  bool next(std::vector<std::string_view>& cells) {
    storage_.clear();
    while (place_ < text_.size()) {
      line_ = next_line_;
      cells.clear();
      bool more = true;
      while (more) {
        cells.emplace_back();
        more = read_cell(cells.back());
        if (has_unended_quote_) return false;
      }
      if (cells.size() > 1 || !cells.front().empty() || was_quoted_) return true;
    }
    return false;
  }

 private:
  /// Reads up to the next delimiter (true: the line goes on) or the end of the line.
  bool read_cell(std::string_view& cell) {
    std::size_t begin = place_;
    while (begin < text_.size() && text_[begin] == ' ') ++begin;
    was_quoted_ = begin < text_.size() && text_[begin] == '"';
    if (was_quoted_) {
      cell = trimmed(read_quoted(begin + 1));
      if (has_unended_quote_) return false;
    } else {
      begin = place_;
    }
    const std::size_t rest = place_;
    while (place_ < text_.size() && text_[place_] != delimiter_ && text_[place_] != '\n') ++place_;
    if (!was_quoted_) cell = trimmed(text_.substr(begin, place_ - begin));
    // Text after an ending quote belongs to the value: `"a" b`. Rare, and better than losing it.
    if (was_quoted_ && !trimmed(text_.substr(rest, place_ - rest)).empty()) {
      storage_.push_back(std::string(cell) + std::string(text_.substr(rest, place_ - rest)));
      cell = trimmed(storage_.back());
    }
    const bool goes_on = place_ < text_.size() && text_[place_] == delimiter_;
    if (place_ < text_.size()) {
      if (!goes_on) ++next_line_;
      ++place_;
    }
    return goes_on;
  }

  std::string_view read_quoted(std::size_t begin) {
    std::size_t end = text_.find('"', begin);
    bool doubled = false;
    while (end != std::string_view::npos && end + 1 < text_.size() && text_[end + 1] == '"') {
      doubled = true;
      end = text_.find('"', end + 2);
    }
    if (end == std::string_view::npos) {
      has_unended_quote_ = true;
      return {};
    }
    const std::string_view inside = text_.substr(begin, end - begin);
    next_line_ += static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '\n'));
    place_ = end + 1;
    if (!doubled) return inside;
    std::string& plain = storage_.emplace_back();
    for (std::size_t i = 0; i < inside.size(); ++i) {
      plain += inside[i];
      if (inside[i] == '"') ++i;
    }
    return plain;
  }

  std::string_view text_;
  char delimiter_;
  std::size_t place_ = 0;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;
  bool was_quoted_ = false;
  bool has_unended_quote_ = false;
  std::deque<std::string> storage_;  // views into it stay valid while it grows
};

char sniff(std::string_view text) {
  char busiest = ';';
  std::size_t most_lines = 0;
  for (const char candidate : kDelimiters) {
    LineReader reader(text, candidate);
    std::vector<std::string_view> cells;
    std::size_t width = 0;
    std::size_t cut = 0;
    bool same = true;
    for (std::size_t i = 0; i < kSniffedLines && reader.next(cells); ++i) {
      if (i == 0) width = cells.size();
      same = same && cells.size() == width;
      if (cells.size() > 1) ++cut;
    }
    if (same && width > 1 && !reader.has_unended_quote()) return candidate;
    if (cut > most_lines) {
      most_lines = cut;
      busiest = candidate;
    }
  }
  // None fits: the lines are ragged, or have one level. The likeliest delimiter gives the clearest message.
  return busiest;
}

std::size_t line_at(std::string_view text, std::size_t place) {
  return 1 +
         static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

void append_cell(std::string& text, std::string_view cell, bool alone) {
  // Every delimiter that sniffing knows is quoted, so that what is written is cut as it was meant; and what would not be
  // a value at the beginning of a file.
  const bool quotes = cell.find_first_of(";,|\t\"\n\r") != std::string_view::npos || cell.starts_with('#') ||
                      cell.starts_with(kByteOrderMark) || (alone && cell.empty());
  if (!quotes) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) {
    text += c;
    if (c == '"') text += c;
  }
  text += '"';
}

}  // namespace

Result<HierarchyFile> parse_hierarchy(std::string_view text, std::string name, std::optional<char> delimiter) {
  if (text.size() > kLargestFile) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}' is larger than {} MiB", name, kLargestFile >> 20);
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::size_t bad = find_invalid_utf8(text).value_or(text.size());
  bad = std::min(bad, text.find('\0'));
  if (bad < text.size()) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}': line {} is not UTF-8", name, line_at(text, bad));
  }
  const std::size_t first_end = std::min(text.find('\n'), text.size());
  const bool made_from_data = trimmed(text.substr(0, first_end)) == kMadeFromData;
  const std::size_t skipped_lines = made_from_data ? 1 : 0;
  if (made_from_data) text.remove_prefix(std::min(first_end + 1, text.size()));

  const char used = delimiter ? *delimiter : sniff(text);
  LineReader reader(text, used);
  HierarchyBuilder builder(name);
  builder.reserve(line_at(text, text.size()));
  std::vector<std::string_view> cells;
  while (reader.next(cells)) GAUZE_TRY_VOID(builder.add(cells, reader.line() + skipped_lines));
  if (reader.has_unended_quote()) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}': line {} has a quote that does not end", name,
                      reader.line() + skipped_lines);
  }
  GAUZE_TRY(Hierarchy hierarchy, builder.finish());
  return HierarchyFile{std::move(hierarchy), made_from_data, used};
}

Result<HierarchyFile> read_hierarchy_file(const std::filesystem::path& path, std::string name,
                                          std::optional<char> delimiter) {
  GAUZE_TRY(const std::string text, read_file(path, kLargestFile));
  return parse_hierarchy(text, std::move(name), delimiter);
}

std::string format_hierarchy(const Hierarchy& hierarchy, bool made_from_data) {
  std::string text;
  if (made_from_data) {
    text += kMadeFromData;
    text += '\n';
  }
  for (std::uint32_t row = 0; row < hierarchy.size(); ++row) {
    for (int level = 0; level < hierarchy.levels(); ++level) {
      if (level > 0) text += ';';
      append_cell(text, hierarchy.text(level, hierarchy.code(level, row)), hierarchy.levels() == 1);
    }
    text += '\n';
  }
  return text;
}

Result<void> write_hierarchy_file(const std::filesystem::path& path, const Hierarchy& hierarchy,
                                  bool made_from_data) {
  return write_file(path, format_hierarchy(hierarchy, made_from_data));
}

}  // namespace gauze::schema
