#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gauze/audit/claims/claim_audit.h"
#include "gauze/audit/events/audit_random.h"
#include "gauze/base/progress.h"

namespace gauze::audit {

/// How Gauze holds its own claims against its own outputs.
struct SelfAuditRequest {
  Levels levels = {};
  bool is_long = false;  ///< many more runs of each
  AuditRandom random = AuditRandom();

  /// Runs a side, where a quick audit makes so many.
  [[nodiscard]] std::uint64_t runs(std::uint64_t quick) const { return is_long ? kLongTimes * quick : quick; }

 private:
  static constexpr std::uint64_t kLongTimes = 25;
};

/// A claim that outputs of Gauze make, and what holds it against them.
struct SelfClaim {
  std::string claim = {};                  ///< "noise laplace"
  std::vector<std::string> commands = {};  ///< whose labels make it
  std::function<Result<ClaimAudit>(const SelfAuditRequest&, Progress&)> audit = {};
};

/// Every claim with an epsilon that is known here. A claim of a room above this one is added by whoever calls.
[[nodiscard]] std::vector<SelfClaim> claims_of_gauze();

/// What came of all of them.
struct SelfAudit {
  std::vector<ClaimAudit> audits = {};

  /// False when one claim is broken; nothing when one of them could not be decided.
  [[nodiscard]] std::optional<bool> holds() const;
  /// {"audits":[...],"holds"}
  [[nodiscard]] Json to_json() const;
};

/// Audits them one after the other. The alarm's rate is divided among them, so that a correct Gauze raises none but for that
/// chance; each printed bound holds by itself.
[[nodiscard]] Result<SelfAudit> audit_self(const std::vector<SelfClaim>& claims, const SelfAuditRequest& request,
                                           Progress& progress);

}  // namespace gauze::audit
