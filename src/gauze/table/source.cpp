#include "gauze/table/source.h"

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

Source::Source(std::vector<Column> schema, const std::vector<std::string>& null_tokens, DecimalSign decimal)
    : schema_(std::move(schema)), missing_(null_tokens), decimal_(decimal) {
  for (const Column& column : schema_) names_.push_back(column.name);
}

DecimalSign Source::decimal(std::size_t column) const {
  return schema_[column].type == StoredType::text ? decimal_ : DecimalSign::point;
}

Result<std::size_t> Source::column(std::string_view name) const {
  if (const auto found = std::find(names_.begin(), names_.end(), name); found != names_.end())
    return static_cast<std::size_t>(found - names_.begin());
  // Names that were made up for a file without a header resemble nothing that anyone would ask for.
  if (!names_.empty() && names_.front() == "column1")
    return asking_for(
        "names",
        make_error(ErrorCode::unknown_column,
                   "there is no column '{}'; the columns have no names of their own: give them names", name));
  return make_error(ErrorCode::unknown_column, "there is no column '{}'{}", name, did_you_mean(name, names_));
}

Result<void> Source::check_columns(std::span<const std::size_t> columns) const {
  for (const std::size_t column : columns) {
    if (column >= names_.size())
      return make_error(ErrorCode::unknown_column, "there is no column number {}; the table has {}", column,
                        names_.size());
  }
  return {};
}

Result<TupleCounts> Source::group(std::span<const std::size_t> columns, Progress& progress) {
  Grouping grouping;
  for (const std::size_t column : columns) grouping.keys.push_back({column, {}});
  return group(grouping, progress);
}

ValueType value_type(StoredType type) {
  switch (type) {
    case StoredType::integer:
      return ValueType::integer;
    case StoredType::wide_integer:
      return ValueType::wide_integer;
    case StoredType::real:
      return ValueType::real;
    default:
      return ValueType::text;
  }
}

std::string_view recode(const KeyRecoding& recoding, std::string_view text) {
  if (const auto found = recoding.texts.find(std::string(text)); found != recoding.texts.end()) return found->second;
  return recoding.otherwise ? std::string_view(*recoding.otherwise) : text;
}

}  // namespace gauze::table
