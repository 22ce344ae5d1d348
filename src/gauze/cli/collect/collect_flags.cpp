#include "gauze/cli/collect/collect_flags.h"

#include <array>
#include <chrono>
#include <ctime>

#include "gauze/collect/plan/planner.h"

namespace gauze::cli {
namespace {

/// A task with sixteen million listed values has some hundred megabytes.
constexpr std::size_t kLargestTask = std::size_t{1} << 29;

/// The number that so many digits write, taken off the front; nothing when they are not there.
std::optional<int> take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  text.remove_prefix(digits);
  return number;
}

/// 2027-01-31, 2027-01-31T12:30, 2027-01-31T12:30:00Z; in UTC, as unix seconds.
std::optional<std::uint64_t> parse_time(std::string_view text) {
  std::array<int, 6> parts = {};
  constexpr char kBefore[] = {' ', '-', '-', 'T', ':', ':'};
  std::size_t read = 0;
  for (; read < parts.size(); ++read) {
    if (read > 0) {
      if (text.empty() || text == "Z") break;
      if (text.front() != kBefore[read]) return std::nullopt;
      text.remove_prefix(1);
    }
    const auto number = take_digits(text, read == 0 ? 4 : 2);
    if (!number) return std::nullopt;
    parts[read] = *number;
  }
  if (read < 3 || read == 4 || !(text.empty() || text == "Z")) return std::nullopt;
  const auto [year, month, day, hour, minute, second] = parts;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = days * 86'400 + hour * 3'600 + minute * 60 + second;
  return seconds < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(seconds));
}

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
  const auto seconds = parse_time(*text);
  if (!seconds) return invalid_parameter("--time takes a time in UTC such as 2027-01-31T12:30:00Z, from 1970 on");
  return *seconds;
}

}  // namespace gauze::cli
