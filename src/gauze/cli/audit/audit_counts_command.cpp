#include "gauze/audit/bounds/independent_runs.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/core/commands.h"

namespace gauze::cli {
namespace {

Result<std::uint64_t> count_of(const Invocation& invocation, std::string_view name) {
  GAUZE_TRY(const std::int64_t count, invocation.integer(name, 0, std::int64_t{1} << 40));
  return static_cast<std::uint64_t>(count);
}

Result<int> run_audit_counts(Invocation& invocation) {
  audit::EventCounts counts;
  GAUZE_TRY(counts.true_positives, count_of(invocation, "true-positives"));
  GAUZE_TRY(counts.positives, count_of(invocation, "positives"));
  GAUZE_TRY(counts.false_positives, count_of(invocation, "false-positives"));
  GAUZE_TRY(counts.negatives, count_of(invocation, "negatives"));
  GAUZE_TRY(const audit::Levels levels, levels_of(invocation));
  audit::ClaimAudit found;
  GAUZE_TRY(found.claimed, claim_of(invocation));
  found.delta = found.claimed.delta;
  GAUZE_TRY(const auto printed, audit::independent_bound(counts, found.delta, levels.printed_risk()));
  GAUZE_TRY(const auto alarm, audit::independent_bound(counts, found.delta, levels.alarm_risk()));
  found.confidence = levels.confidence;
  found.epsilon_lower = printed.epsilon_lower;
  found.alarm_lower = alarm.epsilon_lower;
  found.alarm_rate = levels.alarm;
  found.decide();
  Json document = Json::object({{"tpr_lower", printed.tpr_lower},
                                {"fpr_upper", printed.fpr_upper},
                                {"epsilon_lower", printed.epsilon_lower},
                                {"delta", found.delta},
                                {"claimed", *found.to_json().find("claimed")},
                                {"alarm", *found.to_json().find("alarm")},
                                {"holds", *found.to_json().find("holds")}});
  return deliver_audit(invocation, "audit", std::move(document), claim_text(found, invocation.out_style()),
                       found.holds);
}

}  // namespace

void register_audit_counts_command(Registry& registry) {
  const auto count = [](std::string name, std::string placeholder, std::string help) {
    return Flag{
        .name = std::move(name), .placeholder = std::move(placeholder), .help = std::move(help), .required = true};
  };
  std::vector<Flag> flags = {count("true-positives", "T", "runs on the left in which the event was seen"),
                             count("positives", "P", "runs on the left"),
                             count("false-positives", "F", "runs on the right in which the event was seen"),
                             count("negatives", "N", "runs on the right")};
  for (Flag& flag : claim_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "audit counts",
       .group = "Attacks and audits",
       .summary = "What counts of an event on two inputs prove about epsilon",
       .description =
           "A lower bound on epsilon from an event that was seen so often in runs on one input and so often on its neighbour. Every run "
           "must have had randomness of its own, and the event must not have been chosen by these runs: the records of one model are no "
           "such runs.\n\n"
           "Exit status 3 when the bound, at the false-alarm rate, lies above the claim. With --json: tpr_lower, fpr_upper, "
           "epsilon_lower, delta, claimed, alarm, holds.",
       .examples = {{"gauze audit counts --true-positives 480 --positives 1000 --false-positives 12 --negatives 1000 "
                     "--claimed-epsilon 2",
                     "can a claim of 2 be true?"}},
       .flags = std::move(flags),
       .run = run_audit_counts});
}

}  // namespace gauze::cli
