#pragma once

#include "gauze/base/error.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/server/config/curator_folder.h"

namespace gauze::cli {

/// Adds the example task to a curator that runs, sends reports of simulated devices, and prints what to look at.
[[nodiscard]] Result<void> show_curator(Invocation& invocation, const server::CuratorFiles& files,
                                        const server::RunningCurator& running);

}  // namespace gauze::cli
