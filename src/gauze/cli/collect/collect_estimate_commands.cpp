// collect estimate, collect simulate.
#include <cmath>

#include "gauze/base/joined.h"
#include "gauze/cli/collect/collect_flags.h"
#include "gauze/cli/collect/collect_text.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/text_table.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/collect/estimate/estimates.h"
#include "gauze/collect/plan/planner.h"
#include "gauze/collect/simulate/simulation.h"
#include "gauze/files/unpacking.h"
#include "gauze/report/report.h"

namespace gauze::cli {
namespace {

using collect::FrequencyEstimate;
using collect::LawOfValues;
using collect::LocalMechanism;

constexpr std::size_t kLargestValues = std::size_t{1} << 30;

Result<LawOfValues> law_of_flags(const Invocation& invocation, const LocalMechanism& mechanism) {
  GAUZE_TRY(const std::uint64_t nano, report_nano(invocation));
  GAUZE_TRY(const std::int64_t size, invocation.integer("size", 2, 1 << 24));
  LawOfValues law{mechanism.law(nano, static_cast<std::uint32_t>(size)), static_cast<std::uint32_t>(size)};
  if (invocation.has("g")) {
    if (mechanism.name != "olh" && mechanism.name != "blh")
      return make_error(ErrorCode::usage, "--g is the number of hash values of olh and blh");
    GAUZE_TRY(const std::int64_t g, invocation.integer("g", 2, 1 << 24));
    law.law.parameter = static_cast<std::uint32_t>(g);
  }
  if (const std::string refusal = mechanism.refusal(law); !refusal.empty())
    return invalid_parameter("{}: {}", mechanism.name, refusal);
  return law;
}

Result<std::vector<double>> doubles(const Invocation& invocation, std::string_view name) {
  GAUZE_TRY(const std::vector<Rational> numbers, invocation.rationals(name));
  std::vector<double> out;
  for (const Rational& one : numbers) out.push_back(one.to_double());
  return out;
}

/// What is told of estimated shares.
struct Estimates {
  std::vector<double> shares;
  std::vector<double> sds;  ///< none where only shares were given
  std::optional<std::uint64_t> users;
  std::vector<Warning> warnings;
};

Result<Estimates> estimates_of_supports(const Invocation& invocation) {
  GAUZE_TRY(const std::string name, invocation.text("mechanism"));
  const LocalMechanism* mechanism = collect::find_local_mechanism(name);
  if (mechanism == nullptr || mechanism->frequency == nullptr)
    return tl::unexpected<Error>(
        wrong_word("--mechanism", collect::names_of_mechanisms(collect::Question::frequency), name));
  GAUZE_TRY(const LawOfValues law, law_of_flags(invocation, *mechanism));
  GAUZE_TRY(const std::int64_t users, invocation.integer("users", 0, 1'000'000'000'000'000));
  GAUZE_TRY(const std::vector<Rational> given, invocation.rationals("support"));
  if (given.size() != law.size)
    return invalid_parameter("--support has {} numbers, but --size is {}", given.size(), law.size);
  std::vector<std::int64_t> supports;
  const bool counts = mechanism->frequency->chances(law).has_value();
  for (const Rational& one : given) {
    const auto whole = one.to_int64();
    if (!whole || (counts && (*whole < 0 || *whole > users)))
      return invalid_parameter("--support takes whole numbers between 0 and --users");
    supports.push_back(*whole);
  }
  const auto estimate =
      FrequencyEstimate::from_supports(*mechanism, law, std::move(supports), static_cast<std::uint64_t>(users));
  Estimates out{estimate.shares(), {}, static_cast<std::uint64_t>(users), estimate.warnings()};
  if (users > 0)
    for (std::uint32_t i = 0; i < law.size; ++i) out.sds.push_back(estimate.value(i).share.sd);
  return out;
}

Result<Estimates> estimates_of_flags(const Invocation& invocation) {
  const bool has_supports = invocation.has("support");
  if (has_supports == invocation.has("estimates"))
    return make_error(ErrorCode::usage,
                      "give either --support, with --mechanism, --epsilon, --size and --users, or --estimates");
  if (has_supports) {
    for (const char* name : {"mechanism", "epsilon", "size", "users"})
      if (!invocation.has(name)) return make_error(ErrorCode::usage, "--support needs --{}", name);
    return estimates_of_supports(invocation);
  }
  for (const char* name : {"mechanism", "epsilon", "size", "g"})
    if (invocation.has(name)) return make_error(ErrorCode::usage, "--{} goes with --support", name);
  Estimates out;
  GAUZE_TRY(out.shares, doubles(invocation, "estimates"));
  if (invocation.has("users")) {
    GAUZE_TRY(const std::int64_t users, invocation.integer("users", 0, 1'000'000'000'000'000));
    out.users = static_cast<std::uint64_t>(users);
    if (users == 0) out.shares.clear();
  }
  return out;
}

Json list_or_null(const std::vector<double>& numbers) {
  if (numbers.empty()) return {};
  return Json::array(std::vector<Json>(numbers.begin(), numbers.end()));
}

Result<int> run_estimate(Invocation& invocation) {
  GAUZE_TRY(const collect::Consistency method, invocation.value("consistency", collect::kConsistencyWords));
  GAUZE_TRY(const Estimates estimates, estimates_of_flags(invocation));
  invocation.warn_all(estimates.warnings);
  const auto consistent = estimates.shares.empty() ? std::optional<std::vector<double>>()
                                                   : collect::make_consistent(estimates.shares, method);
  std::optional<std::vector<std::uint64_t>> whole;
  if (consistent && collect::adds_up(method) && estimates.users)
    whole = collect::whole_parts(*consistent, *estimates.users);
  std::vector<double> counts;
  if (estimates.users)
    for (const double share : estimates.shares) counts.push_back(share * static_cast<double>(*estimates.users));
  if (invocation.json()) {
    invocation.print_json(Json::object(
        {{"estimates", list_or_null(estimates.shares)},
         {"counts", list_or_null(counts)},
         {"sd", list_or_null(estimates.sds)},
         {"consistent", consistent ? list_or_null(*consistent) : Json()},
         {"consistent_counts", whole ? Json::array(std::vector<Json>(whole->begin(), whole->end())) : Json()}}));
    return 0;
  }
  TextTable table;
  table.add({"value", "estimate", "sd", "consistent", "count"});
  for (std::size_t i = 0; i < estimates.shares.size(); ++i)
    table.add({std::to_string(i), fmt::format("{:.6f}", estimates.shares[i]),
               estimates.sds.empty() ? "-" : fmt::format("{:.6f}", estimates.sds[i]),
               consistent ? fmt::format("{:.6f}", (*consistent)[i]) : "-",
               whole ? std::to_string((*whole)[i]) : "-"});
  invocation.out().write(table.text(invocation.out_style()));
  return 0;
}

Result<collect::Population> population_of(const Invocation& invocation, const collect::Task& task,
                                          const std::string& distribution, std::uint64_t seed) {
  GAUZE_TRY(const std::int64_t users, invocation.integer("users", 1, 100'000'000));
  const auto count = static_cast<std::uint64_t>(users);
  if (distribution == "uniform" || distribution.starts_with("zipf:"))
    return collect::draw_population(task.spec(), distribution, count, seed);
  GAUZE_TRY(std::string packed, invocation.read_input(distribution, kLargestValues));
  GAUZE_TRY(const std::string text, unpacked_bytes(std::move(packed), distribution, kLargestValues));
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return collect::population_of_texts(task.spec(), lines, count);
}

Result<int> run_simulate(Invocation& invocation) {
  GAUZE_TRY(const collect::Task task, read_task(invocation));
  collect::SimulationRequest request;
  GAUZE_TRY(request.seed, simulation_seed(invocation));
  GAUZE_TRY(const std::int64_t repetitions, invocation.integer("repetitions", 1, 1'000'000));
  request.repetitions = static_cast<std::uint64_t>(repetitions);
  for (const std::string& name : invocation.texts("mechanism"))
    if (std::find(request.mechanisms.begin(), request.mechanisms.end(), name) == request.mechanisms.end())
      request.mechanisms.push_back(name);
  const bool is_mean = task.spec().question == collect::Question::mean;
  collect::SimulationRecord record;
  record.task = &task;
  record.repetitions = request.repetitions;
  record.distribution = invocation.optional_text("distribution").value_or(is_mean ? "uniform" : "zipf:1.1");
  GAUZE_TRY(const collect::Population population, population_of(invocation, task, record.distribution, request.seed));
  record.users = population.values.size();
  GAUZE_TRY(record.results, collect::simulate_collection(task, population, request, invocation.progress()));
  invocation.end_progress();
  if (const auto report = invocation.optional_text("report")) {
    PrivacyLabel label = record.label();
    GAUZE_TRY_VOID(publish_bytes(invocation, *report, render_report(record.to_json().dump()), label));
    invocation.note(fmt::format("wrote {}", *report));
  }
  if (invocation.json())
    invocation.print_json(record.to_json());
  else
    invocation.out().write(simulation_text(record.results, invocation.out_style()));
  return 0;
}

}  // namespace

void register_collect_estimate_commands(Registry& registry) {
  const Flag consistency = {.name = "consistency",
                            .placeholder = "METHOD",
                            .help = "how shares are made to be what shares are",
                            .default_text = "norm-sub",
                            .choices = all_words(collect::kConsistencyWords)};
  std::vector<Flag> flags = {{.name = "mechanism", .placeholder = "M", .help = "the mechanism of the reports"},
                             epsilon_flag(),
                             {.name = "size", .placeholder = "D", .help = "how many values there are"},
                             {.name = "users", .placeholder = "N", .help = "how many reports there are"},
                             {.name = "support",
                              .placeholder = "LIST",
                              .help = "how many reports support each value (she: sums of figures, in 1/1024)"},
                             {.name = "estimates",
                              .placeholder = "LIST",
                              .help = "instead: estimated shares, for the consistency step alone"},
                             {.name = "g", .placeholder = "G", .help = "the number of hash values of olh and blh"},
                             consistency};
  registry.add(
      {.name = "collect estimate",
       .group = "Collect from devices",
       .summary = "Estimate shares from supports that something else has counted",
       .description =
           "For reports that were counted in a database: estimates, standard deviations and consistent shares from the number of "
           "reports that support each value. With --estimates: the consistency step alone.\n\n"
           "With --json: estimates, counts, sd, consistent, consistent_counts.",
       .examples = {{"gauze collect estimate --mechanism oue --epsilon 1 --size 3 --users 1000 --support 420,310,300",
                     "from supports"},
                    {"gauze collect estimate --estimates 0.6,0.5,-0.1 --consistency norm-sub", "consistency alone"}},
       .flags = std::move(flags),
       .run = run_estimate});
  std::vector<Flag> simulate_flags = {
      task_flag(),
      {.name = "users", .placeholder = "N", .help = "how many devices", .required = true},
      {.name = "distribution",
       .placeholder = "D",
       .help = "uniform, zipf:POWER, or a file with a value a line (default: zipf:1.1, of means uniform)",
       .is_file = true},
      {.name = "repetitions", .placeholder = "R", .help = "how often everything is repeated", .default_text = "20"},
      {.name = "mechanism",
       .placeholder = "M",
       .help = "another mechanism for the same task; may be given several times (default: the task's)",
       .repeatable = true},
      {.name = "report",
       .placeholder = "OUT.html",
       .help = "write a self-contained report to look at in a browser",
       .is_file = true,
       .makes = Makes::labelled_file},
      simulation_seed_flag()};
  registry.add(
      {.name = "collect simulate",
       .group = "Collect from devices",
       .summary = "Try a task on made-up devices: errors against theory",
       .description =
           "Encodes, counts and estimates a population that is drawn, or given in a file, again and again, and holds the squared error "
           "against the variance that the formulas give. For choosing, and for trusting the intervals: nothing of it is a release.\n\n"
           "With --json: results, each with mechanism, mse, theory, ratio, coverage95, bytes; and kind, task, question, size, epsilon, users, repetitions, distribution.",
       .examples =
           {{"gauze collect simulate --task home-page.json --users 10000 --mechanism de --mechanism olh --seed 1",
             "side by side"}},
       .flags = std::move(simulate_flags),
       .run = run_simulate});
}

}  // namespace gauze::cli
