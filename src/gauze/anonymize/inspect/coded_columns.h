#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// Columns of a table in memory, four bytes a cell: many pairs of them are counted after one scan.
class CodedColumns {
 public:
  /// Whether so many cells are worth keeping.
  [[nodiscard]] static bool fit(std::uint64_t rows, std::size_t columns);
  [[nodiscard]] static Result<CodedColumns> read(table::Source& table, const std::vector<std::size_t>& columns,
                                                 Progress& progress);

  [[nodiscard]] bool has(std::size_t column) const { return places_.contains(column); }
  /// As a grouped scan by the two columns would return them, in no particular order.
  [[nodiscard]] table::TupleCounts pairs(std::size_t first, std::size_t second) const;

 private:
  std::map<std::size_t, std::size_t> places_;  // of a column of the table
  std::vector<table::Dictionary> dictionaries_;
  std::vector<std::vector<std::uint32_t>> codes_;
};

}  // namespace gauze::anonymize
