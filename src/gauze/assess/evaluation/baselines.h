#pragma once

#include <optional>

#include "gauze/assess/evaluation/evaluation_data.h"
#include "gauze/assess/measures/model_transfer.h"

namespace gauze::assess {

/// What protection is to be compared with: always answering the more frequent outcome, and models trained on the table
/// as it is.
struct Baselines {
  double majority_accuracy = kUndefined;
  ModelRun unprotected;
};

/// Nothing without a target. Features are the quasi-identifiers as they are in the table.
[[nodiscard]] std::optional<Baselines> measure_baselines(const EvaluationSetting& setting,
                                                         const EvaluationData& data);

}  // namespace gauze::assess
