#pragma once

#include <vector>

#include "gauze/anonymize/inspect/undecided_columns.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/table/read_options.h"

namespace gauze::cli {

/// `not_private`, with the columns and how to go on; they also go beside the error of --json, as "undecided_columns".
[[nodiscard]] tl::unexpected<Error> refuse_undecided(Invocation& invocation,
                                                     const std::vector<anonymize::UndecidedColumn>& columns);

/// `*` is what suppressed cells say: it cannot mean missing, too.
[[nodiscard]] Result<void> check_null_tokens(const table::ReadOptions& options);

}  // namespace gauze::cli
