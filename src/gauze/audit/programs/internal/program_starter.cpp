#include "gauze/audit/programs/internal/program_starter.h"

#include <algorithm>
#include <cstring>

#include "gauze/audit/programs/program_start.h"

namespace gauze::audit::internal {
namespace {

constexpr std::uint64_t kTrialStream = kRightStreams - 1;
constexpr std::uint64_t kOrderStreams = 2 * kRightStreams;

/// `text` with what stands in braces replaced, once: an input that has braces itself stays as it is.
std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string made;
  while (!text.empty()) {
    const auto fits = [&](const auto& one) { return text.starts_with(one.first); };
    if (const auto found = std::find_if(values.begin(), values.end(), fits); found != values.end()) {
      made += found->second;
      text.remove_prefix(found->first.size());
    } else {
      made += text.front();
      text.remove_prefix(1);
    }
  }
  return made;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("signal {} (SIG{})", signal, name);
}

/// What it is, and in which words an event tells of it.
void judge(const ProgramEnd& end, std::uint64_t expected, StartOutcome& outcome) {
  using Kind = StartOutcome::Kind;
  const auto becomes = [&](Kind kind, std::string failure) {
    outcome.kind = kind;
    outcome.failure = std::move(failure);
  };
  if (end.kind == ProgramEnd::Kind::stopped) return becomes(Kind::stopped, "");
  if (end.kind == ProgramEnd::Kind::timed_out) return becomes(Kind::failed, "a stop at the time limit");
  if (end.kind == ProgramEnd::Kind::flooded) return becomes(Kind::failed, "a flood of output");
  if (end.kind == ProgramEnd::Kind::signalled) return becomes(Kind::failed, signal_name(end.code));
  if (end.code != 0) return becomes(Kind::failed, fmt::format("exit status {}", end.code));
  if (outcome.count == 0) return becomes(Kind::silent, "no output");
  if (outcome.count != expected)
    return becomes(Kind::wrong_count, fmt::format("{} lines instead of {}", outcome.count, expected));
  if (outcome.dimensions > ProgramLine::kMostNumbers)
    becomes(Kind::too_wide, fmt::format("more than {} numbers in a line", ProgramLine::kMostNumbers));
}

}  // namespace

bool ProgramStarter::left_comes_first(std::uint64_t pair) const {
  return request_->random.draw(kOrderStreams + pair, [](RandomWords& random) { return random.next() % 2 == 0; });
}

Result<StartOutcome> ProgramStarter::trial(bool on_left, const Progress& progress) const {
  return run(on_left, request_->per_start, kTrialStream, true, progress);
}

Result<StartOutcome> ProgramStarter::run(bool on_left, std::uint64_t start, const Progress& progress) const {
  return run(on_left, expected(start), start, false, progress);
}

std::uint64_t ProgramStarter::expected(std::uint64_t start) const {
  if (!request_->asks_for("count")) return request_->per_start;
  return std::min(request_->per_start, request_->runs - start * request_->per_start);
}

Result<StartOutcome> ProgramStarter::run(bool on_left, std::uint64_t expected, std::uint64_t stream, bool is_trial,
                                         const Progress& progress) const {
  const std::string& input = on_left ? request_->left : request_->right;
  const std::uint64_t seed = request_->random.draw((on_left ? 0 : kRightStreams) + stream,
                                                   [](RandomWords& random) { return random.next() >> 33U; });
  ProgramStart start{.time_limit = request_->time_limit, .keeps_errors = is_trial};
  for (const std::string& word : request_->words)
    start.words.push_back(start.words.empty() ? word
                                              : filled(word, {{"{input}", input},
                                                              {"{count}", std::to_string(expected)},
                                                              {"{seed}", std::to_string(seed)}}));
  if (request_->on_stdin) start.input = input + "\n";
  ProgramLines lines(expected);
  GAUZE_TRY(ProgramEnd end, run_program(
                                start, [&](std::string_view bytes) { return lines.add(bytes); }, progress));
  lines.finish();
  StartOutcome outcome{.count = lines.count(), .dimensions = lines.dimensions()};
  judge(end, expected, outcome);
  if (outcome.is_well()) outcome.lines = std::move(lines.lines());
  outcome.errors = std::move(end.errors);
  return outcome;
}

}  // namespace gauze::audit::internal
