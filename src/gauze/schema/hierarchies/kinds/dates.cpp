#include "gauze/schema/hierarchies/kinds/dates.h"

#include <algorithm>
#include <array>

#include "gauze/base/ascii.h"

namespace gauze::schema {
namespace {

/// Takes the digits at the front of the text, at most four; the number and how many there were.
struct Digits {
  int value = 0;
  int count = 0;
};

Digits take_digits(std::string_view& text) {
  Digits result;
  while (!text.empty() && is_digit(text.front()) && result.count < 5) {
    result.value = 10 * result.value + (text.front() - '0');
    ++result.count;
    text.remove_prefix(1);
  }
  return result;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

/// Three numbers with their separators, as they were written.
struct Pieces {
  std::array<Digits, 3> numbers;
  int count = 0;
  char separator = 0;  // '-', '/', '.', or 'n' for the Chinese signs
};

bool is_time(std::string_view text) {
  if (text.size() < 2 || (text.front() != 'T' && text.front() != ' ') || !is_digit(text[1])) return false;
  return text.find_first_not_of("0123456789:.+-Z ", 1) == std::string_view::npos;
}

std::optional<Pieces> cut_chinese(std::string_view text, Digits year) {
  Pieces pieces{.numbers = {year}, .count = 1, .separator = 'n'};
  pieces.numbers[1] = take_digits(text);
  pieces.count = 2;
  if (!take(text, "月")) return std::nullopt;
  if (!text.empty()) {
    pieces.numbers[2] = take_digits(text);
    pieces.count = 3;
    if (!take(text, "日") || (!text.empty() && !is_time(text))) return std::nullopt;
  }
  return pieces;
}

std::optional<Pieces> cut(std::string_view text) {
  Pieces pieces;
  pieces.numbers[0] = take_digits(text);
  pieces.count = 1;
  if (pieces.numbers[0].count == 0 || text.empty()) return std::nullopt;
  if (take(text, "年")) return cut_chinese(text, pieces.numbers[0]);
  pieces.separator = text.front();
  if (pieces.separator != '-' && pieces.separator != '/' && pieces.separator != '.') return std::nullopt;
  while (pieces.count < 3 && !text.empty() && text.front() == pieces.separator) {
    text.remove_prefix(1);
    const Digits number = take_digits(text);
    if (number.count == 0) return std::nullopt;
    pieces.numbers[static_cast<std::size_t>(pieces.count++)] = number;
  }
  if (!text.empty() && (pieces.count < 3 || !is_time(text))) return std::nullopt;
  return pieces;
}

bool is_year_last(const Pieces& pieces) {
  return pieces.count == 3 && pieces.numbers[0].count <= 2 && pieces.numbers[1].count <= 2 &&
         pieces.numbers[2].count == 4;
}

bool depends_on_order(const Pieces& pieces) { return is_year_last(pieces) && pieces.separator != '.'; }

int days_in(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month) - 1];
}

constexpr std::int64_t kMostSpans = 100'000;

std::string label(const Date& date, DatesSpec::Unit unit) {
  switch (unit) {
    case DatesSpec::Unit::day:
      return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
    case DatesSpec::Unit::month:
      return fmt::format("{:04}-{:02}", date.year, date.month);
    case DatesSpec::Unit::year:
      return fmt::format("{:04}", date.year);
    case DatesSpec::Unit::decade:
      return fmt::format("{:03}0s", date.year / 10);
  }
  return {};
}

/// Days since the first of January of the year 0; the month alone counts as its first day.
std::int64_t day_number(const Date& date) {
  const int before = date.year - 1;  // the leap years before this year, of which the year 0 is one
  std::int64_t days =
      std::int64_t{365} * date.year + (date.year == 0 ? 0 : before / 4 - before / 100 + before / 400 + 1);
  for (int month = 1; month < date.month; ++month) days += days_in(date.year, month);
  return days + std::max(date.day, 1) - 1;
}

/// The last day of the unit that the date lies in.
Date end_of(const Date& date, DatesSpec::Unit unit) {
  switch (unit) {
    case DatesSpec::Unit::day:
      return date;
    case DatesSpec::Unit::month:
      return {date.year, date.month, days_in(date.year, date.month)};
    case DatesSpec::Unit::year:
      return {date.year, 12, 31};
    case DatesSpec::Unit::decade:
      return {date.year / 10 * 10 + 9, 12, 31};
  }
  return date;
}

Date day_after(const Date& date) {
  if (date.day < days_in(date.year, date.month)) return {date.year, date.month, date.day + 1};
  if (date.month < 12) return {date.year, date.month + 1, 1};
  return {date.year + 1, 1, 1};
}

bool holds(const DateRange& range, const Date& date) {
  if (date.day > 0) return day_number(range.from) <= day_number(date) && day_number(date) <= day_number(range.to);
  const Date last = end_of(date, DatesSpec::Unit::month);
  return day_number(range.from) <= day_number(last) && day_number(date) <= day_number(range.to);
}

class Dates : public Generaliser {
 public:
  explicit Dates(DatesSpec spec) : spec_(std::move(spec)) {}

