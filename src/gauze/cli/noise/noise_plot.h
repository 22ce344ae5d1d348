#pragma once

#include <vector>

#include "gauze/base/error.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

/// --plot and --epsilons: a page that shows noise beside its law.
[[nodiscard]] std::vector<Flag> noise_plot_flags();
/// `noise MECHANISM --plot`: draws around nobody's numbers, charges nothing.
[[nodiscard]] Result<int> run_noise_plot(Invocation& invocation);

}  // namespace gauze::cli
