#include "gauze/patterns/baskets/internal/marks_file.h"

#include <array>
#include <charconv>
#include <optional>

#include "gauze/table/csv_text.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::string_view kHeader = "row,position,item,operation,text\n";

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

Result<std::vector<MarkLine>> parse_marks(std::string_view text) {
  const auto damaged = [](std::size_t line) {
    return make_error(ErrorCode::bad_data, "line {} of the marks is damaged", line);
  };
  if (!text.starts_with(kHeader)) return damaged(1);
  std::vector<MarkLine> lines;
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
    if (cells.size() != 5 || quoted || !read_number(cells[0], line.row) || !read_number(cells[1], line.position) ||
        line.row == 0)
      return damaged(number);
    line.item = std::move(cells[2]);
    line.operation = std::move(cells[3]);
    line.text = std::move(cells[4]);
    lines.push_back(std::move(line));
  }
  return lines;
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
