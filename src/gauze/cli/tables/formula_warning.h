#pragma once

#include <vector>

#include "gauze/cli/core/invocation.h"
#include "gauze/table/source.h"

namespace gauze::cli {

/// Warns that a spreadsheet would run cells of these columns, if there are any.
void warn_of_formulas(Invocation& invocation, const table::Source& table, const std::vector<std::size_t>& columns);

}  // namespace gauze::cli
