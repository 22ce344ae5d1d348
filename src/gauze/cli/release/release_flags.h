#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/release/modes/release_budget.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::cli {

/// --policy, required.
[[nodiscard]] Flag policy_flag();
/// --mode, --output, --as-published, --noise-scale.
[[nodiscard]] std::vector<Flag> release_mode_flags();

/// The policy with what the flags change in it, checked.
[[nodiscard]] Result<schema::Policy> release_policy(const Invocation& invocation);
/// --epsilon and --delta.
[[nodiscard]] Result<release::ReleaseTarget> release_target(const Invocation& invocation);

}  // namespace gauze::cli
