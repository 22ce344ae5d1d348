#include "gauze/anonymize/inspect/column_figures.h"

#include <algorithm>
#include <array>

#include "gauze/schema/hierarchies/kinds/dates.h"
#include "gauze/schema/hierarchies/kinds/ordering.h"

namespace gauze::anonymize {
namespace {

constexpr std::size_t kCommonest = 3;

/// The places of the values from the least to the largest.
std::vector<std::uint32_t> ordered(const std::vector<std::string>& values, table::ColumnType type,
                                   table::DecimalSign decimal) {
  std::vector<std::uint32_t> order = schema::natural_order(values, decimal);
  if (type != table::ColumnType::date) return order;
  const auto evidence = schema::find_date_order(values);
  std::vector<std::array<int, 3>> days;
  for (const std::string& value : values) {
    const auto day = schema::parse_date(value, evidence.order.value_or(schema::DateOrder::day_first));
    days.push_back(day ? std::array{day->year, day->month, day->day} : std::array<int, 3>{});
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return days[a] < days[b]; });
  return order;
}

}  // namespace

ColumnFigures column_figures(const table::ColumnSummary& summary, std::uint64_t rows) {
  ColumnFigures figures;
  const std::uint64_t present = rows - std::min(rows, summary.missing);
  if (present > 0) figures.distinction = static_cast<double>(summary.distinct) / static_cast<double>(present);
  if (!summary.dictionary) return figures;
  std::vector<std::string> values;
  std::vector<std::uint64_t> counts;
  double same = 0;  // ordered pairs of rows with one value
  for (std::size_t code = 0; code < summary.dictionary->values.size(); ++code) {
    const std::uint64_t count = summary.counts[code];
    same += static_cast<double>(count) * static_cast<double>(count == 0 ? 0 : count - 1);
    if (code == summary.dictionary->missing) continue;
    values.push_back(summary.dictionary->values[code]);
    counts.push_back(count);
  }
  if (rows > 1) figures.separation = 1 - same / (static_cast<double>(rows) * static_cast<double>(rows - 1));
  if (values.empty()) return figures;
  const std::vector<std::uint32_t> order = ordered(values, summary.type, summary.dictionary->decimal);
  figures.least = values[order.front()];
  figures.largest = values[order.back()];
  std::vector<std::uint32_t> common = order;
  std::stable_sort(common.begin(), common.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  for (std::size_t i = 0; i < std::min(common.size(), kCommonest) && counts[common[i]] > 1; ++i)
    figures.commonest.push_back({values[common[i]], counts[common[i]]});
  return figures;
}

}  // namespace gauze::anonymize
