#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/release/modes/release_budget.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/text_form.h"

namespace gauze::cli {

/// --policy, required.
[[nodiscard]] Flag policy_flag();
/// --mode, --kind, --as-published, --noise-scale.
[[nodiscard]] std::vector<Flag> release_mode_flags();
/// What is released: --policy and --epsilon, required, --delta, and these.
[[nodiscard]] std::vector<Flag> release_flags();

/// A policy with what the flags change in it, and how the output is written: that is for the policy alone to say.
struct ReleasePolicy {
  schema::Policy policy;
  table::TextForm form;
};

/// Read from the file, checked.
[[nodiscard]] Result<ReleasePolicy> release_policy(const Invocation& invocation);
/// --epsilon and --delta.
[[nodiscard]] Result<release::ReleaseTarget> release_target(const Invocation& invocation);

}  // namespace gauze::cli
