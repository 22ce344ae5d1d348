#include "gauze/anonymize/criteria/sensitive_column.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "gauze/anonymize/hierarchies/coverage.h"
#include "gauze/base/rational.h"

namespace gauze::anonymize {

std::vector<std::uint32_t> natural_order(const table::Dictionary& dictionary) {
  std::vector<std::uint32_t> order(dictionary.values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Rational> numbers(order.size());
  for (const std::uint32_t code : order) {
    if (code == dictionary.missing) continue;
    auto number = Rational::parse(dictionary.values[code]);
    if (!number) return order;  // the dictionary is in the order of texts
    numbers[code] = *std::move(number);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (a == dictionary.missing || b == dictionary.missing) return a == dictionary.missing && b != dictionary.missing;
    return numbers[a] < numbers[b];
  });
  return order;
}

Result<std::vector<std::vector<std::uint32_t>>> value_tree(const Hierarchy& hierarchy,
                                                           const table::Dictionary& dictionary) {
  // Bound like a quasi-identifier: "missing" has the row that the hierarchy lists for it.
  GAUZE_TRY(const BoundHierarchy bound, bind_shared(std::make_shared<const Hierarchy>(hierarchy), dictionary));
  const std::vector<std::uint32_t>& rows = bound.row_of_code;
  if (hierarchy.height() < 1 || hierarchy.value_count(hierarchy.height()) != 1)
    return make_error(ErrorCode::bad_data,
                      "hierarchical distance needs a single value at the top of the hierarchy {}, but there are {}",
                      hierarchy.name(), hierarchy.value_count(hierarchy.height()));
  std::vector<std::vector<std::uint32_t>> parents(static_cast<std::size_t>(hierarchy.height()));
  for (int level = 0; level < hierarchy.height(); ++level) {
    auto& up = parents[static_cast<std::size_t>(level)];
    up.resize(level == 0 ? rows.size() : hierarchy.value_count(level));
    for (std::size_t code = 0; code < rows.size(); ++code)
      up[level == 0 ? code : hierarchy.code(level, rows[code])] = hierarchy.code(level + 1, rows[code]);
  }
  return parents;
}

}  // namespace gauze::anonymize
