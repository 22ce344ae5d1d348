#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/curator/curator_client.h"
#include "gauze/server/api/routes.h"
#include "gauze/server/config/curator_config.h"

namespace gauze::cli {

/// --config, --as, --ca, --url: which curator is asked, and by whom. `as` is the default of --as.
[[nodiscard]] std::vector<Flag> curator_flags(const std::string& as);

/// A client of the running server's listener. `io` when none is at work.
[[nodiscard]] Result<CuratorClient> connect_to_curator(const Invocation& invocation, server::Listener listener);
/// The same, or nothing when no server is at work in the folder and none was named by --url.
[[nodiscard]] Result<std::optional<CuratorClient>> connect_if_running(const Invocation& invocation,
                                                                      server::Listener listener);

[[nodiscard]] Result<server::CuratorConfig> curator_config_of(const Invocation& invocation);

}  // namespace gauze::cli
