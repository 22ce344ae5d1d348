#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/table/decimal_sign.h"

namespace gauze::table {

/// The distinct values of one column: a cell is stored as the place of its value here, its code.
///
/// Values are in byte order and differ from each other, so that codes depend on the data alone, not on the order of
/// its rows. All ways to write "missing" (`?`, nothing, NULL, tokens that were configured) share one code; its text is
/// the first in byte order of those that occur in the column.
struct Dictionary {
  std::vector<std::string> values;
  std::optional<std::uint32_t> missing;      ///< the code of "missing", if a cell of the column is missing
  bool missing_is_exact = false;             ///< every missing cell is written like the text of that code
  DecimalSign decimal = DecimalSign::point;  ///< how its numbers are written
  /// The code of `other`, where that is what became of values outside the public bounds of the column: no value like the others
  /// to hierarchies, which keep it as it is.
  std::optional<std::uint32_t> outside = {};
};

/// The distinct tuples of some columns and the number of rows that have each: what a grouped scan returns.
struct TupleCounts {
  std::vector<Dictionary> dictionaries;           ///< one a column, in the order asked for
  std::vector<std::vector<std::uint32_t>> codes;  ///< codes[column][tuple]; tuples in lexicographic order of codes
  std::vector<std::uint64_t> counts;              ///< rows of each tuple, at least 1

  [[nodiscard]] std::size_t size() const { return counts.size(); }
};

}  // namespace gauze::table
