#pragma once

#include <vector>

#include "gauze/audit/model/recipe.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

/// --model and all flags of `train` that say how a model is trained, as published or not: for whoever trains in order to attack.
[[nodiscard]] std::vector<Flag> recipe_flags();
/// What they say of this policy.
[[nodiscard]] Result<audit::Recipe> recipe_of(const Invocation& invocation, const schema::Policy& policy);

}  // namespace gauze::cli
