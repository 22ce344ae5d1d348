#pragma once

#include <string>
#include <string_view>

namespace gauze::table {

/// Whether a cell stands in quotes: it holds the delimiter, a quote or a line end, or a reader would trim blanks at its ends.
[[nodiscard]] bool needs_quotes(std::string_view cell, char delimiter);

/// Adds one cell to a line of CSV as RFC 4180 has it: in quotes when it holds the delimiter, a quote or a line end, or
/// when blanks at its ends would be trimmed by a reader.
void append_csv_cell(std::string& line, std::string_view cell, char delimiter);

/// In quotes whatever it holds.
void append_quoted_cell(std::string& line, std::string_view cell);

/// A whole line with its end. A line of one empty cell is written as "" so that it is no blank line.
template <class Cells>
void append_csv_line(std::string& text, const Cells& cells, char delimiter) {
  const std::size_t before = text.size();
  bool first = true;
  for (const auto& cell : cells) {
    if (!first) text += delimiter;
    first = false;
    append_csv_cell(text, cell, delimiter);
  }
  if (text.size() == before) text += "\"\"";
  text += '\n';
}

}  // namespace gauze::table
