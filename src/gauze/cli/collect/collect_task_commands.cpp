// collect task, collect task check, collect task show.
#include <functional>

#include "gauze/base/joined.h"
#include "gauze/cli/collect/collect_flags.h"
#include "gauze/cli/core/commands.h"
#include "gauze/cli/flags/publishing.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/collect/plan/planner.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::cli {
namespace {

using collect::AnyTask;
using collect::AnyTaskSpec;
using collect::CentralTask;
using collect::DeviceTask;
using collect::NumberField;
using collect::Question;
using collect::Task;
using collect::TaskSpec;
using collect::ValueList;

constexpr std::size_t kLargestSpec = std::size_t{256} << 20;
const std::vector<std::string> kSpecFlags = {"name",      "epsilon", "question", "size",    "values",
                                             "other",     "low",     "high",     "places",  "variance",
                                             "mechanism", "users",   "period",   "profile", "deviation"};

Result<void> read_values(const Invocation& invocation, TaskSpec& spec) {
  if (invocation.has("size") == invocation.has("values"))
    return make_error(ErrorCode::usage, "a frequency needs either --size or --values");
  for (const char* name : {"low", "high", "places", "variance"})
    if (invocation.has(name)) return make_error(ErrorCode::usage, "--{} is of a mean: --question mean", name);
  spec.other = invocation.has("other");
  if (invocation.has("size")) {
    if (spec.other) return make_error(ErrorCode::usage, "--other goes with --values");
    GAUZE_TRY(const std::int64_t size, invocation.integer("size", 2, 1 << 24));
    GAUZE_TRY(spec.values, ValueList::numbered(static_cast<std::uint64_t>(size)));
    return {};
  }
  GAUZE_TRY(std::vector<std::string> values, invocation.list("values"));
  if (spec.other) values.emplace_back("other");
  GAUZE_TRY(spec.values, ValueList::listed(std::move(values)));
  return {};
}

Result<void> read_number(const Invocation& invocation, TaskSpec& spec) {
  for (const char* name : {"size", "values", "other"})
    if (invocation.has(name)) return make_error(ErrorCode::usage, "--{} is of a frequency, not of a mean", name);
  GAUZE_TRY(const Rational low, invocation.rational("low"));
  GAUZE_TRY(const Rational high, invocation.rational("high"));
  std::int64_t places = 0;
  if (invocation.has("places")) {
    GAUZE_TRY(places, invocation.integer("places", 0, 18));
  }
  spec.variance = invocation.has("variance");
  GAUZE_TRY(spec.number, NumberField::make(low, high, static_cast<int>(places), spec.variance));
  return {};
}

Result<TaskSpec> spec_of_flags(const Invocation& invocation) {
  TaskSpec spec;
  if (!invocation.has("name") || !invocation.has("epsilon"))
    return make_error(ErrorCode::usage, "give a file with the specification, or --name and --epsilon");
  GAUZE_TRY(spec.name, invocation.text("name"));
  GAUZE_TRY(spec.question, question_of(invocation));
  GAUZE_TRY(spec.epsilon_nano, report_nano(invocation));
  if (const auto mechanism = invocation.optional_text("mechanism")) spec.mechanism = *mechanism;
  if (spec.question == Question::frequency)
    GAUZE_TRY_VOID(read_values(invocation, spec));
  else
    GAUZE_TRY_VOID(read_number(invocation, spec));
  if (invocation.has("users")) {
    GAUZE_TRY(const std::int64_t users, invocation.integer("users", 1, 1'000'000'000'000));
    spec.users = static_cast<std::uint64_t>(users);
  }
  if (const auto period = invocation.optional_text("period")) {
    const auto seconds = parse_window(*period);
    if (!seconds) return invalid_parameter("--period takes a duration such as 1d, 12h or 4w");
    spec.period_seconds = *seconds;
  }
  spec.profile = invocation.optional_text("profile").value_or("");
  spec.deviation = invocation.optional_text("deviation").value_or("");
  GAUZE_TRY_VOID(collect::check_task_spec(spec));
  return spec;
}

Result<AnyTaskSpec> read_task_spec(const Invocation& invocation) {
  const auto path = invocation.optional_text("spec");
  if (!path) {
    GAUZE_TRY(TaskSpec spec, spec_of_flags(invocation));
    return AnyTaskSpec(std::move(spec));
  }
  for (const std::string& name : kSpecFlags)
    if (invocation.has(name))
      return make_error(ErrorCode::usage, "--{} and a file with the specification exclude each other", name);
  GAUZE_TRY(const std::string yaml, invocation.read_input(*path, kLargestSpec));
  return collect::parse_any_task_spec(yaml, *path == "-" ? "" : *path);
}

using Line = std::function<void(std::string_view name, std::string_view text)>;

void print_law(const Task& task, const Line& line) {
  const TaskSpec& spec = task.spec();
  line("asks", spec.question == Question::frequency
                   ? fmt::format("which of {} values", spec.size())
                   : fmt::format("a number from {} to {}{}", spec.number.text(spec.number.low),
                                 spec.number.text(spec.number.high), spec.variance ? ", or its square" : ""));
  line("mechanism", fmt::format("{}, {} for a report", task.mechanism().name, counted(task.payload_bytes(), "byte")));
  line("epsilon", fmt::format("{} a report as drawn, {} declared", collect::nano_text(task.cost_nano()),
                              collect::nano_text(spec.epsilon_nano)));
}

void print_law(const CentralTask& task, const Line& line) {
  for (const collect::RecordField& field : task.spec().fields)
    line("asks", field.is_category()
                     ? fmt::format("{}: which of {} values", field.name, field.values.size())
                     : fmt::format("{}: a number from {} to {}", field.name, field.number.text(field.number.low),
                                   field.number.text(field.number.high)));
  line("mechanism",
       fmt::format("none on the device, {} for a record; the curator is trusted, and adds noise to answers",
                   counted(task.payload_bytes(), "byte")));
  line("epsilon", fmt::format("{} for life, all answers together", collect::nano_text(task.spec().epsilon_nano)));
  line("records", fmt::format("at most {} of an enrolment in a period", task.spec().reports_per_period));
}

void print_task(Invocation& invocation, const AnyTask& any) {
  const DeviceTask& task = collect::device_task(any);
  const Line line = [&](std::string_view name, std::string_view text) {
    invocation.out().print("{} {}\n", invocation.out_style().bold(fmt::format("{:<12}", name)), text);
  };
  line("task", fmt::format("{} ({})", task.terms().name, task.is_draft() ? "a draft" : "complete"));
  std::visit([&](const auto& one) { print_law(one, line); }, any);
  line("hash", task.hash());
  if (task.is_draft()) {
    std::string missing;
    for (const std::string& name : task.terms().missing()) missing += (missing.empty() ? "" : ", ") + name;
    line("missing", missing);
  }
  invocation.out().print("\n{}\n{}\n{}", invocation.out_style().bold("what users are told"), task.statement().en,
                         task.statement().zh);
}

PrivacyLabel label_of(const Task& task) { return task.label("task of local collection"); }
PrivacyLabel label_of(const CentralTask& task) { return task.label(); }

Result<int> run_task(Invocation& invocation) {
  GAUZE_TRY_VOID(check_plain_output(invocation));
  GAUZE_TRY(AnyTaskSpec spec, read_task_spec(invocation));
  GAUZE_TRY(const AnyTask any, collect::make_any_task(std::move(spec)));
  const DeviceTask& task = collect::device_task(any);
  invocation.warn_all(task.warnings());
  const std::string output = invocation.optional_text("output").value_or("");
  PrivacyLabel label = std::visit([](const auto& one) { return label_of(one); }, any);
  if (!output.empty()) {
    GAUZE_TRY_VOID(publish_bytes(invocation, output, task.to_json().dump(2) + "\n", label));
    invocation.note("wrote " + output + " and its label");
  }
  if (invocation.json()) {
    Json object = task.to_json();
    object.set("label", label.to_json());
    invocation.print_json(std::move(object));
  } else if (output != "-") {
    print_task(invocation, any);
  }
  return 0;
}

Result<int> run_task_check(Invocation& invocation) {
  const auto read = read_any_task(invocation, "file");
  // Whatever is wrong with it is bad data here, where nothing would be encoded.
  if (!read && read.error().code == ErrorCode::cost_above_claim)
    return make_error(ErrorCode::bad_data, "{}", read.error().message);
  GAUZE_TRY(const AnyTask any, read);
  GAUZE_TRY_VOID(collect::check_any_task(any));
  const DeviceTask& task = collect::device_task(any);
  invocation.warn_all(task.warnings());
  if (invocation.json())
    invocation.print_json(Json::object({{"name", task.terms().name},
                                        {"hash", task.hash()},
                                        {"state", task.is_draft() ? "draft" : "complete"},
                                        {"cost", Json::number(collect::nano_text(task.cost_nano()))},
                                        {"valid", true}}));
  else if (std::holds_alternative<CentralTask>(any))
    invocation.out().print("{}: text, block and hash agree; answers cost at most epsilon {} for life\n",
                           task.terms().name, collect::nano_text(task.terms().epsilon_nano));
  else
    invocation.out().print("{}: text, block and hash agree; a report costs epsilon {}\n", task.terms().name,
                           collect::nano_text(task.cost_nano()));
  return 0;
}

Result<int> run_task_show(Invocation& invocation) {
  GAUZE_TRY(const AnyTask any, read_any_task(invocation, "file"));
  const DeviceTask& task = collect::device_task(any);
  invocation.warn_all(task.warnings());
  if (invocation.json())
    invocation.print_json(task.to_json());
  else
    print_task(invocation, any);
  return 0;
}

std::vector<Flag> task_flags() {
  Flag output = output_flag();
  output.or_stdout = true;
  std::vector<Flag> flags = {
      std::move(output),
      {.name = "name", .placeholder = "N", .help = "without a file: letters, digits, - and _"},
      epsilon_flag(),
      question_flag(),
      {.name = "size", .placeholder = "D", .help = "how many values there are; they are called 0, 1, 2 and so on"},
      {.name = "values", .placeholder = "A,B,C", .help = "the values of a category, in their order"},
      {.name = "other", .help = "one more value, the last, stands for all that is not listed"},
      {.name = "low", .placeholder = "L", .help = "of a mean: the least number"},
      {.name = "high", .placeholder = "H", .help = "of a mean: the largest number"},
      {.name = "places", .placeholder = "K", .help = "of a mean: places behind the point"},
      {.name = "variance", .help = "of a mean: half of the devices, by chance, report the square"},
      {.name = "mechanism", .placeholder = "M", .help = "the mechanism (default: what `collect plan` would choose)"},
      {.name = "users", .placeholder = "N", .help = "how many devices are expected"},
      {.name = "period", .placeholder = "T", .help = "how often devices report, such as 1d"},
      profile_flag(),
      deviation_flag()};
  return flags;
}

}  // namespace

