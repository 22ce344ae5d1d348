#include "gauze/schema/cleaning/cell_cleaning.h"

#include <tuple>

#include "gauze/schema/cleaning/tuple_mapping.h"

namespace gauze::schema {
namespace {

constexpr int kBoundDigits = 1000;  // more than Rational::parse reads

std::string bound_text(const Date& day) { return fmt::format("{:04}-{:02}-{:02}", day.year, day.month, day.day); }

}  // namespace

CellCleaning::CellCleaning(Rules rules) : rules_(std::move(rules)) {
  for (const SameValues& one : rules_.same)
    for (const std::string& spelling : one.spellings) name_of_.emplace(spelling, one.name);
  if (!rules_.valid) return;
  if (const auto* numbers = std::get_if<NumberBounds>(&rules_.valid->range)) {
    lowest_ = table::with_sign(numbers->low.to_decimal(kBoundDigits), rules_.decimal);
    highest_ = table::with_sign(numbers->high.to_decimal(kBoundDigits), rules_.decimal);
  } else {
    const auto& range = std::get<DateRange>(rules_.valid->range);
    lowest_ = bound_text(range.from);
    highest_ = bound_text(range.to);
  }
}

bool CellCleaning::makes_other() const { return rules_.valid && rules_.valid->outside == OutsideCells::other; }

std::string_view CellCleaning::outside(std::string_view clamped) const {
  switch (rules_.valid->outside) {
    case OutsideCells::other:
      return kOtherValue;
    case OutsideCells::clamp:
      return clamped;
    case OutsideCells::missing:
      break;
  }
  return {};
}

std::string_view CellCleaning::unreadable(std::string_view text) const {
  return rules_.keeps_texts ? text : outside({});
}

std::string_view CellCleaning::within(std::string_view text, const NumberBounds& bounds) const {
  const auto number = table::parse_number(text, rules_.decimal);
  if (!number) return unreadable(text);
  if (*number < bounds.low) return outside(lowest_);
  return *number > bounds.high ? outside(highest_) : text;
}

std::string_view CellCleaning::within(std::string_view text, const DateRange& range) const {
  const std::optional<Date> day = parse_date(text, rules_.order);
  if (!day) return unreadable(text);
  // A date without its day is in the range when a day of its month is.
  const auto before = [](const Date& a, const Date& b) {
    const bool months = a.day == 0 || b.day == 0;
    return std::tuple(a.year, a.month, months ? 0 : a.day) < std::tuple(b.year, b.month, months ? 0 : b.day);
  };
  if (before(*day, range.from)) return outside(lowest_);
  return before(range.to, *day) ? outside(highest_) : text;
}

std::string_view CellCleaning::clean(std::string_view text) const {
  if (const auto found = name_of_.find(text); found != name_of_.end()) text = found->second;
  if (!rules_.valid) return text;
  return std::visit([&](const auto& range) { return within(text, range); }, rules_.valid->range);
}

table::TupleCounts clean(const table::TupleCounts& tuples,
                         std::span<const std::shared_ptr<const CellCleaning>> columns) {
  std::vector<MappedColumn> mapped;
  for (std::size_t column = 0; column < tuples.dictionaries.size(); ++column) {
    const table::Dictionary& values = tuples.dictionaries[column];
    const CellCleaning* const cleaning = column < columns.size() ? columns[column].get() : nullptr;
    mapped.push_back(cleaning == nullptr ? unchanged(values) : map_values(values, [&](const std::string& text) {
      return std::string(cleaning->clean(text));
    }));
    if (cleaning != nullptr && cleaning->makes_other()) find_outside(mapped.back().dictionary);
  }
  return map_tuples(tuples, std::move(mapped));
}

}  // namespace gauze::schema
