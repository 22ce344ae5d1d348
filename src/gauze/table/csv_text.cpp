#include "gauze/table/csv_text.h"

namespace gauze::table {

bool needs_quotes(std::string_view cell, char delimiter) {
  if (cell.empty()) return false;
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  if (blank(cell.front()) || blank(cell.back())) return true;
  for (const char c : cell)
    if (c == delimiter || c == '"' || c == '\n' || c == '\r') return true;
  return false;
}

void append_csv_cell(std::string& line, std::string_view cell, char delimiter) {
  if (!needs_quotes(cell, delimiter)) {
    line += cell;
    return;
  }
  append_quoted_cell(line, cell);
}

void append_quoted_cell(std::string& line, std::string_view cell) {
  line += '"';
  for (const char c : cell) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

}  // namespace gauze::table
