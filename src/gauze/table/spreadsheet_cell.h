#pragma once

#include <string_view>

namespace gauze::table {

/// Whether a spreadsheet that opens the file would take the cell for a formula and run it: it begins with =, +, - or @
/// (also in their full width; blanks before them do not count), or with a tab or a carriage return before text. A plain number with a sign (-5, +3.2,
/// -1e9, -1.234,5) is none, and neither are signs alone.
[[nodiscard]] bool is_formula(std::string_view cell);

/// What is written before such a cell to make a text of it.
inline constexpr char kTextSign = '\'';

/// Whether a cell gets that sign where formulas are written as texts: a formula, and one that has such signs before it already. With
/// `=1` written as `'=1`, what was `'=1` must become `''=1`: two values never become one.
[[nodiscard]] bool needs_text_sign(std::string_view cell);

}  // namespace gauze::table
