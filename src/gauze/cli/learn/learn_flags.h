#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/learn/plan/training_plan.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::cli {

/// --policy of commands that learn; required unless said otherwise.
[[nodiscard]] Flag learn_policy_flag(bool required);
/// The policy, with what table flags say on top, and its section `learn` there.
[[nodiscard]] Result<schema::Policy> learn_policy(const Invocation& invocation);

/// --model, and everything that says how a model is trained: for `train`, `study` and attacks.
[[nodiscard]] std::vector<Flag> training_flags();
/// --epsilon, --sigma, --delta.
[[nodiscard]] std::vector<Flag> training_budget_flags();
/// The shape of a model.
[[nodiscard]] Result<learn::ModelShape> model_shape_flags(const Invocation& invocation);
/// What all of these say; `kind` is the word of a model.
[[nodiscard]] Result<learn::TrainingOptions> training_options(const Invocation& invocation, std::string_view kind);

}  // namespace gauze::cli
