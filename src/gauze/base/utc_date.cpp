#include "gauze/base/utc_date.h"

#include <fmt/core.h>

#include <array>
#include <chrono>

namespace gauze {
namespace {

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

}  // namespace

std::optional<std::int64_t> parse_utc_date(std::string_view text) {
  if (text.size() != 10) return std::nullopt;
  const auto seconds = parse_utc_time(text);
  return seconds ? std::optional(utc_day_of(*seconds)) : std::nullopt;
}

std::optional<std::int64_t> parse_utc_time(std::string_view text) {
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
  return seconds < 0 ? std::nullopt : std::optional(seconds);
}

std::string utc_date_text(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::int64_t utc_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

}  // namespace gauze
