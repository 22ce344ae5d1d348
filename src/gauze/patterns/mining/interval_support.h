#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns {

/// What the support of a set can be, over all ways to fill the unknown marks in.
struct SupportInterval {
  std::uint64_t low = 0;   ///< rows that hold it definitely
  std::uint64_t high = 0;  ///< rows that may hold it
};

/// Tight: both ends are reached by a completion. An anonymous mark may stand for any one item that the row does not hold.
[[nodiscard]] SupportInterval support_interval(const Database& database, std::span<const Item> set);

/// What the confidence of A => B (disjoint sets) can be.
struct ConfidenceInterval {
  double low = 0;
  double high = 1;
  bool may_be_undefined = false;  ///< there is a completion in which no row holds A
};

/// Tight over all completions in which some row holds A; nothing when there is none.
[[nodiscard]] std::optional<ConfidenceInterval> confidence_interval(const Database& database, std::span<const Item> a,
                                                                    std::span<const Item> b);

/// The same for many sets of one database, whose definite supports are known: looks only at rows with marks.
///
/// Thread safety: const members may be called concurrently. The database must outlive it.
class IntervalIndex {
 public:
  explicit IntervalIndex(const Database& database);
  [[nodiscard]] SupportInterval support(std::span<const Item> set, std::uint64_t definite) const;
  /// `definite`: of A and B together; `definite_a`: of A.
  [[nodiscard]] std::optional<ConfidenceInterval> confidence(std::span<const Item> a, std::span<const Item> b,
                                                             std::uint64_t definite, std::uint64_t definite_a) const;

 private:
  /// Rows in which a mark may stand for an item of the set.
  [[nodiscard]] std::vector<std::uint32_t> open_rows(std::span<const Item> a, std::span<const Item> b) const;

  const Database& database_;
  std::vector<std::uint32_t> anonymous_rows_;
  std::vector<std::vector<std::uint32_t>> rows_of_marks_;  // by item
};

}  // namespace gauze::patterns
