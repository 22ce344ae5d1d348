#include "gauze/audit/releases/internal/class_finder.h"

#include <algorithm>
#include <set>

namespace gauze::audit::internal {
namespace {

/// So many combinations of values are tried for one that is in no row.
constexpr std::uint64_t kMostTries = 200'000;

std::string unlisted_value(std::size_t place) { return fmt::format("no such value {}", place + 1); }

}  // namespace

ClassFinder::ClassFinder(const TableRows& table, const release::ReleasePlan& plan)
    : table_(table), plan_(plan), columns_(plan.columns.size()) {
  for (std::size_t place = 0; place < columns_.size(); ++place) read_column(place);
  for (const auto& [cells, count] : table) {
    ClassCodes codes(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) codes[i] = columns_[i].codes.at(cells[i]);
    if (std::find(codes.begin(), codes.end(), schema::kOutside) != codes.end()) continue;
    rows_.emplace(codes, RowCells(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(columns_.size())));
    sizes_[std::move(codes)] += count;
  }
}

void ClassFinder::read_column(std::size_t place) {
  Column& column = columns_[place];
  column.domain = plan_.domains[place];
  const bool is_chosen = plan_.release.mode == schema::ReleaseMode::select && place < plan_.quasi.size();
  const int level = column.domain == nullptr ? 0 : is_chosen ? column.domain->lowest() : plan_.levels[place];
  std::set<std::optional<std::string>> values;
  for (const auto& [cells, count] : table_) values.insert(cells[place]);
  if (column.domain != nullptr && column.domain->lowest() == 0)
    for (std::uint32_t code = 0; code < column.domain->size(0); ++code) values.insert(column.domain->text(0, code));
  TableRows rows;
  for (const auto& value : values) rows.emplace(RowCells{value}, 1);
  const table::TupleCounts tuples = tuples_of(rows, 1);
  std::vector<std::uint32_t> encoded;
  if (column.domain != nullptr) encoded = column.domain->encode(tuples.dictionaries[0], level);
  std::set<std::uint32_t> seen;
  std::size_t row = 0;
  for (const auto& value : values) {
    const std::uint32_t own = tuples.codes[0][row++];
    const std::uint32_t code = encoded.empty() ? own : encoded[own];
    column.codes.emplace(value, code);
    if (code != schema::kOutside && seen.insert(code).second) column.values.push_back(value);
  }
}

RowCells ClassFinder::of_largest() const {
  const auto largest = std::max_element(sizes_.begin(), sizes_.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  if (largest != sizes_.end()) return rows_.at(largest->first);
  RowCells row;
  for (const Column& column : columns_) row.push_back(column.values.empty() ? std::nullopt : column.values.front());
  return row;
}

std::vector<RowCells> ClassFinder::occupied(std::size_t most) const {
  std::vector<RowCells> rows;
  for (const auto& [codes, row] : rows_)
    if (rows.size() < most) rows.push_back(row);
  return rows;
}

std::optional<RowCells> ClassFinder::unoccupied() const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].domain != nullptr) continue;
    RowCells row = of_largest();  // a new value of a column that takes what occurs
    for (std::size_t name = i; !row[i] || columns_[i].codes.contains(row[i]); ++name) row[i] = unlisted_value(name);
    return row;
  }
  if (std::any_of(columns_.begin(), columns_.end(), [](const Column& one) { return one.values.empty(); }))
    return std::nullopt;
  std::vector<std::size_t> places(columns_.size(), 0);
  for (std::uint64_t tries = 0; tries < kMostTries; ++tries) {
    ClassCodes codes(columns_.size());
    RowCells row(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      row[i] = columns_[i].values[places[i]];
      codes[i] = columns_[i].codes.at(row[i]);
    }
    if (!sizes_.contains(codes)) return row;
    std::size_t i = 0;
    while (i < places.size() && ++places[i] == columns_[i].values.size()) places[i++] = 0;
    if (i == places.size()) return std::nullopt;
  }
  return std::nullopt;
}

RowCells ClassFinder::outside() const {
  RowCells row;
  for (std::size_t i = 0; i < columns_.size(); ++i) row.emplace_back(unlisted_value(i));
  return row;
}

std::uint64_t ClassFinder::threshold() const {
  if (!plan_.is_stability() || plan_.budget.cell_noise.law == nullptr) return 0;  // as published: no threshold
  const auto release = plan_.histogram_release(1);
  return release && release->cut() > 0 ? static_cast<std::uint64_t>(release->cut()) : 0;
}

}  // namespace gauze::audit::internal
