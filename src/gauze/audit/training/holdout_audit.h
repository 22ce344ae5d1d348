#pragma once

#include "gauze/audit/training/pair_audit.h"
#include "gauze/learn/job/training_job.h"

namespace gauze::audit {

/// Draws a trained model with what was measured on the units that were kept apart; `run` tells streams of a seed apart.
using HoldoutDraw = std::function<Result<learn::TrainedModel>(const learn::LearningRows& rows, std::uint64_t run)>;

/// What `train` does with a plan that has a hold-out.
[[nodiscard]] HoldoutDraw draws_of_training(const learn::TrainingPlan& plan, const schema::Policy& policy,
                                            const AuditRandom& random);

/// Trains with a paid hold-out on an extreme record and on its neighbour, and looks for what tells them apart in the model together
/// with the noisy counts of its hold-out: each unit may show in one of the two alone.
[[nodiscard]] Result<ClaimAudit> audit_training_holdout(const learn::TrainingPlan& plan, const schema::Policy& policy,
                                                        const HoldoutDraw& draw, const TrainingPairRequest& request,
                                                        Progress& progress);

}  // namespace gauze::audit
