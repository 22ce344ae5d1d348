// demo-data and demo: an invented population, and what Gauze does with it.
#include <filesystem>

#include "gauze/cli/core/commands.h"
#include "gauze/cli/core/run_command_line.h"
#include "gauze/cli/demo/population.h"
#include "gauze/cli/flags/shared_flags.h"
#include "gauze/files/atomic_file.h"
#include "gauze/table/csv_text.h"

namespace gauze::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostPeople = 10'000'000;

Flag people_flag() {
  return {.name = "people", .placeholder = "N", .help = "how many to draw", .default_text = "50000"};
}
Flag demo_seed_flag() {
  return {.name = "seed", .placeholder = "S", .help = "another seed, another population", .default_text = "1"};
}

Result<void> write_population(Invocation& invocation, const fs::path& path) {
  GAUZE_TRY(const std::int64_t people, invocation.integer("people", 1, kMostPeople));
  GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
  DemoPopulation population(static_cast<std::uint64_t>(seed));
  GAUZE_TRY(AtomicFile file, AtomicFile::create(path));
  std::string text;
  table::append_csv_line(text, DemoPopulation::columns(), ',');
  invocation.progress().begin("drawing people", static_cast<std::uint64_t>(people));
  for (std::int64_t i = 0; i < people; ++i) {
    table::append_csv_line(text, DemoPopulation::cells(population.next()), ',');
    invocation.progress().advance();
    if (text.size() < 1U << 16) continue;
    GAUZE_TRY_VOID(file.write(text));
    GAUZE_TRY_VOID(invocation.progress().check());
    text.clear();
  }
  GAUZE_TRY_VOID(file.write(text));
  return file.commit();
}

Result<int> run_demo_data(Invocation& invocation) {
  GAUZE_TRY(const std::string output, invocation.text("output"));
  GAUZE_TRY_VOID(write_population(invocation, output));
  if (const auto policy = invocation.optional_text("policy"))
    GAUZE_TRY_VOID(write_file(*policy, DemoPopulation::policy()));
  invocation.end_progress();
  if (invocation.json()) {
    GAUZE_TRY(const std::int64_t people, invocation.integer("people", 1, kMostPeople));
    const auto policy = invocation.optional_text("policy");
    invocation.print_json(
        Json::object({{"file", output}, {"rows", people}, {"policy", policy ? Json(*policy) : Json()}}));
  } else {
    invocation.note(fmt::format("wrote {}: nobody in it exists", output));
  }
  return 0;
}

/// Shows a command line and runs it, its output between ours.
class Stage {
 public:
  explicit Stage(Invocation& invocation) : invocation_(invocation) {}

  void title(std::string_view text) {
    if (!invocation_.json()) invocation_.out().print("\n{}\n", invocation_.out_style().bold(text));
  }
  void say(std::string_view text) {
    if (!invocation_.json()) invocation_.out().print("{}\n", text);
  }

  /// Stops at the first command that fails.
  Result<void> run(const std::vector<std::string>& arguments) {
    std::string line = "gauze";
    for (const std::string& argument : arguments) line += " " + argument;
    if (!invocation_.json()) invocation_.out().print("\n$ {}\n", line);
    Streams streams;
    streams.columns = invocation_.columns();
    std::string errors;
    streams.out = {[&](std::string_view bytes) {
      if (!invocation_.json()) invocation_.out().write(bytes);
      return Sink::Outcome{};
    }};
    streams.err = {[&](std::string_view bytes) {
      errors += bytes;
      return Sink::Outcome{};
    }};
    const int status = run_command_line(arguments, streams);
    if (status != 0)
      return make_error(status == 130 ? ErrorCode::interrupted : ErrorCode::internal, "the demo failed at: {}\n{}",
                        line, errors);
    return invocation_.out().flush();
  }

 private:
  Invocation& invocation_;
};

