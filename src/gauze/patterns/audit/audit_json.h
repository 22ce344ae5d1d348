#pragma once

#include "gauze/files/json.h"
#include "gauze/patterns/audit/attacks.h"
#include "gauze/patterns/audit/hiding_metrics.h"

namespace gauze::patterns {

// What hiding cost and what attackers find, for programs: docs/formats/json-output.md. All of it is the owner's.

/// misses_cost, artifactual (of both readers), removed, added, dissimilarity, bands, metrics_complete: added to the object.
void add_metrics(Json& object, const HidingMetrics& metrics);
[[nodiscard]] Json to_json(const AttackReport& report);

}  // namespace gauze::patterns
