#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/cli/core/output_places.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::cli {

/// --k and the criteria on sensitive columns, which `anonymize` and `check` share.
[[nodiscard]] std::vector<Flag> criteria_flags();
/// --quasi, --hierarchy, --sensitive.
[[nodiscard]] std::vector<Flag> column_flags();
/// What only anonymising needs: metric, search, suppression, identifiers, populations.
[[nodiscard]] std::vector<Flag> search_flags();

/// The policy of --policy, or the one that equals the flags; both at once are a usage error. Checked.
[[nodiscard]] Result<schema::Policy> policy_of(const Invocation& invocation);

/// The files that a policy names, which no output may replace: hierarchies, the key of pseudonyms, populations.
[[nodiscard]] std::vector<publish::KeptFile> files_of(const schema::Policy& policy);

}  // namespace gauze::cli
