#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gauze/table/dictionary.h"

namespace gauze::audit {

/// The cells of one row; none where one is missing.
using RowCells = std::vector<std::optional<std::string>>;

/// A table as rows and how often each is there: what neighbours are made of and told from.
using TableRows = std::map<RowCells, std::uint64_t>;

[[nodiscard]] TableRows rows_of(const table::TupleCounts& tuples);

/// The table that a grouped scan of these rows would return, with so many columns.
[[nodiscard]] table::TupleCounts tuples_of(const TableRows& rows, std::size_t width);

}  // namespace gauze::audit
