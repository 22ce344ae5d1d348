#pragma once

#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

/// `gauze train --as-published`.
[[nodiscard]] Result<int> run_published_training(Invocation& invocation);

}  // namespace gauze::cli
