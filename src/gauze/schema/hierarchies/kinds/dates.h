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

/// Reads 2024-05-17, 2024/5/17, 2024.05.17, 2024年5月17日, 17.05.2024, and with an order 17/05/2024 and 17-05-2024; also
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

/// Dates become months, years, decades: 2024-05-17, 2024-05, 2024, 2020s, whatever the way they are written in.
struct DatesSpec {
  enum class Unit { day, month, year, decade };
  std::vector<Unit> levels = {Unit::month, Unit::year, Unit::decade};  ///< rising
  std::optional<DateOrder> order;                                      ///< found out from the values unless given
  friend bool operator==(const DatesSpec&, const DatesSpec&) = default;
};

/// Refuses units that do not rise, and no units.
[[nodiscard]] Result<void> check(const DatesSpec& spec);

/// Covers what parse_date reads (with a level `day`, only whole dates). Refuses values whose order is not known.
[[nodiscard]] Result<std::unique_ptr<Generaliser>> make_generaliser(const DatesSpec& spec,
                                                                    std::span<const std::string> values);

}  // namespace gauze::schema
