#include "gauze/patterns/baskets/database.h"

#include <algorithm>

namespace gauze::patterns {

void Database::add_row(std::vector<Item>& row_items, std::vector<Item>& row_marks, std::uint32_t anonymous_marks) {
  for (std::vector<Item>* list : {&row_items, &row_marks}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  items.insert(items.end(), row_items.begin(), row_items.end());
  for (const Item mark : row_marks)
    if (!std::binary_search(row_items.begin(), row_items.end(), mark)) marks.push_back(mark);
  starts.push_back(items.size());
  mark_starts.push_back(marks.size());
  if (anonymous_marks > 0 && anonymous.empty()) anonymous.assign(rows() - 1, 0);
  if (anonymous_marks > 0 || !anonymous.empty()) anonymous.push_back(anonymous_marks);
}

RowStanding standing_in_row(const Database& database, std::size_t row, std::span<const Item> set) {
  const auto items = database.row(row);
  const auto marks = database.marks_of(row);
  RowStanding result;
  for (const Item item : set) {
    if (std::binary_search(items.begin(), items.end(), item)) continue;
    if (std::binary_search(marks.begin(), marks.end(), item))
      ++result.open;
    else
      ++result.absent;
  }
  return result;
}

std::uint64_t min_count_for(const Rational& min_support, std::uint64_t rows) {
  const auto count = (min_support * Rational(static_cast<std::int64_t>(rows))).ceil().to_int64();
  return count && *count > 1 ? static_cast<std::uint64_t>(*count) : 1;
}

bool holds(std::span<const Item> items, std::span<const Item> set) {
  return std::includes(items.begin(), items.end(), set.begin(), set.end());
}

std::vector<std::uint64_t> supports(const Database& database, std::span<const Itemset> sets) {
  std::vector<std::uint64_t> counts(sets.size(), 0);
  // Each set is looked for only in rows that hold its rarest item.
  std::vector<std::uint64_t> frequency(database.names.size(), 0);
  for (const Item item : database.items) ++frequency[item];
  std::vector<std::vector<std::size_t>> waiting(database.names.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].empty()) {
      counts[i] = database.rows();
      continue;
    }
    const Item rarest = *std::min_element(sets[i].begin(), sets[i].end(),
                                          [&](Item a, Item b) { return frequency[a] < frequency[b]; });
    waiting[rarest].push_back(i);
  }
  for (std::size_t r = 0; r < database.rows(); ++r) {
    const auto row = database.row(r);
    for (const Item item : row)
      for (const std::size_t i : waiting[item]) counts[i] += holds(row, sets[i]) ? 1 : 0;
  }
  return counts;
}

}  // namespace gauze::patterns
