#pragma once

#include <span>
#include <vector>

#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns::internal {

/// The transactions that have marks, to ask how many of them leave a set open.
class UnknownRows {
 public:
  explicit UnknownRows(const Database& database);

  /// Transactions with any mark.
  [[nodiscard]] std::size_t rows() const { return marked_.size(); }
  /// Of these, those that may hold the set or not.
  [[nodiscard]] std::uint64_t of(std::span<const Item> set) const;

 private:
  [[nodiscard]] bool is_open(std::size_t row, std::span<const Item> set) const;

  const Database& database_;
  std::vector<std::size_t> marked_;
  std::vector<std::size_t> anonymous_;             // rows with anonymous marks
  std::vector<std::vector<std::size_t>> by_mark_;  // rows with an anchored mark on the item and no anonymous one
};

}  // namespace gauze::patterns::internal
