#pragma once

#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/table/row_sink.h"
#include "gauze/table/source.h"

namespace gauze::learn {

/// Hands over all rows of a table with these columns, as text; a missing cell is empty. For owner's commands; `unknown_column` for a
/// column that is not there.
[[nodiscard]] Result<void> read_rows(table::Source& source, const std::vector<std::string>& columns,
                                     table::RowSink& rows, Progress& progress);

}  // namespace gauze::learn
