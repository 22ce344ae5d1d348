#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/schema/hierarchies/kinds/generaliser.h"

namespace gauze::schema {

/// A day of the Gregorian calendar; day 0: only the month is known.
struct Date {
  int year = 0;
  int month = 0;
  int day = 0;
  friend bool operator==(const Date&, const Date&) = default;
};

/// How 03/04/2024 is to be read.
enum class DateOrder { day_first, month_first };

/// Reads 2024-05-17, 2024/5/17, 2024.05.17, 2024年5月17日, 17.05.2024, 17/05/2024, and with an order 07/05/2024 and 07-05-2024; also
/// without the day (2024-05, 2024/05, 2024年5月), and with a time behind a T or a blank. Years have four digits. Nothing when
/// it is none of these, or no day of the calendar.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text, std::optional<DateOrder> order);

/// What the values say about the order: a number above 12 in the first or second place decides. Nothing when none does.
/// `is_needed` tells whether any value depends on it.
struct DateOrderEvidence {
  std::optional<DateOrder> order;
  bool is_needed = false;
};
[[nodiscard]] DateOrderEvidence find_date_order(std::span<const std::string> values);

/// The first and the last day of a public domain of dates, both in it.
struct DateRange {
  Date from;
  Date to;
  friend bool operator==(const DateRange&, const DateRange&) = default;
};

/// Dates become months, years, decades: 2024-05-17, 2024-05, 2024, 2020s, whatever the way they are written in.
struct DatesSpec {
  enum class Unit { day, month, year, decade };
  std::vector<Unit> levels = {Unit::month, Unit::year, Unit::decade};  ///< rising
  std::optional<DateOrder> order;       ///< found out from the values unless given; never found out with a range
  std::optional<DateRange> range = {};  ///< with it the values of all levels are known without data
  friend bool operator==(const DatesSpec&, const DatesSpec&) = default;
};

/// Refuses units that do not rise, and no units; a range that ends before it begins, that is not of whole days, or that
/// makes more than 100,000 values of a level.
[[nodiscard]] Result<void> check(const DatesSpec& spec);

/// A value of a level, and how many days of the range it holds.
struct DateSpan {
  std::string text;
  std::int64_t days = 0;
};
/// The values of a level in order of time. The spec has a range.
[[nodiscard]] std::vector<DateSpan> date_spans(const DateRange& range, DatesSpec::Unit unit);

/// Covers what parse_date reads (with a level `day`, only whole dates), in the range if there is one: a date without its
/// day is in it when a day of its month is. Refuses values whose order is not known; with a range such values are not
/// covered, because no value may decide how another is read.
[[nodiscard]] Result<std::unique_ptr<Generaliser>> make_generaliser(const DatesSpec& spec,
                                                                    std::span<const std::string> values);

}  // namespace gauze::schema
