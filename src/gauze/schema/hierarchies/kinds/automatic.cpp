#include "gauze/schema/hierarchies/kinds/automatic.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gauze/base/utf8.h"
#include "gauze/table/odd_cells.h"

namespace gauze::schema {
namespace {

constexpr std::size_t kFewValues = 4;
constexpr std::size_t kFewTexts = 8;
constexpr std::size_t kMostLevels = 4;
constexpr std::int64_t kFinestIntervals = 20;
constexpr std::size_t kEqualGroups = 16;
constexpr std::size_t kLongestCode = 20;
constexpr std::uint64_t kHalf = 50;  // percent

/// Nothing but `*` above the values: all of them are one group.
HierarchySpec only_the_top(std::size_t values) {
  return OrderSpec{.values = {}, .fanout = static_cast<std::uint32_t>(std::max<std::size_t>(2, values))};
}

/// 1, 2 and 5 times the powers of ten: the smallest that is not below the number, which is positive.
Rational round_up(const Rational& number) {
  Rational power = 1;
  while (power > number) power /= 10;
  while (power * 10 <= number) power *= 10;
  for (const int factor : {1, 2, 5}) {
    if (power * factor >= number) return power * factor;
  }
  return power * 10;
}

/// The next round width that is a multiple of this one.
Rational next_width(const Rational& width) {
  Rational next = round_up(width * 2);
  while (!(next / width).is_integer()) next = round_up(next + width);
  return next;
}

/// The sorted numbers as places of as many bounds as groups, each list halving the one before.
IntervalsSpec equal_counts(const std::vector<Rational>& sorted) {
  std::size_t groups = kEqualGroups;
  while (groups > 2 && sorted.size() / groups < 2) groups /= 2;
  IntervalsSpec spec;
  for (; groups >= 2; groups /= 2) {
    std::vector<Rational>& bounds = spec.bounds.emplace_back();
    for (std::size_t i = 0; i < groups; ++i) bounds.push_back(sorted[i * sorted.size() / groups]);
    bounds.push_back(sorted.back());
  }
  return spec;
}

bool crowds_in_one_interval(const std::vector<Rational>& sorted, const std::vector<Rational>& bounds) {
  std::size_t begin = 0;
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    const auto end =
        static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), bounds[i]) - sorted.begin());
    if ((end - begin) * 2 > sorted.size()) return true;
    begin = end;
  }
  return false;
}

HierarchySpec compose_for_numbers(std::vector<Rational> numbers) {
  const std::size_t texts = numbers.size();  // 1 and 1.0 are two values of the column, but one number
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.size() <= kFewValues) return only_the_top(texts);
  const bool whole = std::all_of(numbers.begin(), numbers.end(), [](const Rational& n) { return n.is_integer(); });
  const Rational range = numbers.back() - numbers.front();
  WidthsSpec spec;
  spec.width = round_up(range / kFinestIntervals);
  if (whole && spec.width < 2) spec.width = 2;
  Rational widest = spec.width;
  while (spec.then.size() + 1 < kMostLevels) {
    const Rational next = next_width(widest);
    if (next >= range) break;
    spec.then.push_back(next);
    widest = next;
  }
  spec.from = (numbers.front() / widest).floor() * widest;
  spec.to = (numbers.back() / widest).ceil() * widest;
  const auto bounds = bounds_of(spec);
  if (!bounds || crowds_in_one_interval(numbers, bounds->bounds.front())) return equal_counts(numbers);
  return spec;
}

std::optional<std::vector<Rational>> as_numbers(std::span<const std::string> values, table::DecimalSign decimal) {
  std::vector<Rational> numbers;
  numbers.reserve(values.size());
  for (const std::string& value : values) {
    auto number = table::parse_number(value, decimal);
    if (!number) return std::nullopt;
    numbers.push_back(*std::move(number));
  }
  return numbers;
}

std::optional<HierarchySpec> as_dates(std::span<const std::string> values) {
  const DateOrderEvidence evidence = find_date_order(values);
  DatesSpec spec;
  spec.order = evidence.is_needed ? std::optional(evidence.order.value_or(DateOrder::day_first)) : std::nullopt;
  if (evidence.is_needed && !evidence.order) spec.levels = {DatesSpec::Unit::year, DatesSpec::Unit::decade};
  for (const std::string& value : values) {
    if (!parse_date(value, spec.order.value_or(DateOrder::day_first))) return std::nullopt;
  }
  return spec;
}

/// What the texts look like, one by one.
struct Shape {
  std::size_t shortest = 0;
  std::size_t longest = 0;
  bool all_have_digits = true;
  bool all_are_digits = true;
  bool some_begin_with_zero = false;
};

Shape shape_of(std::span<const std::string> values) {
  constexpr std::string_view kDigits = "0123456789";
  Shape shape;
  for (const std::string& value : values) {
    const std::size_t length = character_count(value);
    shape.shortest = shape.longest == 0 ? length : std::min(shape.shortest, length);
    shape.longest = std::max(shape.longest, length);
    shape.all_have_digits = shape.all_have_digits && value.find_first_of(kDigits) != std::string::npos;
    shape.all_are_digits = shape.all_are_digits && value.find_first_not_of(kDigits) == std::string::npos;
    shape.some_begin_with_zero = shape.some_begin_with_zero || (value.size() > 1 && value.front() == '0');
  }
  return shape;
}

HierarchySpec mask_for(std::size_t longest) {
  MaskSpec spec;
  for (std::size_t i = 1; i <= kMostLevels; ++i) {
    const auto step = static_cast<std::uint32_t>(std::max<std::size_t>(1, (2 * longest * i + 5) / 10));
    if (step < longest && (spec.steps.empty() || step > spec.steps.back())) spec.steps.push_back(step);
  }
  return spec;
}

tl::unexpected<Error> refuse(const table::OddCells& odd) {
  return make_error(
      ErrorCode::bad_data,
      "of its {} values {}: if these mean missing, name the null tokens {}; else give it a hierarchy (kind order: the order of "
      "letters)",
      odd.of, odd.to_text(), odd.null_tokens());
}

}  // namespace

Result<HierarchySpec> compose_automatically(std::span<const std::string> values, table::DecimalSign decimal) {
  if (values.size() <= kFewValues) return only_the_top(kFewValues);
  const Shape shape = shape_of(values);
  const bool same_length = shape.shortest == shape.longest && shape.longest >= 3;
  if (same_length && shape.all_are_digits && shape.some_begin_with_zero) return mask_for(shape.longest);
  if (auto numbers = as_numbers(values, decimal)) return compose_for_numbers(*std::move(numbers));
  if (const auto dates = as_dates(values)) return *dates;
  if (const auto odd = table::find_odd_cells(values, {}, table::kNearlyAllPercent, decimal)) return refuse(*odd);
  const bool codes = shape.all_have_digits && shape.longest >= 3 && shape.longest - shape.shortest <= 3;
  if ((same_length || codes) && shape.longest <= kLongestCode) return mask_for(shape.longest);
  if (values.size() <= kFewTexts) return only_the_top(values.size());
  // The order of letters would put 105 between 1 and 15: no column that is half of numbers gets it without being asked.
  if (const auto odd = table::find_odd_cells(values, {}, kHalf, decimal)) return refuse(*odd);
  // Two levels between the values and the top, each with about as many children a group.
  const double fanout = std::ceil(std::cbrt(static_cast<double>(values.size())));
  return OrderSpec{.values = {}, .fanout = static_cast<std::uint32_t>(std::max(2.0, fanout))};
}

}  // namespace gauze::schema
