#pragma once

#include "gauze/base/progress.h"
#include "gauze/learn/model/model_file.h"
#include "gauze/learn/published/published_plan.h"
#include "gauze/learn/step/step_probe.h"

namespace gauze::learn {

struct PublishedModel {
  ModelFile file;
  BudgetAllocation allocation;
  std::vector<float> weights = {};  ///< of the file: the mapping layer, then the model
};

/// A model of it as its file describes it.
[[nodiscard]] ModelDescription describe(const PublishedPlan& plan, const schema::Policy& policy);

/// Algorithm 1, line by line: budgets; in every epoch the mapping layer is scaled into the L1 ball of radius C_w and noised, then batches are
/// drawn without replacement and the model moves by clipped, noised means.
[[nodiscard]] Result<PublishedModel> train_as_published(const PublishedPlan& plan, const schema::Policy& policy,
                                                        const LearningRows& rows, SecureStreams& streams,
                                                        Progress& progress);
[[nodiscard]] Result<PublishedModel> simulate_as_published(const PublishedPlan& plan, const schema::Policy& policy,
                                                           const LearningRows& rows, SeededStreams& streams,
                                                           Progress& progress);
/// The same with whatever streams, for audits: nothing of it may leave. `probe` plants into the noisy sums and sees them.
[[nodiscard]] Result<PublishedModel> audit_as_published(const PublishedPlan& plan, const schema::Policy& policy,
                                                        const LearningRows& rows, Streams& streams, StepProbe& probe,
                                                        Progress& progress);

}  // namespace gauze::learn
