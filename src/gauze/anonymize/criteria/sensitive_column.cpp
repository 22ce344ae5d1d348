#include "gauze/anonymize/criteria/sensitive_column.h"

#include <memory>
#include <string>

#include "gauze/schema/hierarchies/coverage.h"
#include "gauze/schema/hierarchies/kinds/ordering.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

std::vector<std::uint32_t> natural_order(const table::Dictionary& dictionary) {
  std::vector<std::uint32_t> order;
  std::vector<std::string> numbers;
  std::vector<std::uint32_t> numeric;
  std::vector<std::uint32_t> others;  // in byte order, as the dictionary
  for (std::uint32_t code = 0; code < dictionary.values.size(); ++code) {
    const std::string& value = dictionary.values[code];
    if (code == dictionary.missing) {
      order.push_back(code);
    } else if (table::parse_number(value, dictionary.decimal)) {
      numbers.push_back(value);
      numeric.push_back(code);
    } else {
      others.push_back(code);
    }
  }
  for (const std::uint32_t place : schema::natural_order(numbers, dictionary.decimal))
    order.push_back(numeric[place]);
  order.insert(order.end(), others.begin(), others.end());
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
