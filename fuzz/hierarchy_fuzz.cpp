// Any bytes give a hierarchy whose levels are nested and which reads back from what is written of it, or an error that
// can be printed.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "gauze/schema/hierarchies/hierarchy_file.h"

namespace {

void check_levels(const gauze::schema::Hierarchy& hierarchy) {
  for (int level = 0; level < hierarchy.levels(); ++level) {
    std::uint32_t under = 0;
    for (std::uint32_t code = 0; code < hierarchy.value_count(level); ++code) {
      under += hierarchy.rows_under(level, code);
    }
    if (under != hierarchy.size()) std::abort();
    if (level == hierarchy.height()) continue;
    std::vector<std::uint32_t> parents(hierarchy.value_count(level), hierarchy.value_count(level + 1));
    for (std::uint32_t row = 0; row < hierarchy.size(); ++row) {
      std::uint32_t& parent = parents[hierarchy.code(level, row)];
      const std::uint32_t found = hierarchy.code(level + 1, row);
      if (parent != hierarchy.value_count(level + 1) && parent != found) std::abort();
      parent = found;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gauze::schema;
  const auto file = parse_hierarchy({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!file) return file.error().message.starts_with("hierarchy 'fuzz'") ? 0 : (std::abort(), 0);
  check_levels(file->hierarchy);
  const std::string text = format_hierarchy(file->hierarchy, file->made_from_data);
  const auto back = parse_hierarchy(text, "back");
  if (!back || back->made_from_data != file->made_from_data) std::abort();
  if (format_hierarchy(back->hierarchy, back->made_from_data) != text) std::abort();
  return 0;
}
