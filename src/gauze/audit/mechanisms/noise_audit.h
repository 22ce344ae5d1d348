#pragma once

#include "gauze/audit/events/audit_random.h"
#include "gauze/audit/events/event_audit.h"
#include "gauze/base/progress.h"
#include "gauze/mechanisms/job/noise_job.h"

namespace gauze::audit {

/// Noise whose claim is to be held against its own draws.
struct NoiseAuditRequest {
  NoiseRequest noise = {};            ///< its value is of no importance
  std::optional<Claim> claimed = {};  ///< none: what the mechanism itself promises
  Levels levels = {};
  std::uint64_t choices = 1;
  std::uint64_t runs = 1'000'000;  ///< a side
  AuditRandom random = AuditRandom();
};

/// What a mechanism of `gauze noise` promises: nothing in epsilon where its noise was asked for by sigma.
[[nodiscard]] Result<Claim> claim_of_noise(const NoiseRequest& request);

/// Draws around 0 and around the sensitivity (randomised response: of the first two answers), as releases do, and looks for what tells
/// them apart. Bounds are taken at the delta of the claim.
[[nodiscard]] Result<ClaimAudit> audit_noise(const NoiseAuditRequest& request, Progress& progress);

}  // namespace gauze::audit
