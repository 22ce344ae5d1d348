#include "gauze/patterns/mining/interval_support.h"

#include <algorithm>

namespace gauze::patterns {
namespace {

/// Rows by whether A holds (surely, perhaps) and whether B can hold and can fail together with A.
struct RowKinds {
  double sure_both = 0;   // A and B surely
  double sure_open = 0;   // A surely, B open
  double sure_fails = 0;  // A surely, B cannot hold
  double open_holds = 0;  // A open, and whenever A holds so does B
  double open_open = 0;   // A open, B may hold or fail with it
  double open_fails = 0;  // A open, B cannot hold with it

  void add(const Database& database, std::size_t r, std::span<const Item> a, std::span<const Item> b) {
    const RowStanding of_a = standing_in_row(database, r, a);
    const RowStanding of_b = standing_in_row(database, r, b);
    const std::size_t spare = database.anonymous_of(r);
    if (of_a.absent > spare) return;
    const bool b_possible = of_a.absent + of_b.absent <= spare;
    if (of_a.sure())
      (of_b.sure() ? sure_both : b_possible ? sure_open : sure_fails) += 1;
    else
      (of_b.sure() ? open_holds : b_possible ? open_open : open_fails) += 1;
  }

  [[nodiscard]] std::optional<ConfidenceInterval> interval() const {
    const double sure = sure_both + sure_open + sure_fails;
    if (sure + open_holds + open_open + open_fails == 0) return std::nullopt;
    ConfidenceInterval result;
    result.may_be_undefined = sure == 0;
    // Smallest: rows that can only help stay away, all others come and fail.
    const double least = sure + open_open + open_fails;
    result.low = least > 0 ? sure_both / least : 1;
    // Largest: rows that can hold both come and do, those that would fail stay away.
    const double most = sure + open_holds + open_open;
    result.high = most > 0 ? (sure_both + sure_open + open_holds + open_open) / most : 0;
    return result;
  }
};

}  // namespace

SupportInterval support_interval(const Database& database, std::span<const Item> set) {
  SupportInterval result;
  for (std::size_t r = 0; r < database.rows(); ++r) {
    const RowStanding one = standing_in_row(database, r, set);
    if (one.open == 0 && one.absent == 0) ++result.low;
    if (one.absent <= database.anonymous_of(r)) ++result.high;
  }
  return result;
}

std::optional<ConfidenceInterval> confidence_interval(const Database& database, std::span<const Item> a,
                                                      std::span<const Item> b) {
  RowKinds kinds;
  for (std::size_t r = 0; r < database.rows(); ++r) kinds.add(database, r, a, b);
  return kinds.interval();
}

IntervalIndex::IntervalIndex(const Database& database) : database_(database), rows_of_marks_(database.names.size()) {
  for (std::size_t r = 0; r < database.rows(); ++r) {
    const auto row = static_cast<std::uint32_t>(r);
    if (database.anonymous_of(r) > 0)
      anonymous_rows_.push_back(row);
    else
      for (const Item mark : database.marks_of(r)) rows_of_marks_[mark].push_back(row);
  }
}

std::vector<std::uint32_t> IntervalIndex::open_rows(std::span<const Item> a, std::span<const Item> b) const {
  std::vector<std::uint32_t> rows = anonymous_rows_;
  for (const std::span<const Item> set : {a, b})
    for (const Item item : set) rows.insert(rows.end(), rows_of_marks_[item].begin(), rows_of_marks_[item].end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

SupportInterval IntervalIndex::support(std::span<const Item> set, std::uint64_t definite) const {
  SupportInterval result{definite, definite};
  for (const std::uint32_t r : open_rows(set, {})) {
    const RowStanding one = standing_in_row(database_, r, set);
    if (one.open + one.absent > 0 && one.absent <= database_.anonymous_of(r)) ++result.high;
  }
  return result;
}

std::optional<ConfidenceInterval> IntervalIndex::confidence(std::span<const Item> a, std::span<const Item> b,
                                                            std::uint64_t definite, std::uint64_t definite_a) const {
  // Rows without marks that matter hold A and B, or A alone, or do not count.
  RowKinds kinds;
  kinds.sure_both = static_cast<double>(definite);
  kinds.sure_fails = static_cast<double>(definite_a - definite);
  for (const std::uint32_t r : open_rows(a, b)) {
    if (standing_in_row(database_, r, a).sure())
      (standing_in_row(database_, r, b).sure() ? kinds.sure_both : kinds.sure_fails) -= 1;
    kinds.add(database_, r, a, b);
  }
  return kinds.interval();
}

}  // namespace gauze::patterns
