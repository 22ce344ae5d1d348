#include "gauze/patterns/baskets/basket_release.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "gauze/table/csv_text.h"

namespace gauze::patterns {
namespace {

constexpr std::string_view kHeader = "row,position,item,operation,text\n";

/// A stretch of the original that is written differently.
struct Replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  std::string_view operation;
  Item item = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// A token and the separator that goes with it: the one behind it, or, for the last of a line, the one before.
Replacement removed(const BasketFile& file, const BasketFile::Token& token, std::size_t line_begin,
                    std::size_t line_end) {
  const std::string& bytes = file.bytes();
  std::size_t begin = token.begin;
  std::size_t end = token.end;
  const bool commas = file.format() == BasketFormat::csv;
  const auto is_separator = [&](char c) { return is_blank(c) || (commas && c == ','); };
  if (end < line_end) {
    bool comma = false;
    while (end < line_end && is_separator(bytes[end]) && !(bytes[end] == ',' && comma)) {
      comma = comma || bytes[end] == ',';
      ++end;
    }
  }
  if (end == line_end) {
    bool comma = false;
    while (begin > line_begin && is_separator(bytes[begin - 1]) && !(bytes[begin - 1] == ',' && comma)) {
      comma = comma || bytes[begin - 1] == ',';
      --begin;
    }
  }
  return {begin, end, "", "delete", token.item};
}

Replacement replacement_for(const BasketFile& file, const BasketFile::Token& token, const Edit& edit, MarkStyle style,
                            std::pair<std::size_t, std::size_t> line) {
  if (file.format() == BasketFormat::matrix)
    return {token.begin, token.end, edit.operation == Operation::mark ? "?" : "0", "cell", token.item};
  if (edit.operation == Operation::remove) return removed(file, token, line.first, line.second);
  if (style == MarkStyle::anonymous) return {token.begin, token.end, "?", "anonymous", token.item};
  std::string text = file.bytes().substr(token.begin, token.end - token.begin);
  text.insert(text.front() == '"' ? 1 : 0, "?");
  return {token.begin, token.end, std::move(text), "anchored", token.item};
}

struct MarkLine {
  std::size_t row = 0;
  std::size_t position = 0;
  std::string operation;
  std::string text;
};

/// The five cells of each line of a marks file.
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
    const auto number_of = [](const std::string& cell, std::size_t& value) {
      return std::from_chars(cell.data(), cell.data() + cell.size(), value).ptr == cell.data() + cell.size();
    };
    if (cells.size() != 5 || quoted || !number_of(cells[0], line.row) || !number_of(cells[1], line.position) ||
        line.row == 0)
      return damaged(number);
    line.operation = cells[3];
    line.text = cells[4];
    lines.push_back(std::move(line));
  }
  return lines;
}

/// What stands in the released file where `text` stood, of this operation; nothing when the operation is not known.
std::optional<std::string> released_text(const MarkLine& line, std::string_view at) {
  if (line.operation == "delete") return "";
  if (line.operation == "end") return "\n";
  if (line.operation == "anonymous") return "?";
  if (line.operation == "cell") return std::string(at.substr(0, 1));
  if (line.operation != "anchored" || line.text.empty()) return std::nullopt;
  std::string text = line.text;
  text.insert(text.front() == '"' ? 1 : 0, "?");
  return text;
}

}  // namespace

Result<BasketRelease> write_release(const BasketFile& file, std::span<const Edit> edits, MarkStyle style) {
  if (file.format() == BasketFormat::matrix && style == MarkStyle::anonymous)
    return invalid_parameter("a matrix has no anonymous marks: its columns say which item is meant");
  std::map<std::size_t, std::vector<Edit>> by_row;
  for (const Edit& edit : edits) by_row[edit.row].push_back(edit);
  BasketRelease release;
  release.marks = std::string(kHeader);
  std::size_t copied = 0;
  for (const auto& [row, changes] : by_row) {
    const auto line = file.line(row);
    std::vector<Replacement> list;
    for (const BasketFile::Token& token : file.tokens(row)) {
      const auto edit =
          std::find_if(changes.begin(), changes.end(), [&](const Edit& one) { return one.item == token.item; });
      if (edit != changes.end()) list.push_back(replacement_for(file, token, *edit, style, line));
    }
    release.bytes.append(file.bytes(), copied, line.first - copied);
    const std::size_t line_start = release.bytes.size();
    copied = line.first;
    for (Replacement& one : list) {
      one.begin = std::max(one.begin, copied);  // neighbours that are both deleted share no separator
      release.bytes.append(file.bytes(), copied, one.begin - copied);
      const std::string row_text = std::to_string(row + 1);
      const std::string position = std::to_string(release.bytes.size() - line_start);
      const std::string original = file.bytes().substr(one.begin, one.end - one.begin);
      table::append_csv_line(
          release.marks,
          std::vector<std::string_view>{row_text, position, file.database().names[one.item], one.operation, original},
          ',');
      release.bytes += one.text;
      copied = one.end;
    }
  }
  release.bytes.append(file.bytes(), copied, file.bytes().size() - copied);
  // A last line that lost all its items and has no line end would be no transaction any more.
  const bool lost =
      !file.bytes().empty() && file.bytes().back() != '\n' && (release.bytes.empty() || release.bytes.back() == '\n');
  if (lost) {
    release.bytes += '\n';
    release.marks += fmt::format("{},0,\"\",end,\"\"\n", file.database().rows());
  }
  return release;
}

Result<std::string> restore(std::string_view released, std::string_view marks, std::optional<BasketFormat> format) {
  GAUZE_TRY(const std::vector<MarkLine> lines, parse_marks(marks));
  GAUZE_TRY(const BasketFile file, BasketFile::parse(std::string(released), format));
  std::string original;
  std::size_t copied = 0;
  for (const MarkLine& one : lines) {
    if (one.row > file.database().rows())
      return make_error(ErrorCode::bad_data, "the marks are not those of this file: it has no transaction {}",
                        one.row);
    const std::size_t place = file.line(one.row - 1).first + one.position;
    const auto there = place <= released.size() ? released_text(one, released.substr(place)) : std::nullopt;
    if (!there || place < copied || released.substr(place, there->size()) != *there)
      return make_error(ErrorCode::bad_data, "the marks are not those of this file: transaction {} differs", one.row);
    original.append(released.substr(copied, place - copied));
    original += one.text;
    copied = place + there->size();
  }
  original.append(released.substr(copied));
  return original;
}

}  // namespace gauze::patterns
