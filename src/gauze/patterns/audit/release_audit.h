#pragma once

#include <string>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/patterns/audit/attacks.h"
#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::patterns {

/// What can be said about a release by whoever has the original: for the owner alone.
struct ReleaseAudit {
  std::uint64_t transactions = 0;
  HidingThreshold threshold;            ///< of patterns without one of their own
  std::vector<HiddenPattern> patterns;  ///< how each stands before and after
  HidingLevel level = HidingLevel::h3;  ///< the lowest of all patterns
  HidingMetrics metrics;                ///< what hiding cost
  AttackReport attacks;                 ///< what readers find who know how hiding works
  std::vector<Warning> warnings = {};   ///< about the list of patterns, and about figures that are not complete
};

/// Audits any release, also one that was made elsewhere, whose transactions are in the order of the original.
/// The confidence of the threshold, if there is one, is about rules alone. `bad_data` when the two do not belong together.
[[nodiscard]] Result<ReleaseAudit> audit_release(const Database& original, const Database& released,
                                                 const SensitiveList& sensitive, const HidingThreshold& threshold,
                                                 Progress& progress);

/// docs/formats/json-output.md. `original`: that of the audit, whose names it gives.
[[nodiscard]] Json to_json(const Database& original, const ReleaseAudit& audit);

}  // namespace gauze::patterns
