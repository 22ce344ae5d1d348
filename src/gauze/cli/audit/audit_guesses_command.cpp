#include "gauze/audit/bounds/one_run.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/core/commands.h"

namespace gauze::cli {
namespace {

Result<std::uint64_t> number_of(const Invocation& invocation, std::string_view name, std::int64_t least) {
  GAUZE_TRY(const std::int64_t number, invocation.integer(name, least, std::int64_t{1} << 40));
  return static_cast<std::uint64_t>(number);
}

Result<int> run_audit_guesses(Invocation& invocation) {
  GAUZE_TRY(const std::uint64_t canaries, number_of(invocation, "canaries", 1));
  GAUZE_TRY(const std::uint64_t guesses, number_of(invocation, "guesses", 0));
  GAUZE_TRY(const std::uint64_t correct, number_of(invocation, "correct", 0));
  if (guesses > canaries)
    return invalid_parameter("--guesses must not be above --canaries: about each there is one guess");
  if (correct > guesses) return invalid_parameter("--correct must not be above --guesses");
  GAUZE_TRY(const audit::Levels levels, levels_of(invocation));
  audit::ClaimAudit found;
  GAUZE_TRY(found.claimed, claim_of(invocation));
  found.delta = found.claimed.delta;
  found.confidence = levels.confidence;
  found.alarm_rate = levels.alarm;
  found.epsilon_lower = audit::one_run_lower(canaries, guesses, correct, found.delta, levels.printed_risk());
  found.alarm_lower = audit::one_run_lower(canaries, guesses, correct, found.delta, levels.alarm_risk());
  const bool can_alarm = 2 * found.delta < levels.alarm_risk();
  if (can_alarm) {
    found.decide();
  } else if (found.claimed.epsilon) {
    invocation.warn(Warning::of_privacy(
        "cannot_alarm", "at the claimed delta no bound from one run can lie above 0 at the level of the alarm"));
  }
  const Json parts = found.to_json();
  Json document = Json::object({{"canaries", canaries},
                                {"guesses", guesses},
                                {"correct", correct},
                                {"epsilon_lower", *found.epsilon_lower},
                                {"delta", found.delta},
                                {"claimed", *parts.find("claimed")},
                                {"alarm", *parts.find("alarm")},
                                {"holds", *parts.find("holds")}});
  return deliver_audit(invocation, "audit", std::move(document), claim_text(found, invocation.out_style()),
                       found.holds);
}

}  // namespace

void register_audit_guesses_command(Registry& registry) {
  const auto number = [](std::string name, std::string placeholder, std::string help) {
    return Flag{
        .name = std::move(name), .placeholder = std::move(placeholder), .help = std::move(help), .required = true};
  };
  std::vector<Flag> flags = {number("canaries", "M", "records whose membership was tossed"),
                             number("guesses", "R", "of so many it was guessed; nothing was said of the others"),
                             number("correct", "V", "so many guesses were right")};
  for (Flag& flag : claim_flags()) flags.push_back(std::move(flag));
  registry.add(
      {.name = "audit guesses",
       .group = "Attacks and audits",
       .summary = "What right guesses about one run prove about epsilon",
       .description =
           "A lower bound on epsilon from a single run: each of the canaries was in the data by a fair coin of its own, and somebody guessed "
           "which were (Steinke, Nasr, Jagielski 2023). Which canaries were guessed about may depend on everything but the coins.\n\n"
           "Exit status 3 when the bound, at the false-alarm rate, lies above the claim. At a claimed delta that is large beside that rate "
           "the bound is 0 whatever was guessed, and nothing is decided.",
       .examples = {{"gauze audit guesses --canaries 1000 --guesses 200 --correct 165 --claimed-epsilon 1",
                     "are so many right guesses possible under epsilon 1?"}},
       .flags = std::move(flags),
       .run = run_audit_guesses});
}

}  // namespace gauze::cli
