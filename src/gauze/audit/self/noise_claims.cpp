#include "gauze/audit/mechanisms/noise_audit.h"
#include "gauze/audit/self/internal/claim_lists.h"

namespace gauze::audit::internal {
namespace {

constexpr std::uint64_t kNoiseRuns = 200'000;

SelfClaim claim_of_noise(NoiseRequest noise) {
  SelfClaim claim;
  claim.claim = "noise " + noise.mechanism;
  if (noise.epsilon != Rational(1)) claim.claim += fmt::format(", epsilon {}", noise.epsilon.to_decimal());
  claim.commands = {"noise"};
  claim.audit = [noise = std::move(noise)](const SelfAuditRequest& request, Progress& progress) {
    NoiseAuditRequest audit{.noise = noise, .levels = request.levels, .random = request.random};
    audit.runs = request.runs(kNoiseRuns);
    return audit_noise(audit, progress);
  };
  return claim;
}

}  // namespace

std::vector<SelfClaim> noise_claims() {
  const Rational small_delta(1, 100);  // where many runs can show something
  std::vector<SelfClaim> claims;
  for (const Rational& epsilon : {Rational(1), Rational(3)}) {
    claims.push_back(claim_of_noise({.mechanism = "laplace", .epsilon = epsilon, .sensitivity = 3}));
    claims.push_back(claim_of_noise({.mechanism = "geometric", .epsilon = epsilon, .sensitivity = 2}));
  }
  claims.push_back(claim_of_noise({.mechanism = "gaussian", .epsilon = 1, .delta = small_delta}));
  claims.push_back(claim_of_noise({.mechanism = "discrete-gaussian", .epsilon = 1, .delta = small_delta}));
  claims.push_back(claim_of_noise({.mechanism = "staircase", .epsilon = 1}));
  claims.push_back(claim_of_noise({.mechanism = "snapping", .epsilon = 1, .bound = 100}));
  claims.push_back(claim_of_noise({.mechanism = "randomized-response", .epsilon = 1, .categories = 4}));
  return claims;
}

}  // namespace gauze::audit::internal
