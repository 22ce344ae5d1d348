#include "gauze/cli/collect/collect_flags.h"

#include <ctime>

#include "gauze/base/utc_date.h"
#include "gauze/collect/plan/planner.h"

namespace gauze::cli {
namespace {

/// A task with sixteen million listed values has some hundred megabytes.
constexpr std::size_t kLargestTask = std::size_t{1} << 29;

}  // namespace

Flag task_flag() {
  return {.name = "task",
          .placeholder = "TASK",
          .help = "the task, as `collect task` wrote it",
          .required = true,
          .is_file = true};
}

Result<collect::Task> read_task(const Invocation& invocation, std::string_view name) {
  GAUZE_TRY(const std::string path, invocation.text(name));
  GAUZE_TRY(const std::string text, invocation.read_input(path, kLargestTask));
  return collect::Task::parse(text);
}

Result<collect::AnyTask> read_any_task(const Invocation& invocation, std::string_view name) {
  GAUZE_TRY(const std::string path, invocation.text(name));
  GAUZE_TRY(const std::string text, invocation.read_input(path, kLargestTask));
  return collect::parse_any_task(text);
}

Result<std::optional<std::uint64_t>> optional_nano(const Invocation& invocation, std::string_view name) {
  GAUZE_TRY(const auto amount, invocation.optional_rational(name));
  if (!amount) return std::optional<std::uint64_t>();
  const Rational nano = *amount * Rational(1'000'000'000);
  if (amount->sign() < 0 || *amount > Rational(1'000'000) || !nano.is_integer())
    return invalid_parameter("--{} must lie between 0 and 1,000,000 and have at most nine decimals", name);
  GAUZE_TRY(const std::int64_t whole, nano.to_int64());
  return std::optional(static_cast<std::uint64_t>(whole));
}

Result<std::uint64_t> report_nano(const Invocation& invocation) {
  GAUZE_TRY(const Rational epsilon, invocation.rational("epsilon"));
  return collect::epsilon_nano(epsilon);
}

Flag question_flag() {
  return {.name = "question",
          .placeholder = "Q",
          .help = "what is asked: which share of devices has a value, or the mean of a number",
          .default_text = "frequency"};
}

Result<collect::Question> question_of(const Invocation& invocation) {
  GAUZE_TRY(const std::string word, invocation.text("question"));
  for (const char* later : {"quantile", "marginal", "strings"})
    if (word == later) return make_error(ErrorCode::usage, "--question {} is not supported by this version", word);
  return invocation.value("question", collect::kQuestionWords);
}

Flag profile_flag() {
  return {.name = "profile",
          .placeholder = "P",
          .help = "the scenario of T/TAF 137-2022 whose ceiling is kept",
          .choices = {"basic", "finance", "government", "medical", "other"}};
}

Flag deviation_flag() {
  return {.name = "deviation",
          .placeholder = "REASON",
          .help = "why an epsilon above the ceiling of the profile is right; the label carries it"};
}

Flag time_flag() {
  return {
      .name = "time", .placeholder = "ISO", .help = "the time in UTC, such as 2027-01-31T12:30:00Z (default: now)"};
}

Result<std::uint64_t> time_of(const Invocation& invocation) {
  const auto text = invocation.optional_text("time");
  if (!text) return static_cast<std::uint64_t>(std::time(nullptr));
  const auto seconds = parse_utc_time(*text);
  if (!seconds) return invalid_parameter("--time takes a time in UTC such as 2027-01-31T12:30:00Z, from 1970 on");
  return static_cast<std::uint64_t>(*seconds);
}

}  // namespace gauze::cli
