#include "gauze/anonymize/job/suppressed_rows.h"

#include <algorithm>

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

bool among(const std::vector<std::size_t>& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

/// The written columns that are no quasi-identifiers, and the insensitive ones of them.
struct OtherColumns {
  std::vector<std::size_t> all;
  std::vector<std::size_t> insensitive;
};

OtherColumns other_columns(const table::Source& table, const Policy& policy,
                           const std::vector<std::size_t>& dropped) {
  OtherColumns columns;
  for (std::size_t place = 0; place < table.columns().size(); ++place) {
    const PolicyColumn* const column = policy.find(table.columns()[place]);
    if (among(dropped, place) || (column != nullptr && column->has(Role::quasi))) continue;
    columns.all.push_back(place);
    if (column != nullptr && column->roles == std::vector<Role>{Role::insensitive})
      columns.insensitive.push_back(place);
  }
  return columns;
}

/// Whether fewer than k of the rows may show something in these columns: a row shows nothing where all of them are `*`
/// already. Counts such rows in the whole table, which can only be more.
Result<bool> too_few_show(std::uint64_t rows, std::uint64_t k, const std::vector<std::size_t>& columns,
                          table::Source& table, Progress& progress) {
  if (rows < k) return true;
  table::Grouping grouping;
  for (const std::size_t column : columns)
    grouping.filters.push_back({.column = column, .texts = {std::string(kSuppressedText)}});
  GAUZE_TRY(const table::TupleCounts found, table.group(grouping, progress));
  std::uint64_t hidden = 0;
  for (const std::uint64_t count : found.counts) hidden += count;
  return hidden > 0 && rows < k + hidden;
}

/// Records of classes of which nothing is left.
std::uint64_t records_of_stars(const Recoding& recoding) {
  std::uint64_t records = 0;
  for (const Recoding::Class& one : recoding.classes)
    if (is_all_stars(recoding, one)) records += one.records;
  return records;
}

}  // namespace

bool is_all_stars(const Recoding& recoding, const Recoding::Class& one) {
  for (std::size_t quasi = 0; quasi < one.cells.size(); ++quasi)
    if (recoding.values[quasi][one.cells[quasi]].text != kSuppressedText) return false;
  return true;
}

Result<StarRows> star_rows(table::Source& table, const Policy& policy, const Recoding& recoding,
                           SuppressedRows suppressed, const std::vector<std::size_t>& dropped,
                           const std::vector<std::size_t>& pseudonymous, Progress& progress) {
  StarRows rows;
  const std::uint64_t k = policy.privacy.k;
  const OtherColumns others = other_columns(table, policy, dropped);
  const std::uint64_t stars = records_of_stars(recoding);
  if (suppressed != SuppressedRows::keep && stars > 0 && pseudonymous.empty() && !others.all.empty()) {
    GAUZE_TRY(rows.blank_classes, too_few_show(stars, k, others.all, table, progress));
  }
  if (rows.blank_classes) {
    rows.blanked = others.all;
  } else if (suppressed == SuppressedRows::blank && recoding.suppressed > 0) {
    bool too_few = true;
    if (!others.insensitive.empty()) {
      GAUZE_TRY(too_few, too_few_show(recoding.suppressed, k, others.insensitive, table, progress));
    }
    for (const std::size_t place : others.all)
      if (too_few || !among(others.insensitive, place)) rows.blanked.push_back(place);
  }
  return rows;
}

}  // namespace gauze::anonymize