  [[nodiscard]] std::size_t levels() const override { return spec_.levels.size(); }
  [[nodiscard]] std::optional<std::string> only_value() const override {
    if (!spec_.range) return std::nullopt;
    std::string first = label(spec_.range->from, spec_.levels.back());
    if (first != label(spec_.range->to, spec_.levels.back())) return std::nullopt;
    return first;
  }
  [[nodiscard]] bool generalise(std::string_view value, std::vector<std::string>& texts) const override {
    const auto date = parse_date(value, spec_.order);
    if (!date || (date->day == 0 && spec_.levels.front() == DatesSpec::Unit::day)) return false;
    if (spec_.range && !holds(*spec_.range, *date)) return false;
    texts.resize(spec_.levels.size());
    for (std::size_t level = 0; level < texts.size(); ++level) texts[level] = label(*date, spec_.levels[level]);
    return true;
  }

 private:
  DatesSpec spec_;
};

}  // namespace

std::optional<Date> parse_date(std::string_view text, std::optional<DateOrder> order) {
  const auto pieces = cut(text);
  if (!pieces || pieces->count < 2) return std::nullopt;
  const auto& [first, second, third] = pieces->numbers;
  Date date;
  if (first.count == 4 && second.count <= 2 && second.count > 0 && third.count <= 2) {
    date = {first.value, second.value, pieces->count == 3 ? third.value : 0};
    if (pieces->count == 3 && third.value == 0) return std::nullopt;
  } else if (is_year_last(*pieces)) {
    // Without an order a number above 12 tells which is the day, and two equal ones need none.
    const bool is_clear = first.value == second.value || (first.value > 12) != (second.value > 12);
    if (depends_on_order(*pieces) && !order && !is_clear) return std::nullopt;
    const bool month_first =
        depends_on_order(*pieces) && (order ? *order == DateOrder::month_first : second.value > 12);
    date = {third.value, month_first ? first.value : second.value, month_first ? second.value : first.value};
    if (date.day == 0) return std::nullopt;
  } else {
    return std::nullopt;
  }
  if (date.month < 1 || date.month > 12 || date.day > days_in(date.year, date.month)) return std::nullopt;
  return date;
}

DateOrderEvidence find_date_order(std::span<const std::string> values) {
  DateOrderEvidence evidence;
  for (const std::string& value : values) {
    const auto pieces = cut(value);
    if (!pieces || !depends_on_order(*pieces)) continue;
    const int first = pieces->numbers[0].value;
    const int second = pieces->numbers[1].value;
    if (first != second) evidence.is_needed = true;
    if (first > 12 && second <= 12) evidence.order = DateOrder::day_first;
    if (second > 12 && first <= 12) evidence.order = DateOrder::month_first;
    if (evidence.order) break;
  }
  return evidence;
}

Result<void> check(const DatesSpec& spec) {
  if (spec.levels.empty())
    return invalid_parameter("dates: at least one level is needed: day, month, year or decade");
  for (std::size_t i = 1; i < spec.levels.size(); ++i) {
    if (spec.levels[i] <= spec.levels[i - 1]) {
      return invalid_parameter("dates: levels must become coarser: day, month, year, decade");
    }
  }
  if (!spec.range) return {};
  const auto& [from, to] = *spec.range;
  if (from.day == 0 || to.day == 0) return invalid_parameter("dates: from and to must be whole days: 1920-01-01");
  const std::int64_t days = day_number(to) - day_number(from) + 1;
  if (days < 1) return invalid_parameter("dates: to must not lie before from");
  if (spec.levels.front() == DatesSpec::Unit::day && days > kMostSpans)
    return invalid_parameter("dates: the range has more than {} days: leave the level day out", kMostSpans);
  return {};
}

std::vector<DateSpan> date_spans(const DateRange& range, DatesSpec::Unit unit) {
  std::vector<DateSpan> spans;
  const std::int64_t end = day_number(range.to);
  for (Date first = range.from; day_number(first) <= end;) {
    const Date last = end_of(first, unit);
    spans.push_back({label(first, unit), std::min(day_number(last), end) - day_number(first) + 1});
    first = day_after(last);
  }
  return spans;
}

Result<std::unique_ptr<Generaliser>> make_generaliser(const DatesSpec& spec, std::span<const std::string> values) {
  GAUZE_TRY_VOID(check(spec));
  DatesSpec known = spec;
  if (!known.order && !known.range) {
    const DateOrderEvidence evidence = find_date_order(values);
    const bool matters = spec.levels.front() <= DatesSpec::Unit::month;
    if (evidence.is_needed && !evidence.order && matters) {
      return invalid_parameter(
          "dates: no value tells whether the day or the month comes first; give order: day-first or month-first");
    }
    known.order = evidence.order.value_or(DateOrder::day_first);
  }
  return std::make_unique<Dates>(std::move(known));
}

}  // namespace gauze::schema
