#include "gauze/table/table.h"

#include <algorithm>

#include "gauze/base/did_you_mean.h"

namespace gauze::table {
std::string_view to_string(ColumnType type) {
  switch (type) {
    case ColumnType::integer:
      return "integer";
    case ColumnType::number:
      return "number";
    case ColumnType::date:
      return "date";
    case ColumnType::boolean:
      return "boolean";
    case ColumnType::text:
      return "text";
  }
  return "text";
}

Result<std::size_t> Table::column(std::string_view name) const {
  const auto& names = columns();
  if (const auto found = std::find(names.begin(), names.end(), name); found != names.end())
    return static_cast<std::size_t>(found - names.begin());
  // Names that were made up for a file without a header resemble nothing that anyone would ask for.
  const std::string hint = !names.empty() && names.front() == "column1"
                               ? "; the columns have no names of their own: give them with --names"
                               : did_you_mean(name, names);
  return make_error(ErrorCode::unknown_column, "there is no column '{}'{}", name, hint);
}

}  // namespace gauze::table
