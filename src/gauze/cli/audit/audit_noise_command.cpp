#include "gauze/audit/mechanisms/noise_audit.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/noise/noise_flags.h"

namespace gauze::cli {
namespace {

constexpr std::int64_t kMostRuns = 50'000'000;

Result<int> run_audit_noise(Invocation& invocation) {
  audit::NoiseAuditRequest request;
  GAUZE_TRY(request.noise, noise_amount(invocation));
  GAUZE_TRY(const audit::Claim own, audit::claim_of_noise(request.noise));
  GAUZE_TRY(request.claimed, claim_of(invocation, own));
  GAUZE_TRY(request.levels, levels_of(invocation));
  GAUZE_TRY(request.runs, runs_of(invocation, kMostRuns));
  GAUZE_TRY(const auto seed, audit_seed(invocation));
  request.random = audit::AuditRandom(seed);
  GAUZE_TRY(const audit::ClaimAudit found, audit::audit_noise(request, invocation.progress()));
  return deliver_claim(invocation, found);
}

}  // namespace

void register_audit_noise_command(Registry& registry) {
  std::vector<Flag> flags = noise_amount_flags();
  flags.push_back(runs_flag("1000000"));
  for (Flag& flag : claim_flags()) flags.push_back(std::move(flag));
  flags.push_back(audit_seed_flag());
  flags.push_back(audit_report_flag());
  registry.add(
      {.name = "audit noise",
       .group = "Attacks and audits",
       .summary = "Hold the claim of a noise mechanism against its own draws",
       .description =
           "Draws around 0 and around the sensitivity, as a release does, and looks in the first half of the draws for the event that "
           "tells them apart best: a threshold, a frequent value, the low bits that rounding leaves behind. How often it is seen in the "
           "second half bounds epsilon from below.\n\n"
           "Without --claimed-epsilon the claim is what the mechanism promises; noise by --sigma promises no epsilon, and nothing is "
           "decided. Exit status 3 when the bound, at the false-alarm rate, lies above the claim.",
       .examples = {{"gauze audit noise laplace --epsilon 1 --runs 1000000", "two million draws, in a second"},
                    {"gauze audit noise gaussian --epsilon 1 --delta 0.01", "Gaussian noise, at its delta"},
                    {"gauze audit noise laplace --scale 0.5 --claimed-epsilon 1", "a claim that is false"}},
       .positionals = {noise_positional()},
       .flags = std::move(flags),
       .run = run_audit_noise});
}

}  // namespace gauze::cli
