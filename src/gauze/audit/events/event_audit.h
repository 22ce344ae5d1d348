#pragma once

#include "gauze/audit/claims/claim_audit.h"
#include "gauze/audit/events/outcomes.h"

namespace gauze::audit {

/// A claim that is held against runs on two neighbouring inputs.
struct EventAuditRequest {
  std::string claim = {};  ///< in words
  Claim claimed = {};
  double delta = 0;  ///< of the bounds
  Levels levels = {};
  std::uint64_t choices = 1;  ///< of so many audits the largest bound is taken
};

/// Looks for the event that tells the sides apart best in the first half of the runs, and counts it in the second.
///
/// Bound : that of independent runs (bounds/independent_runs.h). Every run must have had randomness of its own.
/// Fewer than two runs on a side: nothing is audited.
[[nodiscard]] ClaimAudit audit_outcomes(const OutcomePair& pair, const EventAuditRequest& request);

}  // namespace gauze::audit
