#include "gauze/table/column_type.h"

#include <algorithm>
#include <array>
#include <optional>

#include "gauze/base/ascii.h"

namespace gauze::table {
namespace {

constexpr std::uint8_t kInteger = 1;
constexpr std::uint8_t kNumber = 2;
constexpr std::uint8_t kDate = 4;
constexpr std::uint8_t kBoolean = 8;

/// Takes the digits at the front away and returns how many there were.
std::size_t skip_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

std::uint8_t numeric_types(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const std::string_view whole = text;
  const std::size_t digits = skip_digits(text);
  if (digits > 1 && whole.front() == '0') return 0;
  if (text.empty()) return digits > 0 ? kInteger | kNumber : 0;
  std::size_t decimals = 0;
  if (text.front() == '.') {
    text.remove_prefix(1);
    decimals = skip_digits(text);
  }
  if (digits + decimals == 0) return 0;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    if (skip_digits(text) == 0) return 0;
  }
  return text.empty() ? kNumber : 0;
}

struct DatePart {
  int value = 0;
  std::size_t digits = 0;
};

std::optional<DatePart> take_part(std::string_view& text) {
  DatePart part;
  while (part.digits < text.size() && is_digit(text[part.digits])) {
    if (part.digits == 4) return std::nullopt;
    part.value = part.value * 10 + (text[part.digits++] - '0');
  }
  text.remove_prefix(part.digits);
  if (part.digits == 0) return std::nullopt;
  return part;
}

bool is_day(const DatePart& year, const DatePart& month, const DatePart& day) {
  constexpr std::array<int, 12> kDays = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year.digits != 4 || month.digits > 2 || day.digits > 2) return false;
  if (month.value < 1 || month.value > 12 || day.value < 1) return false;
  const bool leap = year.value % 4 == 0 && (year.value % 100 != 0 || year.value % 400 == 0);
  if (month.value == 2 && !leap) return day.value <= 28;
  return day.value <= kDays.at(static_cast<std::size_t>(month.value - 1));
}

/// A time of day after a date: "T12:30", " 12:30:00.5", "T12:30:00Z", " 12:30:00+08:00".
bool is_time(std::string_view text) {
  if (text.size() < 6 || (text.front() != 'T' && text.front() != ' ')) return false;
  text.remove_prefix(1);
  int colons = 0;
  for (const char c : text) {
    if (c == ':') ++colons;
    if (!is_digit(c) && std::string_view(":.+-Z").find(c) == std::string_view::npos) return false;
  }
  return is_digit(text.front()) && colons >= 1 && colons <= 3;
}

bool is_date(std::string_view text) {
  if (text.size() < 8 || !is_digit(text.front())) return false;
  const auto first = take_part(text);
  if (!first || text.empty()) return false;
  const char separator = text.front();
  if (separator != '-' && separator != '/' && separator != '.') return false;
  text.remove_prefix(1);
  const auto second = take_part(text);
  if (!second || text.empty() || text.front() != separator) return false;
  text.remove_prefix(1);
  const auto third = take_part(text);
  if (!third || (!text.empty() && !is_time(text))) return false;
  if (first->digits == 4) return is_day(*first, *second, *third);
  if (separator == '.') return is_day(*third, *second, *first);
  return separator == '/' && (is_day(*third, *first, *second) || is_day(*third, *second, *first));
}

bool is_boolean(std::string_view text) {
  constexpr std::array<std::string_view, 4> kWords = {"true", "false", "yes", "no"};
  const auto same_letter = [](char a, char b) { return a == ascii_lower(b); };
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return std::equal(word.begin(), word.end(), text.begin(), text.end(), same_letter);
  });
}

ColumnType type_of_flags(std::uint8_t flags) {
  if ((flags & kInteger) != 0) return ColumnType::integer;
  if ((flags & kNumber) != 0) return ColumnType::number;
  if ((flags & kDate) != 0) return ColumnType::date;
  if ((flags & kBoolean) != 0) return ColumnType::boolean;
  return ColumnType::text;
}

}  // namespace

std::uint8_t TypeDetector::types_of(std::string_view value) const {
  std::string room;
  if (const auto plain = with_point(value, decimal_, room))
    if (const std::uint8_t numeric = numeric_types(*plain); numeric != 0) return numeric;
  if (is_date(value)) return kDate;
  return is_boolean(value) ? kBoolean : 0;
}

ColumnType TypeDetector::type() const { return seen_ ? type_of_flags(possible_) : ColumnType::text; }

ColumnType infer_type(const Dictionary& dictionary) {
  TypeDetector detector(dictionary.decimal);
  for (std::size_t code = 0; code < dictionary.values.size(); ++code) {
    if (dictionary.missing != code) detector.see(dictionary.values[code]);
  }
  return detector.type();
}

ColumnType infer_type(std::string_view value, DecimalSign decimal) {
  TypeDetector detector(decimal);
  detector.see(value);
  return detector.type();
}

}  // namespace gauze::table
