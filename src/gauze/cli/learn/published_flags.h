#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/learn/published/published_plan.h"

namespace gauze::cli {

/// --as-published, --reading and the constants of APBA-DP.
[[nodiscard]] std::vector<Flag> published_flags();
/// --sensitive, --sensitive-share, --log.
[[nodiscard]] std::vector<Flag> allocation_flags();
[[nodiscard]] Result<learn::SensitiveChoice> sensitive_choice(const Invocation& invocation);
[[nodiscard]] Result<learn::EntropyLog> entropy_log(const Invocation& invocation);

/// What all of these say; `usage` for flags of the sound way beside them.
[[nodiscard]] Result<learn::PublishedOptions> published_options(const Invocation& invocation, std::string_view kind);

}  // namespace gauze::cli
