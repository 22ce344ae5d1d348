#pragma once

#include <optional>
#include <vector>

#include "gauze/cli/core/invocation.h"
#include "gauze/learn/engine/self_check.h"
#include "gauze/learn/job/plan_fit.h"
#include "gauze/learn/job/training_job.h"
#include "gauze/learn/step/step_check.h"
#include "gauze/publish/publication.h"

namespace gauze::cli {

// What commands that learn print for people.

void print_training_plan(Invocation& invocation, const learn::TrainingPlan& plan,
                         const std::optional<learn::PlanFit>& fit);
void print_trained(Invocation& invocation, const learn::TrainingPlan& plan, const learn::TrainedModel& trained,
                   const publish::Publication& publication);
void print_self_check(Invocation& invocation, const std::vector<learn::LayerCheck>& checks,
                      const learn::StepCheck& step);

/// "0.62 (0.61 to 0.63)".
[[nodiscard]] std::string interval_text(const std::optional<Estimate>& estimate);

}  // namespace gauze::cli
