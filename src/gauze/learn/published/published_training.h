#pragma once

#include "gauze/base/progress.h"
#include "gauze/learn/model/model_file.h"
#include "gauze/learn/published/published_plan.h"
#include "gauze/learn/step/streams.h"

namespace gauze::learn {

struct PublishedModel {
  ModelFile file;
  BudgetAllocation allocation;
};

/// Algorithm 1, line by line: budgets; in every epoch the mapping layer is scaled into the L1 ball of radius C_w and noised, then batches are
/// drawn without replacement and the model moves by clipped, noised means.
[[nodiscard]] Result<PublishedModel> train_as_published(const PublishedPlan& plan, const schema::Policy& policy,
                                                        const LearningRows& rows, SecureStreams& streams,
                                                        Progress& progress);
[[nodiscard]] Result<PublishedModel> simulate_as_published(const PublishedPlan& plan, const schema::Policy& policy,
                                                           const LearningRows& rows, SeededStreams& streams,
                                                           Progress& progress);

}  // namespace gauze::learn
