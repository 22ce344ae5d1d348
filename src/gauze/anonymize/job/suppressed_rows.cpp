#include "gauze/anonymize/job/suppressed_rows.h"

#include <algorithm>

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

std::vector<std::size_t> blanked_columns(const table::Source& table, const Policy& policy, const Recoding& recoding,
                                         SuppressedRows suppressed, const std::vector<std::size_t>& dropped) {
  std::vector<std::size_t> columns;
  if (suppressed != SuppressedRows::blank || recoding.suppressed == 0) return columns;
  // Fewer than k rows are no class: what they show would point at them.
  const bool too_few = recoding.suppressed < policy.privacy.k;
  for (std::size_t place = 0; place < table.columns().size(); ++place) {
    if (std::find(dropped.begin(), dropped.end(), place) != dropped.end()) continue;
    const PolicyColumn* const column = policy.find(table.columns()[place]);
    if (column != nullptr && column->has(Role::quasi)) continue;
    const bool insensitive = column != nullptr && column->roles == std::vector<Role>{Role::insensitive};
    if (too_few || !insensitive) columns.push_back(place);
  }
  return columns;
}

}  // namespace gauze::anonymize
