#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/table/source.h"

namespace gauze::table {

/// A column that is nearly one of numbers or dates, and what in it is not: mostly a way to write "missing" that nobody named.
struct OddCells {
  ColumnType type = ColumnType::number;  ///< number or date
  std::uint64_t cells = 0;               ///< that are not of the type; different values where rows were not counted
  std::uint64_t of = 0;                  ///< cells in all
  std::vector<std::string> values;       ///< the commonest of the odd ones, up to five

  /// "98 % are dates, 40 cells are not ('-', 'n/a')". Quotes cells: for the owner's own eyes.
  [[nodiscard]] std::string to_text() const;
  /// "'-' 'n/a'", each in full and quoted for a shell, with a text before each.
  [[nodiscard]] std::string null_tokens(std::string_view before_each = {}) const;
};

/// What does not fit, if this share of the cells, and at least five values, are numbers or dates, and not all of them are.
/// `rows` counts those of each value; none: each value counts once. Values must not be missing.
inline constexpr std::uint64_t kNearlyAllPercent = 90;
[[nodiscard]] std::optional<OddCells> find_odd_cells(std::span<const std::string> values,
                                                     std::span<const std::uint64_t> rows = {},
                                                     std::uint64_t least_percent = kNearlyAllPercent,
                                                     DecimalSign decimal = DecimalSign::point);
/// The same for a summary with its dictionary.
[[nodiscard]] std::optional<OddCells> find_odd_cells(const ColumnSummary& summary);

}  // namespace gauze::table
