#pragma once

#include <string_view>

namespace gauze::table {

/// Whether a spreadsheet that opens the file would take the cell for a formula and run it: it begins with =, +, - or @
/// (also in their full width; blanks before them do not count), or with a tab or a carriage return before text. A plain number with a sign (-5, +3.2,
/// -1e9, -1.234,5) is none, and neither are signs alone.
[[nodiscard]] bool is_formula(std::string_view cell);

/// What is written before such a cell to make a text of it.
inline constexpr char kTextSign = '\'';

}  // namespace gauze::table
