#pragma once

#include <vector>

#include "gauze/cli/core/invocation.h"
#include "gauze/files/json.h"
#include "gauze/table/source.h"

namespace gauze::cli {

/// Says on stderr that a spreadsheet would run cells of these columns; the same as the "warnings" of a JSON result, which are
/// empty when there is no such column.
[[nodiscard]] Json warn_of_formulas(Invocation& invocation, const table::Source& table,
                                    const std::vector<std::size_t>& columns);

}  // namespace gauze::cli
