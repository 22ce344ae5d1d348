#include "gauze/assess/measures/published_loss.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gauze/schema/domain/domain_column.h"

namespace gauze::assess {
namespace {

struct Entry {
  double value = 0;
  double rows = 0;
  std::uint32_t code = 0;
};

struct Extent {
  double low = 0;
  double high = 0;
};

/// The bounds of a level, where a rule of intervals names them.
std::vector<Rational> bounds_at(const schema::PolicyColumn& column, int level) {
  if (!column.hierarchy || level < 1) return {};
  const auto of = [&](const schema::IntervalsSpec& spec) {
    const auto place = static_cast<std::size_t>(level) - 1;
    // Above the last list all numbers are one value.
    if (place >= spec.bounds.size())
      return std::vector<Rational>{spec.bounds.back().front(), spec.bounds.back().back()};
    return spec.bounds[place];
  };
  if (const auto* intervals = std::get_if<schema::IntervalsSpec>(&*column.hierarchy)) return of(*intervals);
  if (const auto* widths = std::get_if<schema::WidthsSpec>(&*column.hierarchy))
    if (const auto bounds = schema::bounds_of(*widths)) return of(*bounds);
  return {};
}

double loss_of_numbers(const std::vector<Entry>& entries, const std::vector<Rational>& bounds) {
  Extent all{entries.front().value, entries.front().value};
  std::map<std::uint32_t, Extent> groups;
  for (const Entry& one : entries) {
    all = {std::min(all.low, one.value), std::max(all.high, one.value)};
    const auto [found, is_new] = groups.try_emplace(one.code, Extent{one.value, one.value});
    found->second = {std::min(found->second.low, one.value), std::max(found->second.high, one.value)};
  }
  if (!(all.high > all.low)) return 0;
  const auto extent_of = [&](const Entry& one) {
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      const double low = bounds[i].to_double();
      const double high = bounds[i + 1].to_double();
      const bool last = i + 2 == bounds.size();
      if (one.value >= low && (one.value < high || (last && one.value <= high)))
        return Extent{std::max(low, all.low), std::min(high, all.high)};
    }
    return groups.at(one.code);
  };
  double sum = 0;
  double rows = 0;
  for (const Entry& one : entries) {
    const Extent extent = extent_of(one);
    sum += one.rows * std::abs(one.value - (extent.low + extent.high) / 2);
    rows += one.rows;
  }
  return sum / rows / (all.high - all.low);
}

}  // namespace

double published_loss(const schema::PolicyColumn& column, const table::Dictionary& values,
                      std::span<const std::uint32_t> codes, std::span<const std::uint64_t> rows, int level) {
  std::vector<Entry> entries;
  std::set<std::uint32_t> left;
  bool numbers = true;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    if (code == values.missing || code == values.outside || codes[code] == schema::kOutside || rows[code] == 0)
      continue;
    const auto number = table::parse_number(values.values[code], values.decimal);
    numbers = numbers && number.has_value();
    entries.push_back({number ? number->to_double() : 0, static_cast<double>(rows[code]), codes[code]});
    left.insert(codes[code]);
  }
  if (entries.empty()) return 0;
  if (numbers) return loss_of_numbers(entries, bounds_at(column, level));
  const auto before = static_cast<double>(entries.size());
  return before > 1 ? (before - static_cast<double>(left.size())) / (before - 1) : 0;
}

}  // namespace gauze::assess
