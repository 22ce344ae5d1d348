#include "gauze/table/odd_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "gauze/base/utf8.h"
#include "gauze/table/column_type.h"

namespace gauze::table {
namespace {

constexpr std::size_t kShown = 5;
constexpr std::size_t kLongestShown = 40;

struct Odd {
  std::uint64_t rows = 0;
  std::size_t value = 0;
};

/// A value as a sentence can hold it.
std::string shortened(std::string_view value) {
  if (value.size() <= kLongestShown) return std::string(value);
  std::string text(value.substr(0, kLongestShown));
  while (find_invalid_utf8(text)) text.pop_back();
  return text + "...";
}

}  // namespace

std::string OddCells::to_text() const {
  std::string list;
  for (const std::string& value : values) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", shortened(value));
  const double share = 100 * static_cast<double>(of - cells) / static_cast<double>(of);
  return fmt::format("{:.3g} % are {}, {} {} not ({}{})", share, type == ColumnType::date ? "dates" : "numbers",
                     cells, cells == 1 ? "is" : "are", list, values.size() == kShown ? ", ..." : "");
}

std::string OddCells::null_tokens(std::string_view before_each) const {
  std::string tokens;
  for (const std::string& value : values) {
    tokens += fmt::format("{}{}'", tokens.empty() ? "" : " ", before_each);
    for (const char c : value) tokens += c == '\'' ? std::string("'\\''") : std::string(1, c);
    tokens += '\'';
  }
  return tokens;
}

std::optional<OddCells> find_odd_cells(std::span<const std::string> values, std::span<const std::uint64_t> rows,
                                       std::uint64_t least_percent, DecimalSign decimal) {
  constexpr std::size_t kLeast = 5;
  std::uint64_t numbers = 0;
  std::uint64_t dates = 0;
  std::size_t different_numbers = 0;
  std::size_t different_dates = 0;
  OddCells found;
  std::vector<ColumnType> types;
  types.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t count = rows.empty() ? 1 : rows[i];
    ColumnType type = infer_type(values[i], decimal);
    if (type == ColumnType::integer) type = ColumnType::number;
    types.push_back(type);
    found.of += count;
    numbers += type == ColumnType::number ? count : 0;
    dates += type == ColumnType::date ? count : 0;
    different_numbers += type == ColumnType::number ? 1 : 0;
    different_dates += type == ColumnType::date ? 1 : 0;
  }
  found.type = dates > numbers ? ColumnType::date : ColumnType::number;
  const std::uint64_t fitting = std::max(dates, numbers);
  if (fitting == found.of || fitting * 100 < found.of * least_percent ||
      std::max(different_numbers, different_dates) < kLeast)
    return std::nullopt;
  found.cells = found.of - fitting;
  std::vector<Odd> odd;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (types[i] != found.type) odd.push_back({rows.empty() ? 1 : rows[i], i});
  std::stable_sort(odd.begin(), odd.end(), [](const Odd& a, const Odd& b) { return a.rows > b.rows; });
  for (std::size_t i = 0; i < std::min(odd.size(), kShown); ++i) found.values.push_back(values[odd[i].value]);
  return found;
}

std::optional<OddCells> find_odd_cells(const ColumnSummary& summary) {
  if (!summary.dictionary || summary.type != ColumnType::text) return std::nullopt;
  std::vector<std::string> values;
  std::vector<std::uint64_t> rows;
  for (std::size_t code = 0; code < summary.dictionary->values.size(); ++code) {
    if (code == summary.dictionary->missing) continue;
    values.push_back(summary.dictionary->values[code]);
    rows.push_back(summary.counts[code]);
  }
  return find_odd_cells(values, rows, kNearlyAllPercent, summary.dictionary->decimal);
}

}  // namespace gauze::table
