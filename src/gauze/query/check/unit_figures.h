#pragma once

#include "gauze/query/check/checked_tables.h"

namespace gauze::query {

/// Counts units, the rows of each, rows that lead to none, what the limits cut, and finds keys that are not unique or lead
/// nowhere. What hangs on a column that is not there stays uncounted.
[[nodiscard]] Result<void> count_units(CheckedTables& tables, SchemaCheck& check);

}  // namespace gauze::query
