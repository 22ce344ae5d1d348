#include "gauze/audit/self/self_audit.h"

#include <algorithm>

#include "gauze/audit/self/internal/claim_lists.h"

namespace gauze::audit {

std::vector<SelfClaim> claims_of_gauze() {
  std::vector<SelfClaim> all;
  for (const auto& list :
       {internal::noise_claims, internal::selection_claims, internal::release_claims, internal::query_claims,
        internal::collect_claims, internal::score_claims, internal::text_claims, internal::training_claims})
    for (SelfClaim& claim : list()) all.push_back(std::move(claim));
  return all;
}

std::optional<bool> SelfAudit::holds() const {
  const auto is = [](std::optional<bool> verdict) {
    return [verdict](const ClaimAudit& audit) { return audit.holds == verdict; };
  };
  if (std::any_of(audits.begin(), audits.end(), is(false))) return false;
  if (std::any_of(audits.begin(), audits.end(), is(std::nullopt))) return std::nullopt;
  return true;
}

Json SelfAudit::to_json() const {
  Json list = Json::array();
  for (const ClaimAudit& audit : audits) list.push(audit.to_json());
  const auto verdict = holds();
  return Json::object({{"audits", std::move(list)}, {"holds", verdict ? Json(*verdict) : Json()}});
}

Result<SelfAudit> audit_self(const std::vector<SelfClaim>& claims, const SelfAuditRequest& request,
                             Progress& progress) {
  SelfAuditRequest each = request;
  each.levels.alarm = request.levels.alarm_risk(claims.size());
  SelfAudit found;
  for (const SelfClaim& claim : claims) {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY(ClaimAudit audit, claim.audit(each, progress));
    audit.claim = claim.claim;
    found.audits.push_back(std::move(audit));
  }
  return found;
}

}  // namespace gauze::audit
