#pragma once

#include <string>
#include <vector>

#include "gauze/base/json.h"
#include "gauze/cli/invocation.h"

namespace gauze::cli {

/// Says on stderr that a spreadsheet would run cells of these columns; the same as the "warnings" of a JSON result, which are
/// empty when there is no such column.
[[nodiscard]] Json warn_of_formulas(Invocation& invocation, const std::vector<std::string>& columns);

}  // namespace gauze::cli
