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

/// Those of the paper's constants alone: --c, --clip-w, --gaussian, --laplace-epochs, sensitive attributes.
[[nodiscard]] std::vector<Flag> published_constant_flags();
/// What constants and flags of training say, for comparisons: kind, reading and budgets are left open.
[[nodiscard]] Result<learn::PublishedOptions> shared_published_options(const Invocation& invocation);

/// What all of these say; `usage` for flags of the sound way beside them.
[[nodiscard]] Result<learn::PublishedOptions> published_options(const Invocation& invocation, std::string_view kind);

}  // namespace gauze::cli
