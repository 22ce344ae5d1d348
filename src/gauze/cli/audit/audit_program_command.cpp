#include "gauze/audit/programs/program_audit.h"
#include "gauze/cli/audit/claim_flags.h"
#include "gauze/cli/core/commands.h"

namespace gauze::cli {
namespace {

constexpr std::int64_t kMostRunsOfProgram = 50'000'000;
constexpr std::int64_t kMostPerStart = 1'000'000;
constexpr std::uint64_t kCountedPerStart = 1'000;
constexpr std::int64_t kMostSeconds = 86'400;

Result<std::chrono::milliseconds> time_limit_of(const Invocation& invocation) {
  GAUZE_TRY(const Rational seconds, invocation.rational("time-limit"));
  if (seconds.sign() <= 0 || seconds > Rational(kMostSeconds))
    return invalid_parameter("--time-limit must be above 0 and at most {} seconds", kMostSeconds);
  GAUZE_TRY(const std::int64_t milliseconds, (seconds * Rational(1'000)).ceil().to_int64());
  return std::chrono::milliseconds(milliseconds);
}

Result<audit::ProgramAuditRequest> program_request(const Invocation& invocation) {
  audit::ProgramAuditRequest request;
  request.words = invocation.texts("program");
  for (std::string& word : invocation.texts("args")) request.words.push_back(std::move(word));
  GAUZE_TRY(request.left, invocation.text("left"));
  GAUZE_TRY(request.right, invocation.text("right"));
  request.on_stdin = invocation.has("stdin");
  GAUZE_TRY(request.runs, runs_of(invocation, kMostRunsOfProgram));
  if (invocation.has("per-start")) {
    GAUZE_TRY(const std::int64_t lines, invocation.integer("per-start", 1, kMostPerStart));
    request.per_start = static_cast<std::uint64_t>(lines);
  } else if (request.asks_for("count")) {
    request.per_start = std::min(kCountedPerStart, request.runs);
  }
  GAUZE_TRY(request.time_limit, time_limit_of(invocation));
  GAUZE_TRY(const auto seed, audit_seed(invocation));
  request.random = audit::AuditRandom(seed);
  GAUZE_TRY(request.claimed, claim_of(invocation));
  GAUZE_TRY(request.levels, levels_of(invocation));
  return request;
}

/// What the lines of every audit do not tell.
std::string program_text(const audit::ProgramAudit& found, std::uint64_t wanted, Style style) {
  std::string text = claim_text(found.audit, style);
  if (found.failed_left + found.failed_right > 0)
    text += fmt::format("  {} starts failed on the left and {} on the right, of {} on each; {}\n", found.failed_left,
                        found.failed_right, found.starts, "how they failed is an outcome");
  if (found.is_cut_off) text += fmt::format("  cut off after {} of {} starts on each\n", found.starts, wanted);
  return text;
}

Result<int> run_audit_program(Invocation& invocation) {
  GAUZE_TRY(const audit::ProgramAuditRequest request, program_request(invocation));
  GAUZE_TRY(const audit::ProgramAudit found, audit::audit_program(request, invocation.progress()));
  invocation.warn_all(found.warnings);
  Json document = found.audit.to_json();
  document.set("starts", found.starts).set("per_start", request.per_start);
  document.set("failed", Json::object({{"left", found.failed_left}, {"right", found.failed_right}}));
  document.set("counted", found.counts_starts ? "starts" : "lines").set("cut_off", found.is_cut_off);
  const std::string text = program_text(found, request.starts(), invocation.out_style());
  GAUZE_TRY(const int status, deliver_audit(invocation, "audit", std::move(document), text, found.audit.holds));
  return found.is_cut_off ? exit_status(ErrorCode::interrupted) : status;
}

}  // namespace

void register_audit_program_command(Registry& registry) {
  std::vector<Flag> flags = {
      {.name = "left",
       .placeholder = "A",
       .help = "the one input",
       .required = true,
       .carries_data = true,
       .may_be_empty = true},
      {.name = "right",
       .placeholder = "B",
       .help = "its neighbour: as if one person were there or not",
       .required = true,
       .carries_data = true,
       .may_be_empty = true},
      runs_flag("20000"),
      {.name = "per-start",
       .placeholder = "K",
       .help = "lines that one start prints, each with randomness of its own; 1, or 1000 where ARGS have {count}"},
      {.name = "stdin", .help = "write the input, and a line end, to the program's standard input"},
      {.name = "time-limit", .placeholder = "SECONDS", .help = "for each start", .default_text = "60"}};
  for (Flag& flag : claim_flags()) flags.push_back(std::move(flag));
  flags.push_back({.name = "seed",
                   .placeholder = "S",
                   .help = "repeat the same runs, of a program that draws from {seed}; without it they differ"});
  flags.push_back(audit_report_flag());
  registry.add(
      {.name = "audit program",
       .group = "Attacks and audits",
       .summary = "Hold the claim of any program against what it prints",
       .description =
           "Starts PROGRAM many times on two neighbouring inputs, without a shell, and looks in the first half of the runs for the "
           "event that tells the inputs apart best; how often it is seen in the second half bounds epsilon from below. Each line that "
           "is printed is one run: a number, a vector (fields separated by blanks, tabs or commas), or a text. Print what others "
           "get to see, with all its digits: the low bits are looked at, too.\n\n"
           "In ARGS, {input} is replaced by the input, {count} by how many lines are wanted, {seed} by a number of each start's own. "
           "An exit status, a signal, the time limit, no line and a wrong number of lines are outcomes like others, one a start: "
           "failing because of the data tells of the data. As soon as one start failed, each start is one run.\n\n"
           "Exit status 3 when the bound, at the false-alarm rate, lies above the claim; 1 when the program fails on both inputs at "
           "the first start. Ctrl-C audits what was measured so far.",
       .examples =
           {{"gauze audit program --left 0 --right 1 --claimed-epsilon 1 -- python3 mine.py {input} {count}",
             "1,000 lines a start"},
            {"gauze audit program --left a.csv --right b.csv --claimed-epsilon 1 --runs 1000 -- ./release {input}",
             "two files"},
            {"gauze audit program --left 3,4 --right 3,4,9 --stdin --claimed-epsilon 1 -- ./mean",
             "by standard input"}},
       .positionals = {{.name = "program", .help = "a program, found as a shell finds it", .after_dashes = true},
                       {.name = "args",
                        .help = "its arguments, with {input}, {count} and {seed}",
                        .optional = true,
                        .repeatable = true,
                        .after_dashes = true}},
       .flags = std::move(flags),
       .run = run_audit_program});
}

}  // namespace gauze::cli
