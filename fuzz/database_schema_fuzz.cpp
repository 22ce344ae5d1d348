// Any bytes give a schema in which every private table leads to the unit, or an error with a place.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/schema/database/database_schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gauze::schema;
  const auto schema = parse_database_schema({reinterpret_cast<const char*>(data), size}, "s.yaml", "folder");
  if (!schema) return schema.error().message.starts_with("s.yaml:") ? 0 : (std::abort(), 0);
  for (const TableSchema& table : schema->tables) {
    if (table.is_public || schema->unit.is_row) continue;
    const TableSchema* here = &table;
    for (std::size_t steps = 0; here->unit && !here->unit->table.empty(); ++steps) {
      here = schema->find(here->unit->table);
      if (here == nullptr || steps > schema->tables.size()) std::abort();
    }
    if (!here->unit || here->find(here->unit->column) == nullptr) std::abort();
  }
  return 0;
}
