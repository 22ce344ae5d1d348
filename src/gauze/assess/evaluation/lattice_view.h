#pragma once

#include "gauze/assess/evaluation/level_view.h"
#include "gauze/files/json.h"

namespace gauze::assess {

/// What the table would look like at other levels: the number of classes, the smallest, the share of rows in classes below
/// k and the generalisation loss of every combination of levels; of many combinations only those near the chosen one.
[[nodiscard]] Result<Json> describe_lattice(const EvaluationSetting& setting, const EvaluationData& data,
                                            const ReleasedColumns& columns, const LevelView& chosen);

}  // namespace gauze::assess
