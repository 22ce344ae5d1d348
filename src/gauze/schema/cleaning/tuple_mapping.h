#pragma once
// Grouped rows whose values become others: dictionaries and codes in order, equal tuples as one.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gauze/table/dictionary.h"

namespace gauze::schema {

/// The values of a column after a change, and what became of each code.
struct MappedColumn {
  table::Dictionary dictionary;
  std::vector<std::uint32_t> code_of;  ///< by code before
};
[[nodiscard]] MappedColumn unchanged(const table::Dictionary& values);
/// Every value that is not missing becomes what `change` returns, the empty text meaning missing. With `letters` nothing does: the
/// column is one whose blanks count.
[[nodiscard]] MappedColumn map_values(const table::Dictionary& values,
                                      const std::function<std::string(const std::string&)>& change,
                                      bool letters = false);
/// Notes the code of `other` as that of values outside the bounds of a column.
void find_outside(table::Dictionary& values);

/// One entry a column of the tuples.
[[nodiscard]] table::TupleCounts map_tuples(const table::TupleCounts& tuples, std::vector<MappedColumn> mapped);

}  // namespace gauze::schema
