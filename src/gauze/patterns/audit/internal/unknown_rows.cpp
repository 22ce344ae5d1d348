#include "gauze/patterns/audit/internal/unknown_rows.h"

#include <algorithm>

namespace gauze::patterns::internal {

UnknownRows::UnknownRows(const Database& database) : database_(database), by_mark_(database.names.size()) {
  for (std::size_t row = 0; row < database.rows(); ++row) {
    const auto marks = database.marks_of(row);
    if (database.anonymous_of(row) > 0)
      anonymous_.push_back(row);
    else
      for (const Item item : marks) by_mark_[item].push_back(row);
    if (!marks.empty() || database.anonymous_of(row) > 0) marked_.push_back(row);
  }
}

bool UnknownRows::is_open(std::size_t row, std::span<const Item> set) const {
  const RowStanding standing = standing_in_row(database_, row, set);
  return !standing.sure() && standing.absent <= database_.anonymous_of(row);
}

std::uint64_t UnknownRows::of(std::span<const Item> set) const {
  std::uint64_t count = 0;
  for (const std::size_t row : anonymous_) count += is_open(row, set) ? 1 : 0;
  for (const Item item : set) {
    for (const std::size_t row : by_mark_[item]) {
      // A row with marks on several items of the set is counted for the first of them.
      const auto marks = database_.marks_of(row);
      const auto first = std::find_if(set.begin(), set.end(),
                                      [&](Item one) { return std::binary_search(marks.begin(), marks.end(), one); });
      count += *first == item && is_open(row, set) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace gauze::patterns::internal
