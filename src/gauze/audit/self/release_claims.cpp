#include "gauze/audit/releases/release_audit.h"
#include "gauze/audit/self/internal/claim_lists.h"

namespace gauze::audit::internal {
namespace {

constexpr std::uint64_t kReleaseRuns = 10'000;

/// Ages by town and illness: a small table, with classes above and below k.
constexpr const char* kReleasePolicy = R"(
version: 1
columns:
  age:     {{role: quasi, hierarchy: {{intervals: [[0, 30, 60, 120], [0, 60, 120]]}}}}
  town:    {{role: quasi, hierarchy: {{groups: [{{north: [Kiel, Oslo], south: [Rom]}}]}}}}
  illness: {{role: sensitive, values: [flu, gout]}}
privacy: {{k: 3}}
release: {{levels: {{age: 1, town: 1}}, {}}}
provenance: {{quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}}
)";

struct ReleaseClaim {
  std::string claim;
  std::string release;  ///< of the policy
  Rational epsilon = 1;
  Rational delta = 0;
};

TableRows table_of(const release::ReleasePlan& plan) {
  struct Row {
    const char* age;
    const char* town;
    const char* illness;
    std::uint64_t count;
  };
  TableRows rows;
  std::uint64_t person = 0;
  for (const Row& row : {Row{"25", "Kiel", "flu", 9}, Row{"45", "Oslo", "gout", 4}, Row{"70", "Rom", "flu", 2}}) {
    RowCells cells = {row.age, row.town};
    if (plan.columns.size() > 2) cells.emplace_back(row.illness);
    if (!plan.counts_persons()) {
      rows.emplace(std::move(cells), row.count);
      continue;
    }
    for (std::uint64_t i = 0; i < row.count; ++i) {
      RowCells own = cells;
      own.emplace_back(fmt::format("p{}", ++person));
      rows.emplace(std::move(own), 1);
    }
  }
  return rows;
}

Result<ClaimAudit> audit_claim(const ReleaseClaim& claim, const SelfAuditRequest& request, Progress& progress) {
  GAUZE_TRY(const schema::Policy policy,
            schema::parse_policy(fmt::format(fmt::runtime(kReleasePolicy), claim.release)));
  GAUZE_TRY(const release::ReleasePlan plan,
            release::ReleasePlan::make(policy, {.epsilon = claim.epsilon, .delta = claim.delta}));
  ReleaseAuditRequest audit{
      .claimed = audit::claim_of_release(plan), .levels = request.levels, .random = request.random};
  audit.runs = request.runs(kReleaseRuns);
  GAUZE_TRY(const std::vector<AuditedPair> pairs,
            audit_release(plan, make_neighbours(table_of(plan), plan), audit, progress));
  const AuditedPair& worst = worst_of(pairs);
  ClaimAudit found = worst.audit;
  if (found.event) found.event = fmt::format("{}: {}", worst.what, *found.event);
  return found;
}

}  // namespace

std::vector<SelfClaim> release_claims() {
  const Rational small_delta(1, 125);  // just above the tail at a threshold, so that one too low shows
  const std::string persons = ", unit: {id: person, max_classes: 2, max_rows: 2}";
  std::vector<SelfClaim> claims;
  for (const ReleaseClaim& one : {
           ReleaseClaim{"release grid", "mode: grid"},
           ReleaseClaim{"release grid, records", "mode: grid, kind: records"},
           ReleaseClaim{"release grid, persons", "mode: grid" + persons},
           ReleaseClaim{"release grid, replace-one", "mode: grid, neighbours: replace-one"},
           ReleaseClaim{"release grid, Gaussian noise", "mode: grid, noise: gaussian", 1, small_delta},
           ReleaseClaim{"release grid, Gaussian noise, persons", "mode: grid, noise: gaussian" + persons, 1,
                        small_delta},
           ReleaseClaim{"release stability", "mode: stability", 1, small_delta},
           ReleaseClaim{"release stability, records", "mode: stability, kind: records", 1, small_delta},
           ReleaseClaim{"release stability, persons", "mode: stability" + persons, 1, small_delta},
           ReleaseClaim{"release stability, replace-one", "mode: stability, neighbours: replace-one", 1, small_delta},
           ReleaseClaim{"release select", "mode: select"},
           ReleaseClaim{"release select, persons", "mode: select" + persons},
       })
    claims.push_back({one.claim, {"release"}, [one](const SelfAuditRequest& request, Progress& progress) {
                        return audit_claim(one, request, progress);
                      }});
  return claims;
}

}  // namespace gauze::audit::internal
