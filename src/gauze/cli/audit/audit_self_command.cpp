#include "gauze/audit/self/self_audit.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"

namespace gauze::cli {
namespace {

/// A claim in a cell.
std::string table_text(const audit::Claim& claim) {
  if (!claim.epsilon) return "-";
  return claim.delta > 0 ? fmt::format("{:.4g}, delta {:.3g}", *claim.epsilon, claim.delta)
                         : fmt::format("{:.4g}", *claim.epsilon);
}

std::string self_text(const audit::SelfAudit& found, Style style) {
  TextTable table(true);
  table.add({"claim", "claimed", "audited", "could have shown", "event"});
  std::size_t broken = 0;
  for (const audit::ClaimAudit& one : found.audits) {
    const bool is_broken = one.holds == std::optional(false);
    broken += is_broken ? 1 : 0;
    table.add({is_broken ? style.red(one.claim) : one.claim, table_text(one.claimed),
               audit::bound_text(one.epsilon_lower), one.reach ? audit::bound_text(one.reach) : "all",
               one.event.value_or("-")});
  }
  std::string text = table.text(style) + "\n";
  if (broken > 0) return text + style.red(fmt::format("{} of {} claims are broken\n", broken, found.audits.size()));
  return text + fmt::format("{} claims, no contradiction to any; that does not prove them\n", found.audits.size());
}

Result<int> run_audit_self(Invocation& invocation) {
  audit::SelfAuditRequest request;
  GAUZE_TRY(request.levels, levels_of(invocation));
  GAUZE_TRY(const auto seed, audit_seed(invocation));
  request.random = audit::AuditRandom(seed);
  request.is_long = invocation.has("long");
  GAUZE_TRY(const audit::SelfAudit found,
            audit::audit_self(audit::claims_of_gauze(), request, invocation.progress()));
  return deliver_audit(invocation, "audit", found.to_json(), self_text(found, invocation.out_style()), found.holds());
}

}  // namespace

void register_audit_self_command(Registry& registry) {
  std::vector<Flag> flags = {{.name = "long", .help = "many more runs of each claim: the better part of an hour"}};
  for (Flag& flag : claim_flags())
    if (!flag.name.starts_with("claimed")) flags.push_back(std::move(flag));
  flags.push_back(audit_seed_flag());
  flags.push_back(audit_report_flag());
  registry.add(
      {.name = "audit self",
       .group = "Attacks and audits",
       .summary = "Hold every claim that Gauze makes against its outputs",
       .description =
           "Runs every mechanism whose label names an epsilon on two neighbouring inputs, many times, and looks for what tells them "
           "apart: noise, choices, thresholds, releases, queries, reports of devices, training, figures of models. Replaced words are "
           "checked by their exact probabilities.\n\n"
           "The rate of false alarms is divided among all claims. Exit status 3 when one of them is broken.",
       .examples = {{"gauze audit self", "in a minute or two"},
                    {"gauze audit self --long --report audits.html", "the long form, as a page"}},
       .flags = std::move(flags),
       .run = run_audit_self});
}

}  // namespace gauze::cli
