#include "gauze/schema/database/database_schema.h"

#include <algorithm>

namespace gauze::schema {

bool is_number(DeclaredType type) {
  return type == DeclaredType::integer || type == DeclaredType::decimal || type == DeclaredType::real;
}

const ColumnSchema* TableSchema::find(std::string_view column) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const auto& one) { return one.name == column; });
  return found == columns.end() ? nullptr : &*found;
}

const TableSchema* DatabaseSchema::find(std::string_view table) const {
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const auto& one) { return one.name == table; });
  return found == tables.end() ? nullptr : &*found;
}

}  // namespace gauze::schema
