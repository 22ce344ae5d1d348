#include "gauze/table/spreadsheet_cell.h"

#include <algorithm>
#include <array>
#include <utility>

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

/// The sign that a cell begins with, also where it is as wide as a Chinese character (spreadsheets read it all the same), and
/// how many bytes it has; 0 for any other letter.
struct Sign {
  char sign = 0;
  std::size_t bytes = 0;
};

Sign sign_of(std::string_view cell) {
  constexpr std::array<std::pair<std::string_view, char>, 4> kWide = {
      {{"\uff1d", '='}, {"\uff20", '@'}, {"\uff0b", '+'}, {"\uff0d", '-'}}};
  for (const auto& [wide, sign] : kWide)
    if (cell.starts_with(wide)) return {sign, wide.size()};
  const bool is_sign = std::string_view("=@+-").find(cell.front()) != std::string_view::npos;
  return is_sign ? Sign{cell.front(), 1} : Sign{};
}

}  // namespace

bool is_formula(std::string_view cell) {
  // Most cells are told by their first letter.
  const char first = cell.empty() ? 'a' : cell.front();
  if (is_digit(first) || (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z')) return false;
  const std::size_t begin = cell.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return false;
  if (cell.substr(0, begin).find_first_of("\t\r") != std::string_view::npos) return true;
  cell.remove_prefix(begin);
  const Sign sign = sign_of(cell);
  if (sign.sign == '=' || sign.sign == '@') return true;
  if (sign.sign == 0) return false;
  while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
  if (cell.find_first_not_of("+-") == std::string_view::npos) return false;
  return !is_unsigned_number(cell.substr(sign.bytes));
}

bool needs_text_sign(std::string_view cell) {
  while (!cell.empty() && cell.front() == kTextSign) cell.remove_prefix(1);
  return is_formula(cell);
}

}  // namespace gauze::table
