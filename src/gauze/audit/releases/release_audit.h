#pragma once

#include <functional>
#include <vector>

#include "gauze/audit/events/audit_random.h"
#include "gauze/audit/events/event_audit.h"
#include "gauze/audit/releases/neighbour_tables.h"
#include "gauze/base/progress.h"
#include "gauze/release/job/published_release.h"
#include "gauze/release/job/release_job.h"
#include "gauze/release/job/release_plan.h"

namespace gauze::audit {

/// A release whose claim is to be held against what it makes of neighbouring tables.
struct ReleaseAuditRequest {
  Claim claimed = {};  ///< bounds are taken at its delta
  Levels levels = {};
  std::uint64_t runs = 10'000;  ///< a side
  AuditRandom random = AuditRandom();
};

/// One pair of tables, and what was found with it.
struct AuditedPair {
  std::string what = {};
  ClaimAudit audit = {};
};

/// What a plan promises.
[[nodiscard]] Claim claim_of_release(const release::ReleasePlan& plan);

/// Draws one release: `run` tells streams of a seed apart.
using ReleaseDraw = std::function<Result<release::Release>(const AuditRandom& random, std::uint64_t run)>;

/// Whatever draws releases of two tables: what audit_release() does with one pair.
[[nodiscard]] Result<ClaimAudit> audit_draws(const release::ReleasePlan& plan, const TableRows& differing,
                                             const ReleaseDraw& left, const ReleaseDraw& right,
                                             const EventAuditRequest& event, const ReleaseAuditRequest& request,
                                             Progress& progress);

/// Draws releases of both tables of each pair, by the code that releases are drawn with, without ledger and files, and looks for what tells
/// them apart. Bounds are taken at the delta of the claim, and divided by the number of pairs.
[[nodiscard]] Result<std::vector<AuditedPair>> audit_release(const release::ReleasePlan& plan,
                                                             const std::vector<NeighbourTables>& pairs,
                                                             const ReleaseAuditRequest& request, Progress& progress);

/// The published method in the shape of a plan, to make neighbours for and to name classes by. `tuples`: of its quasi-identifiers.
[[nodiscard]] Result<release::ReleasePlan> plan_of_published(const schema::Policy& policy,
                                                             const table::TupleCounts& tuples);

/// The same of the published method, whose classes and counts are looked at.
[[nodiscard]] Result<std::vector<AuditedPair>> audit_published(
    const release::ReleasePlan& plan, const schema::Policy& policy, const release::PublishedRelease::Options& options,
    const std::vector<NeighbourTables>& pairs, const ReleaseAuditRequest& request, Progress& progress);

/// The pair whose bound is largest.
[[nodiscard]] const AuditedPair& worst_of(const std::vector<AuditedPair>& pairs);

/// [{"pair","epsilon_lower"}]
[[nodiscard]] Json to_json(const std::vector<AuditedPair>& pairs);

}  // namespace gauze::audit
