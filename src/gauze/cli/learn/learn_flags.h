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
/// What all of these say, for whatever models.
[[nodiscard]] Result<learn::TrainingOptions> shared_training_options(const Invocation& invocation);
/// The same for one model, by its word; a flag for the shape of another kind is a `usage` error.
[[nodiscard]] Result<learn::TrainingOptions> training_options(const Invocation& invocation, std::string_view kind);
/// Whether the flags for shapes that were given are of this kind of model.
[[nodiscard]] Result<void> check_shape_flags(const Invocation& invocation, learn::ModelKind kind);

/// --optimizer, --schedule, --learning-rate, --loss, --init: what is not given stays as it is.
template <class Options>
[[nodiscard]] Result<void> read_descent_flags(const Invocation& invocation, Options& options) {
  if (invocation.has("optimizer")) {
    GAUZE_TRY(options.optimiser, invocation.value("optimizer", learn::kOptimiserWords));
  }
  if (invocation.has("schedule")) {
    GAUZE_TRY(options.schedule, invocation.value("schedule", learn::kScheduleWords));
  }
  if (invocation.has("loss")) {
    GAUZE_TRY(options.loss, invocation.value("loss", learn::kLossWords));
  }
  if (invocation.has("init")) {
    GAUZE_TRY(options.initial, invocation.value("init", learn::kInitialWords));
  }
  GAUZE_TRY(options.learning_rate, invocation.rational("learning-rate"));
  return {};
}

}  // namespace gauze::cli
