#include "gauze/table/spreadsheet_cell.h"

#include <algorithm>

#include "gauze/base/ascii.h"

namespace gauze::table {
namespace {

/// Digits with points and commas among them, at least one digit, and perhaps an exponent.
bool is_unsigned_number(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,"), text.size());
  if (std::none_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), is_digit)) return false;
  std::string_view rest = text.substr(end);
  if (rest.empty()) return true;
  if (rest.front() != 'e' && rest.front() != 'E') return false;
  rest.remove_prefix(1);
  if (!rest.empty() && (rest.front() == '+' || rest.front() == '-')) rest.remove_prefix(1);
  return !rest.empty() && std::all_of(rest.begin(), rest.end(), is_digit);
}

}  // namespace

bool is_formula(std::string_view cell) {
  const std::size_t begin = cell.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  if (cell.substr(0, begin).find_first_of("\t\r") != std::string_view::npos) return true;
  cell.remove_prefix(begin);
  if (cell.front() == '=' || cell.front() == '@') return true;
  if (cell.front() != '+' && cell.front() != '-') return false;
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  if (cell.find_first_not_of("+-") == std::string_view::npos) return false;
  return !is_unsigned_number(cell.substr(1));
}

}  // namespace gauze::table
