#include "gauze/audit/programs/program_audit.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gauze/audit/bounds/independent_runs.h"
#include "gauze/audit/programs/internal/program_starter.h"
#include "gauze/base/parallel.h"
#include "gauze/label/printable_text.h"

namespace gauze::audit {
namespace {

using internal::ProgramStarter;
using internal::StartOutcome;

/// So many numbers may lie in memory before they are put in their place.
constexpr std::uint64_t kNumbersAtATime = 1U << 20U;
constexpr std::uint64_t kMostStartsAtATime = 128;  // a side
constexpr std::uint64_t kMostNumbersASide = 100'000'000;
constexpr std::size_t kShownErrors = 300;

bool are_equal(const Outcomes& side, std::size_t one, std::size_t other) {
  if (side.kind(one) != side.kind(other) || side.word(one) != side.word(other)) return false;
  const auto a = side.numbers(one);
  const auto b = side.numbers(other);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

/// Whether a run is like the one that stands `apart` behind it far more often than like one that is far away, and at another place of its
/// start. Independent runs are like both equally often, and look otherwise once in a hundred million audits.
bool is_alike(const Outcomes& side, std::size_t apart, std::size_t per_start) {
  constexpr double kDeviations = 10;
  std::size_t far_apart = side.size() / 2;
  if (per_start > 1 && far_apart % per_start == 0) ++far_apart;
  double near = 0;
  double far = 0;
  for (std::size_t run = 0; run + std::max(apart, far_apart) < side.size(); ++run) {
    near += are_equal(side, run, run + apart) ? 1 : 0;
    far += are_equal(side, run, run + far_apart) ? 1 : 0;
  }
  return near - far > kDeviations * std::sqrt(near + far);
}

/// Of runs that follow each other, and of those at the same place of two starts: draws that are printed often, seeds that never change.
bool repeats_itself(const OutcomePair& pair, std::size_t per_start) {
  for (const Outcomes* side : {&pair.left, &pair.right})
    if (is_alike(*side, 1, per_start) || (per_start > 1 && is_alike(*side, per_start, per_start))) return true;
  return false;
}

/// What was seen so far: line by line, and start by start.
class StartRecord {
 public:
  explicit StartRecord(const ProgramAuditRequest& request) : runs_(request.runs), per_start_(request.per_start) {}

  void add(bool on_left, const StartOutcome& outcome) {
    Outcomes& start = on_left ? by_starts_.left : by_starts_.right;
    if (!outcome.is_well()) {
      by_starts_.add_failure(start, outcome.failure);
      ++(on_left ? failed_left_ : failed_right_);
      if (!counts_starts()) return;
      by_lines_ = {};  // from now on one start is one run
      return;
    }
    add_line(by_starts_, start, outcome.lines.front());
    if (per_start_ == 1 || counts_starts()) return;
    Outcomes& lines = on_left ? by_lines_.left : by_lines_.right;
    for (const ProgramLine& line : outcome.lines)
      if (lines.size() < runs_) add_line(by_lines_, lines, line);
  }

  [[nodiscard]] bool counts_starts() const {
    return per_start_ > 1 && (failed_left_ + failed_right_ > 0 || repeats_);
  }
  /// To be asked at the end: lines that repeat each other are not runs of their own. From then on each start is one.
  bool look_for_repeats() {
    repeats_ = repeats_itself(outcomes(), counts_starts() ? 1 : per_start_);
    return repeats_;
  }
  [[nodiscard]] const OutcomePair& outcomes() const {
    return per_start_ == 1 || counts_starts() ? by_starts_ : by_lines_;
  }
  [[nodiscard]] std::uint64_t starts() const { return std::min(by_starts_.left.size(), by_starts_.right.size()); }
  [[nodiscard]] std::uint64_t failed_left() const { return failed_left_; }
  [[nodiscard]] std::uint64_t failed_right() const { return failed_right_; }

 private:
  static void add_line(OutcomePair& pair, Outcomes& side, const ProgramLine& line) {
    if (line.text)
      pair.add_text(side, *line.text, line.bytes);
    else
      side.add_numbers(line.numbers, line.bytes);
  }

  std::uint64_t runs_;
  std::uint64_t per_start_;
  std::uint64_t failed_left_ = 0;
  std::uint64_t failed_right_ = 0;
  bool repeats_ = false;
  OutcomePair by_lines_;
  OutcomePair by_starts_;
};

Result<void> check_request(const ProgramAuditRequest& request) {
  if (request.words.empty() || request.words[0].empty()) return invalid_parameter("there is no program to start");
  if (!request.on_stdin && !request.asks_for("input"))
    return asking_for("stdin", invalid_parameter("the program would not see its input: write {{input}} among its "
                                                 "arguments, or give it by standard input"));
  if (request.left == request.right)
    return invalid_parameter("the left and the right input are equal: there is nothing to tell apart");
  if (request.runs < 2) return invalid_parameter("at least 2 runs are needed, but there are {}", request.runs);
  if (request.per_start < 1 || request.per_start > request.runs)
    return invalid_parameter(
        "a start must print at least 1 line, and at most as many as there are runs ({}), but is to print {}",
        request.runs, request.per_start);
  if (request.time_limit.count() <= 0) return invalid_parameter("the time limit of a start must be above 0");
  if (request.random.is_seeded() && !request.asks_for("seed"))
    return invalid_parameter(
        "a seed repeats nothing here: write {{seed}} among the arguments, where the program takes its own");
  return {};
}

std::string last_words(const StartOutcome& left, const StartOutcome& right) {
  std::string said = left.errors.empty() ? right.errors : left.errors;
  said.erase(said.find_last_not_of('\n') + 1);
  if (said.empty()) return "";
  return ": " + printable(said.size() > kShownErrors ? "..." + said.substr(said.size() - kShownErrors) : said);
}

/// Whether anything can be audited at all.
Result<void> check_trial(const ProgramAuditRequest& request, const StartOutcome& left, const StartOutcome& right) {
  using Kind = StartOutcome::Kind;
  for (const StartOutcome* one : {&left, &right}) {
    const char* side = one == &left ? "left" : "right";
    if (one->kind == Kind::too_wide)
      return make_error(ErrorCode::io, "the program prints {} for the {} input: let it print those that matter",
                        one->failure, side);
    if (one->kind == Kind::wrong_count)
      return asking_for("per-start",
                        make_error(ErrorCode::io, "the program prints {} for the {} input{}", one->failure, side,
                                   request.asks_for("count") ? ", which {count} asked for" : ""));
  }
  if (left.kind != Kind::failed || right.kind != Kind::failed) return {};
  if (left.failure == right.failure)
    return make_error(ErrorCode::io, "the program ends with {} on both inputs{}", left.failure,
                      last_words(left, right));
  return make_error(ErrorCode::io, "the program ends with {} on the left input and with {} on the right one{}",
                    left.failure, right.failure, last_words(left, right));
}

/// Whether most runs are texts that are seen once: nothing but their length can be looked at.
bool has_unlike_texts(const OutcomePair& pair) {
  std::vector<std::uint32_t> texts;
  for (const Outcomes* side : {&pair.left, &pair.right})
    for (std::size_t run = 0; run < side->size(); ++run)
      if (side->kind(run) == Outcomes::Kind::text) texts.push_back(side->word(run));
  std::sort(texts.begin(), texts.end());
  std::size_t once = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool is_first = i == 0 || texts[i - 1] != texts[i];
    const bool is_last = i + 1 == texts.size() || texts[i + 1] != texts[i];
    once += is_first && is_last ? 1 : 0;
  }
  return 2 * once > pair.left.size() + pair.right.size();
}

std::vector<Warning> program_warnings(const OutcomePair& pair, const ProgramAudit& found, bool repeats) {
  std::vector<Warning> warnings;
  if (found.is_cut_off)
    warnings.push_back(Warning::of_privacy("cut_off", "stopped early: what was measured so far was audited"));
  if (repeats)
    warnings.push_back(Warning::of_privacy(
        "repeating_runs",
        "outputs repeat each other far more often than independent runs do, as where a seed never changes or comes "
        "from the clock, or one draw is printed many times: no verdict but that of starts that differ by chance"));
  if (has_unlike_texts(pair))
    warnings.push_back(Warning::of_privacy(
        "unlike_texts",
        "most outputs are texts that were seen once: no more than their length was looked at. Let the "
        "program print the numbers alone"));
  if (found.counts_starts)
    warnings.push_back(Warning::of_privacy(
        "counts_starts",
        fmt::format("{}, so that each start is one run, whatever it printed: {} a side. Fewer lines a "
                    "start make more runs",
                    repeats ? "lines repeat each other" : "some starts failed", found.starts)));
  const ClaimAudit& audit = found.audit;
  if (!audit.claimed.epsilon || !audit.runs) return warnings;
  const double reach = largest_bound(*audit.runs, *audit.runs, audit.delta, audit.alarm_rate);
  if (reach <= *audit.claimed.epsilon)
    warnings.push_back(Warning::of_privacy(
        "cannot_alarm",
        fmt::format("the claim was not tested: with {} measured runs a side the bound that raises the "
                    "alarm is {} at most, whatever the program does",
                    *audit.runs, bound_text(reach))));
  return warnings;
}

/// Runs both sides in turn, so that what changes with time changes both.
Result<void> run_all(const ProgramStarter& starter, std::uint64_t starts, std::uint64_t at_a_time,
                     StartRecord& record, Progress& progress) {
  progress.begin("running the program", 2 * starts);
  for (std::uint64_t begin = 0; begin < starts && !progress.stop_requested(); begin += at_a_time) {
    const std::size_t pairs = std::min(at_a_time, starts - begin);
    std::vector<std::uint8_t> is_left(2 * pairs);
    for (std::size_t i = 0; i < pairs; ++i) is_left[starter.left_comes_first(begin + i) ? 2 * i : 2 * i + 1] = 1;
    std::vector<std::optional<Result<StartOutcome>>> outcomes(2 * pairs);
    parallel_for(outcomes.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last && !progress.stop_requested(); ++i) {
        outcomes[i] = starter.run(is_left[i] != 0, begin + i / 2, progress);
        progress.advance(1);
      }
    });
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (!outcomes[i]) continue;
      if (!*outcomes[i]) return tl::unexpected(outcomes[i]->error());
      if ((*outcomes[i])->kind != StartOutcome::Kind::stopped) record.add(is_left[i] != 0, **outcomes[i]);
    }
  }
  return {};
}

}  // namespace

