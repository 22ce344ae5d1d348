#include "gauze/schema/hierarchies/hierarchy.h"

#include "gauze/schema/hierarchies/hierarchy_builder.h"

namespace gauze::schema {

Result<Hierarchy> Hierarchy::make(std::string name, std::vector<std::vector<std::string>> rows) {
  HierarchyBuilder builder(std::move(name));
  std::vector<std::string_view> texts;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    texts.assign(rows[row].begin(), rows[row].end());
    GAUZE_TRY_VOID(builder.add(texts, row + 1));
  }
  return builder.finish();
}

std::optional<std::uint32_t> Hierarchy::find(std::string_view ground_value) const {
  const auto found = ground_.find(std::string(ground_value));
  if (found == ground_.end()) return std::nullopt;
  return found->second;
}

}  // namespace gauze::schema
