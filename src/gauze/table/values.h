#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gauze::table {

/// 128 bits: exact sums of 64-bit integers.
__extension__ typedef __int128 Int128;

/// What the values of a column are on their way through the process. Whatever is stored otherwise (decimals, dates, times,
/// truth values) comes as text, by the rule of docs/formats/tables.md.
enum class ValueType { integer, wide_integer, real, text };

/// The values of one column in some rows. Only the list of its type is filled.
struct ValueColumn {
  std::vector<std::int64_t> integers;
  std::vector<Int128> wide_integers;
  std::vector<double> reals;
  std::vector<std::string_view> texts;  ///< NULL is the empty text
  std::vector<std::uint8_t> nulls;      ///< 1 where a value is NULL; empty: none is

  [[nodiscard]] bool is_null(std::size_t row) const { return !nulls.empty() && nulls[row] != 0; }
};

/// Some rows, column by column.
struct ValueBatch {
  std::size_t rows = 0;
  std::vector<ValueColumn> columns;
  std::vector<std::uint64_t> counts;   ///< for how many equal rows each stands; empty: for one. Only tuples have them
  std::shared_ptr<const void> memory;  ///< what the texts look at
};

/// Adds a value as docs/formats/tables.md says how it reads as text; NULL and not-a-number add nothing.
void append_value(std::string& text, const ValueColumn& column, ValueType type, std::size_t row);

}  // namespace gauze::table
