#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/anonymize/criteria/sensitive_column.h"

namespace gauze::anonymize {

/// What the distribution in a class is compared with: how many of some records, those of the class among them, have each
/// value of a sensitive column.
///
/// Values that none of these records has are no values here: ordered distance counts the steps between those that a
/// reader of the records sees. The column must outlive the distribution.
/// Thread safety: const members may be called concurrently.
class ReferenceDistribution {
 public:
  /// Over all records of the column.
  explicit ReferenceDistribution(const SensitiveColumn& column);
  /// Over other records of it: how many have each code.
  void count(std::span<const std::uint64_t> totals);

  [[nodiscard]] std::uint64_t records() const { return up_to_.back(); }
  [[nodiscard]] std::uint64_t total(std::uint32_t code) const { return totals_[code]; }

  /// How many values occur.
  [[nodiscard]] std::size_t values() const { return up_to_.size() - 1; }
  /// The place of a value that occurs among them, in the natural order.
  [[nodiscard]] std::uint32_t rank(std::uint32_t code) const { return rank_[code]; }
  /// Records with one of the first `ranks` values.
  [[nodiscard]] std::uint64_t up_to(std::size_t ranks) const { return up_to_[ranks]; }
  /// The first of the ranks [from, to) after which more than `records` have been seen; `to` when there is none.
  [[nodiscard]] std::size_t first_above(std::size_t from, std::size_t to, double records) const;
  /// up_to(0), up_to(1), ...: exact below 2^53.
  [[nodiscard]] std::span<const double> up_to_as_double() const { return up_to_as_double_; }
  /// The sum of up_to(1), ..., up_to(ranks).
  [[nodiscard]] std::uint64_t up_to_sum(std::size_t ranks) const { return up_to_sums_[ranks]; }

  /// Records below a node of the column's tree; nodes of level 0 are the codes.
  [[nodiscard]] std::uint64_t below(std::size_t level, std::uint32_t node) const { return below_[level][node]; }
  [[nodiscard]] const SensitiveColumn& column() const { return column_; }

 private:
  const SensitiveColumn& column_;
  std::vector<std::uint64_t> totals_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint64_t> up_to_;
  std::vector<double> up_to_as_double_;
  std::vector<std::uint64_t> up_to_sums_;
  std::vector<std::vector<std::uint64_t>> below_;  // [level][node], levels below the top
};

}  // namespace gauze::anonymize
