#pragma once

#include <vector>

#include "gauze/anonymize/inspect/undecided_columns.h"
#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

/// `not_private`, with the columns and how to go on; they also go beside the error of --json, as "undecided_columns".
[[nodiscard]] tl::unexpected<Error> refuse_undecided(Invocation& invocation,
                                                     const std::vector<anonymize::UndecidedColumn>& columns);

}  // namespace gauze::cli
