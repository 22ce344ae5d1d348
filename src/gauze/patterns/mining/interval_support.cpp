#include "gauze/patterns/mining/interval_support.h"

#include <algorithm>

namespace gauze::patterns {
namespace {

/// How a set stands in a row: items that are there, that an anchored mark leaves open, and that are neither.
struct Standing {
  std::size_t open = 0;
  std::size_t absent = 0;
};

Standing standing(const Database& database, std::size_t row, std::span<const Item> set) {
  const auto items = database.row(row);
  const auto marks = database.marks_of(row);
  Standing result;
  for (const Item item : set) {
    if (std::binary_search(items.begin(), items.end(), item)) continue;
    if (std::binary_search(marks.begin(), marks.end(), item))
      ++result.open;
    else
      ++result.absent;
  }
  return result;
}

}  // namespace

SupportInterval support_interval(const Database& database, std::span<const Item> set) {
  SupportInterval result;
  for (std::size_t r = 0; r < database.rows(); ++r) {
    const Standing one = standing(database, r, set);
    if (one.open == 0 && one.absent == 0) ++result.low;
    if (one.absent <= database.anonymous_of(r)) ++result.high;
  }
  return result;
}

std::optional<ConfidenceInterval> confidence_interval(const Database& database, std::span<const Item> a,
                                                      std::span<const Item> b) {
  // Rows by whether A holds (surely, perhaps) and whether B can hold and can fail together with A.
  double sure_both = 0;   // A and B surely
  double sure_open = 0;   // A surely, B open
  double sure_fails = 0;  // A surely, B cannot hold
  double open_holds = 0;  // A open, and whenever A holds so does B
  double open_open = 0;   // A open, B may hold or fail with it
  double open_fails = 0;  // A open, B cannot hold with it
  for (std::size_t r = 0; r < database.rows(); ++r) {
    const Standing of_a = standing(database, r, a);
    const Standing of_b = standing(database, r, b);
    const std::size_t spare = database.anonymous_of(r);
    if (of_a.absent > spare) continue;
    const bool b_sure = of_b.open == 0 && of_b.absent == 0;
    const bool b_possible = of_a.absent + of_b.absent <= spare;
    if (of_a.open == 0 && of_a.absent == 0)
      (b_sure ? sure_both : b_possible ? sure_open : sure_fails) += 1;
    else
      (b_sure ? open_holds : b_possible ? open_open : open_fails) += 1;
  }
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

}  // namespace gauze::patterns
