#pragma once

#include <string>
#include <vector>

#include "gauze/audit/claims/claim_audit.h"
#include "gauze/audit/events/outcomes.h"
#include "gauze/audit/training/engine_runs.h"
#include "gauze/label/warning.h"

namespace gauze::audit {

/// Training that is to be held against its claim on two neighbouring tables.
struct TrainingPairRequest {
  Claim claimed = {};  ///< bounds are taken at its delta
  Levels levels = {};
  std::uint64_t runs = 10'000;  ///< a side
  AuditRandom random = AuditRandom();
  EngineFault fault = {};
};

struct TrainingPairAudit {
  ClaimAudit audit = {};
  std::string pair = {};  ///< what the tables are, in words
  std::vector<Warning> warnings = {};
};

/// Trains on a table of one extreme record and on its neighbour (training/extreme_pair.h), by the code of `train`, and looks for what
/// tells them apart in all that a run lets out: the noisy sums of its steps and how they change, the clip where it adapts, the model.
///
/// Tests sampling, norm, clip, noise and accounting. It is sharpest with everybody in a step (`full`) and a delta about 0.01.
[[nodiscard]] Result<TrainingPairAudit> audit_training_pair(const Recipe& recipe, const schema::Policy& policy,
                                                            const TrainingPairRequest& request, Progress& progress);

}  // namespace gauze::audit