bool ProgramAuditRequest::asks_for(std::string_view word) const {
  const std::string braced = fmt::format("{{{}}}", word);
  return std::any_of(words.begin() + (words.empty() ? 0 : 1), words.end(),
                     [&](const std::string& one) { return one.find(braced) != std::string::npos; });
}

Result<ProgramAudit> audit_program(const ProgramAuditRequest& request, Progress& progress) {
  GAUZE_TRY_VOID(check_request(request));
  const ProgramStarter starter(request);
  progress.begin("trying the program", 0);
  std::optional<Result<StartOutcome>> trials[2];
  parallel_for(2, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) trials[i] = starter.trial(i == 0, progress);
  });
  for (const auto& trial : trials)
    if (!*trial) return tl::unexpected(trial->error());
  GAUZE_TRY_VOID(progress.check());
  const StartOutcome& left = **trials[0];
  const StartOutcome& right = **trials[1];
  GAUZE_TRY_VOID(check_trial(request, left, right));
  const std::uint64_t width = std::max<std::size_t>({1, left.dimensions, right.dimensions});
  if (width > kMostNumbersASide / request.runs)
    return invalid_parameter("{} runs of {} numbers are more than memory is kept for: {} runs at most", request.runs,
                             width, kMostNumbersASide / width);

  StartRecord record(request);
  const std::uint64_t at_a_time =
      std::clamp<std::uint64_t>(kNumbersAtATime / (2 * request.per_start * width), 1, kMostStartsAtATime);
  GAUZE_TRY_VOID(run_all(starter, request.starts(), at_a_time, record, progress));
  progress.begin("looking for what tells them apart", 0);
  ProgramAudit found;
  found.starts = record.starts();
  found.failed_left = record.failed_left();
  found.failed_right = record.failed_right();
  const bool repeats = record.look_for_repeats();
  found.counts_starts = record.counts_starts();
  found.is_cut_off = found.starts < request.starts();
  const std::string& program = request.words[0];
  found.audit =
      audit_outcomes(record.outcomes(), {.claim = "program " + printable(program.substr(program.rfind('/') + 1)),
                                         .claimed = request.claimed,
                                         .delta = request.claimed.delta,
                                         .levels = request.levels});
  // what is alike over time is no run of its own; starts that were counted instead may still contradict the claim
  if (repeats && (request.per_start == 1 || found.audit.holds == std::optional(true))) found.audit.holds.reset();
  found.warnings = program_warnings(record.outcomes(), found, repeats);
  if (left.kind == StartOutcome::Kind::silent && right.kind == StartOutcome::Kind::silent)
    found.warnings.push_back(
        Warning::of_privacy("no_output", "the program prints nothing: no more than how it ends was looked at"));
  return found;
}

}  // namespace gauze::audit
