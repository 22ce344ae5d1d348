#include "gauze/patterns/baskets/internal/marks_file.h"

#include <array>
#include <charconv>
#include <optional>

#include "gauze/files/sha256.h"
#include "gauze/patterns/baskets/internal/basket_parser.h"
#include "gauze/table/csv_text.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::string_view kHeader = "row,position,item,operation,text\n";

constexpr std::string_view kReleased = "released";
constexpr std::string_view kOriginal = "original";

bool is_check(const MarkLine& line, std::string_view operation) {
  return line.row == 0 && line.position == 0 && line.item.empty() && line.operation == operation &&
         is_digest(line.text);
}

bool read_number(const std::string& cell, std::size_t& value) {
  const char* const end = cell.data() + cell.size();
  const auto read = std::from_chars(cell.data(), end, value);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

std::string_view marks_header() { return kHeader; }

void append_mark(std::string& marks, const MarkLine& line) {
  const std::string row = std::to_string(line.row);
  const std::string position = std::to_string(line.position);
  table::append_csv_line(marks, std::array<std::string_view, 5>{row, position, line.item, line.operation, line.text},
                         ',');
}

void append_checks(std::string& marks, std::string_view released, std::string_view original) {
  append_mark(marks, {0, 0, "", std::string(kReleased), sha256_hex(released)});
  append_mark(marks, {0, 0, "", std::string(kOriginal), sha256_hex(original)});
}

Result<Marks> parse_marks(std::string_view text) {
  const auto damaged = [](std::size_t line) {
    return make_error(ErrorCode::bad_data, "line {} of the marks is damaged", line);
  };
  if (!text.starts_with(kHeader)) return damaged(1);
  Marks marks;
  std::vector<MarkLine>& lines = marks.lines;
  std::size_t number = 1;
  std::size_t i = kHeader.size();
  while (i < text.size()) {
    ++number;
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (; i < text.size() && (quoted || text[i] != '\n'); ++i) {
      if (text[i] == '"') {
        if (quoted && i + 1 < text.size() && text[i + 1] == '"')
          cells.back() += text[i++];
        else
          quoted = !quoted;
      } else if (text[i] == ',' && !quoted) {
        cells.emplace_back();
      } else {
        cells.back() += text[i];
      }
    }
    ++i;
    MarkLine line;
    if (cells.size() != 5 || quoted || !read_number(cells[0], line.row) || !read_number(cells[1], line.position))
      return damaged(number);
    line.item = std::move(cells[2]);
    line.operation = std::move(cells[3]);
    line.text = std::move(cells[4]);
    const bool checks_begin = marks.released.empty() && is_check(line, kReleased);
    const bool checks_end = !marks.released.empty() && marks.original.empty() && is_check(line, kOriginal);
    if (checks_begin)
      marks.released = std::move(line.text);
    else if (checks_end)
      marks.original = std::move(line.text);
    else if (line.row == 0 || !marks.released.empty())
      return damaged(number);
    else
      lines.push_back(std::move(line));
  }
  if (marks.original.empty())
    return make_error(
        ErrorCode::bad_data,
        "the marks are damaged: the two lines at their end are missing that say which files they belong to");
  return marks;
}

Result<std::string> undo_marks(std::string_view released, const std::vector<MarkLine>& lines,
                               const BasketReading& reading) {
  const bool is_long = reading.format
                           ? *reading.format == BasketFormat::long_table
                           : reading.transaction || reading.item ||
                                 find_basket_format(released, reading.delimiter) == BasketFormat::long_table;
  std::optional<BasketFile> file;
  if (!is_long) {  // in a long table places are those in the file
    GAUZE_TRY(BasketFile parsed, BasketFile::parse(std::string(released), reading));
    file.emplace(std::move(parsed));
  }
  std::string original;
  std::size_t copied = 0;
  for (const MarkLine& one : lines) {
    if (file && one.row > file->database().rows())
      return make_error(ErrorCode::bad_data, "the marks are not those of this file: it has no transaction {}",
                        one.row);
    const std::size_t line_begin = file ? file->line(one.row - 1).first : 0;
    const bool inside = one.position <= released.size() && line_begin <= released.size() - one.position;
    const std::size_t place = inside ? line_begin + one.position : 0;
    const auto there = inside ? released_text(one, released.substr(place)) : std::nullopt;
    if (!there || place < copied || released.substr(place, there->size()) != *there)
      return make_error(ErrorCode::bad_data, "the marks are not those of this file: transaction {} differs", one.row);
    original.append(released.substr(copied, place - copied));
    original += original_text(one);
    copied = place + there->size();
  }
  original.append(released.substr(copied));
  return original;
}

std::optional<std::string> released_text(const MarkLine& line, std::string_view at) {
  if (line.operation == "delete") return "";
  if (line.operation == "end") return "\n";
  if (line.operation == "anonymous") return "?";
  if (line.operation == "decoy") return line.text;
  if (line.operation == "cell") {
    if (!at.starts_with('?') && !at.starts_with('0')) return std::nullopt;
    return std::string(at.substr(0, 1));
  }
  if (line.operation != "anchored" || line.text.empty()) return std::nullopt;
  // Within the quotes of a name, if it has some; where quotes mean nothing (dat), always before it.
  std::string text = line.text;
  text.insert(text.front() == '"' && at.starts_with('"') ? 1 : 0, "?");
  return text;
}

std::string_view original_text(const MarkLine& line) {
  return line.operation == "decoy" ? std::string_view() : std::string_view(line.text);
}

}  // namespace gauze::patterns::internal
