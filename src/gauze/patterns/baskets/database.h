#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"

namespace gauze::patterns {

/// The place of an item among the names of a database.
using Item = std::uint32_t;
/// Rising, none twice.
using Itemset = std::vector<Item>;

/// Transactions over named items, three-valued: in a row an item is there, is marked as unknown, or is absent.
///
/// Anchored marks say which item is unknown; anonymous ones only that some item of the row is hidden. Support without
/// further words is definite support: an unknown item counts as absent.
struct Database {
  std::vector<std::string> names;              ///< of items, in the order of their first appearance
  std::vector<std::size_t> starts = {0};       ///< row r holds items[starts[r]] to items[starts[r + 1] - 1]
  std::vector<Item> items;                     ///< of all rows; rising within a row, none twice
  std::vector<std::size_t> mark_starts = {0};  ///< the same for anchored marks
  std::vector<Item> marks;                     ///< rising within a row, none of them among its items
  std::vector<std::uint32_t> anonymous;        ///< anonymous marks of each row; empty when there are none at all

  [[nodiscard]] std::size_t rows() const { return starts.size() - 1; }
  [[nodiscard]] std::span<const Item> row(std::size_t r) const {
    return std::span(items).subspan(starts[r], starts[r + 1] - starts[r]);
  }
  [[nodiscard]] std::span<const Item> marks_of(std::size_t r) const {
    return std::span(marks).subspan(mark_starts[r], mark_starts[r + 1] - mark_starts[r]);
  }
  [[nodiscard]] std::uint32_t anonymous_of(std::size_t r) const { return anonymous.empty() ? 0 : anonymous[r]; }
  [[nodiscard]] bool has_marks() const { return !marks.empty() || !anonymous.empty(); }

  /// Ends a row: sorts its items and marks and drops what is there twice. A marked item that is also there is there.
  void add_row(std::vector<Item>& row_items, std::vector<Item>& row_marks, std::uint32_t anonymous_marks = 0);
};

/// How a set stands in a row: how many of its items an anchored mark leaves open, and how many are neither there nor marked.
struct RowStanding {
  std::uint32_t open = 0;
  std::uint32_t absent = 0;
  [[nodiscard]] bool sure() const { return open == 0 && absent == 0; }
};
[[nodiscard]] RowStanding standing_in_row(const Database& database, std::size_t row, std::span<const Item> set);

/// The smallest integer c with c / rows >= min_support, in exact arithmetic: 0.28 of 25 is 7. At least 1.
[[nodiscard]] std::uint64_t min_count_for(const Rational& min_support, std::uint64_t rows);

/// Whether all items of the set are among the items, both rising.
[[nodiscard]] bool holds(std::span<const Item> items, std::span<const Item> set);

/// Definite supports of the sets, in one pass over the rows.
[[nodiscard]] std::vector<std::uint64_t> supports(const Database& database, std::span<const Itemset> sets);

}  // namespace gauze::patterns