void register_collect_task_commands(Registry& registry) {
  registry.add(
      {.name = "collect task",
       .group = "Collect from devices",
       .summary = "Make a task: what devices are asked, and by which law",
       .description =
           "Reads a specification (docs/formats/collect.md), or takes it from flags, and writes a task: a document for people, "
           "the block of 256 bytes that devices load, its SHA-256, which is its name on the wire, and a statement for users "
           "in English and Chinese. Probabilities are fixed as integers; a device computes itself what they cost.\n\n"
           "With `mode: central` nothing is disturbed on the device: records of the fields that are named go, sealed, to a curator "
           "who is trusted and adds noise to answers; epsilon is then the most that all answers cost for life.\n\n"
           "A task without purpose, legal basis, retention and the like is a draft: it can be tried, but no server takes it. "
           "--profile refuses (exit 3) an epsilon above the ceiling of the standard unless --deviation says why.\n\n"
           "With --json: the task, and label.",
       .examples =
           {{"gauze collect task home-page.yaml -o home-page.json", "from a specification"},
            {"gauze collect task --name battery --epsilon 1 --question mean --low 0 --high 100 -o battery.json",
             "the mean of a number"}},
       .positionals = {{.name = "spec", .help = "the specification, in YAML", .optional = true, .is_file = true}},
       .flags = task_flags(),
       .run = run_task});
  registry.add(
      {.name = "collect task check",
       .group = "Collect from devices",
       .summary = "Check that a task is whole, and claims what it costs",
       .description =
           "Exit 1 when text, block and hash disagree, when the law is none, when a report costs more than the task says, or when "
           "the statement is not the one that belongs to the task.\n\nWith --json: name, hash, state, cost, valid.",
       .examples = {{"gauze collect task check home-page.json", "before it is shipped"}},
       .positionals = {{.name = "file", .help = "a task", .is_file = true}},
       .run = run_task_check});
  registry.add({.name = "collect task show",
                .group = "Collect from devices",
                .summary = "Show a task and what users are told",
                .description = "With --json: the task.",
                .examples = {{"gauze collect task show home-page.json", "for people"}},
                .positionals = {{.name = "file", .help = "a task", .is_file = true}},
                .run = run_task_show});
}

}  // namespace gauze::cli
