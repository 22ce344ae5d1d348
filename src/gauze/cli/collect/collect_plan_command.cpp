// collect plan.
#include <cmath>

#include "gauze/accounting/profiles.h"
#include "gauze/cli/collect/collect_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/collect/plan/planner.h"

namespace gauze::cli {
namespace {

using collect::CollectionPlan;
using collect::PlannedMechanism;
using collect::Question;

Result<collect::PlanRequest> plan_request(const Invocation& invocation) {
  collect::PlanRequest request;
  GAUZE_TRY(request.question, question_of(invocation));
  GAUZE_TRY(request.epsilon_nano, report_nano(invocation));
  GAUZE_TRY(const std::int64_t users, invocation.integer("users", 1, 1'000'000'000'000));
  request.users = static_cast<std::uint64_t>(users);
  if (request.question == Question::frequency) {
    if (!invocation.has("size")) return make_error(ErrorCode::usage, "--size says how many values there are");
    GAUZE_TRY(const std::int64_t size, invocation.integer("size", 2, 1 << 24));
    request.size = static_cast<std::uint32_t>(size);
  } else if (invocation.has("size")) {
    return make_error(ErrorCode::usage, "a mean has no --size: figures are on [-1, 1]");
  }
  request.mechanisms = invocation.texts("mechanism");
  if (invocation.has("max-bytes")) {
    GAUZE_TRY(const std::int64_t most, invocation.integer("max-bytes", 1, 32'768));
    request.most_bytes = static_cast<std::uint64_t>(most);
  }
  GAUZE_TRY(const Rational frequency, invocation.rational("frequency"));
  request.frequency = frequency.to_double();
  return request;
}

Result<void> check_profile(const Invocation& invocation, std::uint64_t epsilon_nano) {
  const auto name = invocation.optional_text("profile");
  if (!name) return {};
  GAUZE_TRY(const SpendingProfile profile, find_profile(*name));
  if (Rational(static_cast<std::int64_t>(epsilon_nano), 1'000'000'000) <= profile.local_epsilon) return {};
  if (invocation.has("deviation")) return {};
  return make_error(ErrorCode::not_private,
                    "epsilon {} is above {}, the ceiling of the profile '{}' for local collection",
                    collect::nano_text(epsilon_nano), profile.local_epsilon.to_decimal(), *name);
}

void print_plan(Invocation& invocation, const CollectionPlan& plan) {
  const bool is_mean = plan.request.question == Question::mean;
  TextTable table;
  if (is_mean)
    table.add({"mechanism", "standard error", "worst", "at 0", "at 1", "cost", "bytes"});
  else
    table.add({"mechanism", "standard error", "p", "q", "cost", "bytes"});
  const double users = static_cast<double>(plan.request.users);
  for (const PlannedMechanism& one : plan.alternatives) {
    const std::string name = std::string(one.mechanism->name) + (&one == &plan.chosen() ? " *" : "");
    const std::string error = fmt::format("{:.3g}", std::sqrt(is_mean ? one.worst() / users : one.variance));
    const std::string cost = collect::nano_text(one.cost_nano);
    if (is_mean) {
      table.add({name, error, fmt::format("{:.4g}", one.worst()), fmt::format("{:.4g}", one.at_0),
                 fmt::format("{:.4g}", one.at_1), cost, std::to_string(one.bytes)});
      continue;
    }
    const auto chances = one.mechanism->frequency->chances(one.law);
    table.add({name, error, chances ? fmt::format("{:.4f}", chances->p) : "-",
               chances ? fmt::format("{:.4f}", chances->q) : "-", cost, std::to_string(one.bytes)});
  }
  invocation.out().write(table.text(invocation.out_style()));
  invocation.out().print("\n{} {}: {}\n", invocation.out_style().bold("choice"), plan.chosen().mechanism->name,
                         plan.reason);
  for (const PlannedMechanism& one : plan.alternatives)
    if (!one.refusal.empty())
      invocation.out().print("{} {}: {}\n", invocation.out_style().bold("not allowed"), one.mechanism->name,
                             one.refusal);
}

Result<int> run_plan(Invocation& invocation) {
  GAUZE_TRY(const collect::PlanRequest request, plan_request(invocation));
  GAUZE_TRY_VOID(check_profile(invocation, request.epsilon_nano));
  GAUZE_TRY(const CollectionPlan plan, collect::plan_collection(request));
  if (invocation.json())
    invocation.print_json(collect::to_json(plan));
  else
    print_plan(invocation, plan);
  return 0;
}

}  // namespace

void register_collect_plan_command(Registry& registry) {
  Flag epsilon = epsilon_flag();
  epsilon.required = true;
  std::vector<Flag> flags = {
      std::move(epsilon),
      {.name = "users", .placeholder = "N", .help = "how many devices are expected", .required = true},
      question_flag(),
      {.name = "size", .placeholder = "D", .help = "how many values there are, 2 to 16777216"},
      {.name = "mechanism",
       .placeholder = "M",
       .help = "one to choose from; may be given several times (default: all)",
       .repeatable = true},
      {.name = "max-bytes", .placeholder = "B", .help = "the most bytes of a report"},
      {.name = "frequency",
       .placeholder = "F",
       .help = "a share for which the variance is told besides that of 0",
       .default_text = "0.1"},
      profile_flag(),
      deviation_flag()};
  registry.add(
      {.name = "collect plan",
       .group = "Collect from devices",
       .summary = "Choose a mechanism for reports that devices disturb themselves",
       .description =
           "Lists every mechanism with the error it would have and the bytes of its reports, and chooses one: least variance "
           "of an average value (of means: in the worst case) within the bytes; of those within 5 % of it the one with the "
           "fewest bytes. Also says why a mechanism is not allowed. Reads no data.\n\n"
           "Frequencies: de, she, the, sue, oue, blh, olh, hr, ss. Means: duchi, piecewise, hybrid, laplace; their figures are of one "
           "report on [-1, 1].\n\n"
           "With --json: question, epsilon, users, size, choice, alternatives.",
       .examples = {{"gauze collect plan --epsilon 1 --users 100000 --size 16", "sixteen values"},
                    {"gauze collect plan --epsilon 2 --users 100000 --question mean", "the mean of a number"}},
       .flags = std::move(flags),
       .run = run_plan});
}

}  // namespace gauze::cli
