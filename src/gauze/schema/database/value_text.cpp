#include "gauze/schema/database/value_text.h"

#include <chrono>
#include <limits>

#include "gauze/base/ascii.h"

namespace gauze::schema {
namespace {

/// The number of exactly so many digits at the front, which are taken away.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (const char digit : text.substr(0, count)) {
    if (!is_digit(digit)) return std::nullopt;
    value = 10 * value + (digit - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

std::optional<std::int64_t> take_day(std::string_view& text) {
  const auto year = take_digits(text, 4);
  if (!year || *year < 1 || !take(text, "-")) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;

/// Digits behind the point of seconds, as microseconds.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  std::int64_t micro = 0;
  int digits = 0;
  while (!text.empty() && is_digit(text.front())) {
    if (++digits > 6) return std::nullopt;
    micro = 10 * micro + (text.front() - '0');
    text.remove_prefix(1);
  }
  if (digits == 0) return std::nullopt;
  for (; digits < 6; ++digits) micro *= 10;
  return micro;
}

std::optional<std::int64_t> take_time(std::string_view& text) {
  const auto hour = take_digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t seconds = 3600 * *hour + 60 * *minute;
  std::int64_t micro = 0;
  if (take(text, ":")) {
    const auto second = take_digits(text, 2);
    if (!second || *second > 59) return std::nullopt;
    seconds += *second;
    if (take(text, ".")) {
      const auto fraction = take_fraction(text);
      if (!fraction) return std::nullopt;
      micro = *fraction;
    }
  }
  return seconds * kMicrosecondsPerSecond + micro;
}

Rational power_of_ten(int exponent) {
  Rational power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

std::optional<Rational> parse_number(std::string_view text, DeclaredType type, int scale) {
  auto number = Rational::parse(text);
  if (!number) return std::nullopt;
  if (type == DeclaredType::integer) {
    const bool fits = number->is_integer() && *number >= Rational(std::numeric_limits<std::int64_t>::min()) &&
                      *number <= Rational(std::numeric_limits<std::int64_t>::max());
    if (!fits) return std::nullopt;
  }
  if (type == DeclaredType::decimal) {
    const Rational granules = *number * power_of_ten(scale);
    if (!granules.is_integer() || granules >= power_of_ten(18) || granules <= -power_of_ten(18)) return std::nullopt;
  }
  return *number;
}

}  // namespace

std::optional<std::int64_t> parse_day(std::string_view text) {
  const auto day = take_day(text);
  return text.empty() ? day : std::nullopt;
}

std::string day_text(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::optional<std::int64_t> parse_instant(std::string_view text) {
  const auto day = take_day(text);
  if (!day) return std::nullopt;
  std::int64_t time = 0;
  if (take(text, " ") || take(text, "T")) {
    const auto taken = take_time(text);
    if (!taken) return std::nullopt;
    time = *taken;
    take(text, "Z");
  }
  if (!text.empty()) return std::nullopt;
  return *day * 86'400 * kMicrosecondsPerSecond + time;
}

std::optional<Rational> parse_value(std::string_view text, DeclaredType type, int scale) {
  switch (type) {
    case DeclaredType::integer:
    case DeclaredType::decimal:
    case DeclaredType::real:
      return parse_number(text, type, scale);
    case DeclaredType::boolean:
      if (text == "true") return Rational(1);
      if (text == "false") return Rational(0);
      return std::nullopt;
    case DeclaredType::date:
      if (const auto day = parse_day(text)) return Rational(*day);
      return std::nullopt;
    case DeclaredType::timestamp:
      if (const auto instant = parse_instant(text)) return Rational(*instant);
      return std::nullopt;
    case DeclaredType::text:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> canonical_value(std::string_view text, DeclaredType type, int scale) {
  if (type == DeclaredType::text) return std::string(text);
  const auto value = parse_value(text, type, scale);
  if (!value) return std::nullopt;
  if (type == DeclaredType::boolean) return value->sign() > 0 ? "true" : "false";
  if (type == DeclaredType::date) return day_text(*parse_day(text));
  if (type == DeclaredType::decimal) {
    std::string digits = (*value * power_of_ten(scale)).to_decimal();
    const bool negative = digits.starts_with('-');
    if (negative) digits.erase(0, 1);
    if (scale == 0) return (negative ? "-" : "") + digits;
    const auto places = static_cast<std::size_t>(scale);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
    return (negative ? "-" : "") + digits;
  }
  return value->to_decimal();
}

}  // namespace gauze::schema