Result<int> run_demo(Invocation& invocation) {
  GAUZE_TRY(const std::string folder_text, invocation.text("folder"));
  GAUZE_TRY(const std::string repetitions, invocation.text("repetitions"));
  const fs::path folder(folder_text);
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return make_error(ErrorCode::io, "cannot make the folder {}: {}", folder_text, problem.message());
  const std::string people = (folder / "people.csv").string();
  const std::string policy = (folder / "people.yaml").string();
  const std::string counts = (folder / "counts.csv").string();
  const std::string report = (folder / "report.html").string();
  const std::string ledger = (folder / "budget.ledger").string();
  // Ours, from an earlier demo: a new demo starts with a new budget.
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) fs::remove(ledger + suffix, problem);
  GAUZE_TRY_VOID(write_population(invocation, people));
  GAUZE_TRY_VOID(write_file(policy, DemoPopulation::policy()));
  invocation.end_progress();

  Stage stage(invocation);
  stage.title("1. The table");
  stage.say(
      "A statistics office holds a table of people. (They are invented; docs/guide/demo.md says how.) It wants to\n"
      "publish how many people there are of each kind. Who could be recognised?");
  GAUZE_TRY_VOID(
      stage.run({"inspect", people, "--target", "income", "--columns", "age,education,household,hours,district"}));
  stage.title("2. What would a release cost, and whom?");
  stage.say(
      "The policy says which columns identify, how they are made coarser, and that a class of fewer than five counts as\n"
      "empty. Each epsilon is tried many times. These figures compare with the true table: they stay in the office.");
  GAUZE_TRY_VOID(
      stage.run({"evaluate", people, "--policy", policy, "--repetitions", repetitions, "--report", report}));
  stage.title("3. The release");
  stage.say(
      "The office had settled on epsilon 0.5 before it looked. A budget is opened first. The release is charged before a\n"
      "row is read, and draws its noise from the operating system's generator: a second look would cost again.");
  GAUZE_TRY_VOID(stage.run({"ledger", "create", "people", "--ledger", ledger, "--epsilon", "1"}));
  GAUZE_TRY_VOID(stage.run({"release", people, "--policy", policy, "--epsilon", "0.5", "--ledger", ledger,
                            "--dataset", "people", "-o", counts}));
  stage.title("4. What goes with it");
  GAUZE_TRY_VOID(stage.run({"label", "show", counts}));
  stage.title("5. Claimed and audited");
  stage.say(
      "Is it true? Pairs of tables that differ by one row are released thousands of times; what tells them apart best\n"
      "bounds epsilon from below. This too compares with the true table, and stays in the office.");
  GAUZE_TRY_VOID(stage.run(
      {"audit", "release", "--make-neighbours", people, "--policy", policy, "--epsilon", "0.5", "--runs", "2000"}));
  if (invocation.json()) {
    invocation.print_json(Json::object({{"folder", folder_text},
                                        {"table", people},
                                        {"policy", policy},
                                        {"counts", counts},
                                        {"ledger", ledger},
                                        {"report", report}}));
    return 0;
  }
  invocation.out().print("\n{} {}\n", invocation.out_style().bold("The counts that may be published:"), counts);
  invocation.out().print("{} {}\n", invocation.out_style().bold("The report to look at (internal):"), report);
  return 0;
}

}  // namespace

void register_demo_commands(Registry& registry) {
  registry.add(
      {.name = "demo",
       .group = "Releases",
       .summary = "See the whole way from a table to a release",
       .description =
           "Draws a census-like population, inspects it, evaluates a release at eleven epsilons, publishes noisy "
           "counts within a budget, holds their claim against neighbouring tables, and writes a report. Everything lies in one "
           "folder at the end.",
       .examples = {{"gauze demo", "in the folder gauze-demo"}},
       .flags = {{.name = "folder",
                  .placeholder = "DIR",
                  .help = "where everything is written",
                  .default_text = "gauze-demo",
                  .is_file = true},
                 people_flag(),
                 {.name = "repetitions",
                  .placeholder = "N",
                  .help = "how often each release is simulated",
                  .default_text = "30"},
                 demo_seed_flag()},
       .run = run_demo});
  registry.add(
      {.name = "demo-data",
       .group = "Releases",
       .summary = "Write the invented population of the demo",
       .description =
           "A table of people who do not exist, with skewed groups and an outcome that treats them differently, and "
           "a policy for it. docs/guide/demo.md says how they are drawn.",
       .examples = {{"gauze demo-data -o people.csv --policy people.yaml", "50,000 people and a policy"}},
       .flags = {{.name = "output",
                  .short_name = 'o',
                  .placeholder = "OUT",
                  .help = "the CSV to write",
                  .required = true,
                  .is_file = true,
                  .makes = Makes::file},
                 people_flag(),
                 {.name = "policy",
                  .placeholder = "FILE",
                  .help = "write a policy for it, too",
                  .is_file = true,
                  .makes = Makes::file},
                 demo_seed_flag()},
       .run = run_demo_data});
}

}  // namespace gauze::cli
