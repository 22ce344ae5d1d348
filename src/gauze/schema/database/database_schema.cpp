#include "gauze/schema/database/database_schema.h"

#include <algorithm>

namespace gauze::schema {

bool is_number(ValueType type) {
  return type == ValueType::integer || type == ValueType::decimal || type == ValueType::real;
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
