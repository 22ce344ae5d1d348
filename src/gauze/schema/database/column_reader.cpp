#include "gauze/schema/database/column_reader.h"

#include <algorithm>

#include "gauze/schema/database/value_text.h"

namespace gauze::schema {
namespace {

constexpr int kMostDigits = 18;
constexpr std::int64_t kMostBins = 1'000'000;

std::string_view type_word(const ColumnSchema& column) { return word_of(kDeclaredTypeWords, column.type); }

bool has_order(DeclaredType type) {
  return is_number(type) || type == DeclaredType::date || type == DeclaredType::timestamp;
}

/// A value of a type that has an order. Bounds of decimals may have more digits than the column.
Result<Rational> read_value(const YamlNode& node, const ColumnSchema& column, std::string_view what) {
  GAUZE_TRY(const std::string text, read_text(node, what));
  const DeclaredType type = column.type == DeclaredType::decimal ? DeclaredType::real : column.type;
  const auto value = parse_value(text, type, column.scale);
  if (!value)
    return yaml_error(node, "{} of the column '{}' must be of its type, {}, but is '{}'", what, column.name,
                      type_word(column), text);
  return *value;
}

Result<ValueRange> read_range(const YamlNode& node, const ColumnSchema& column, std::string_view what) {
  if (!node.is_list() || node.items.size() != 2)
    return yaml_error(node, "{} of the column '{}' must be a list of two values, the lowest and the highest", what,
                      column.name);
  ValueRange range;
  GAUZE_TRY(range.low, read_value(node.items[0], column, what));
  GAUZE_TRY(range.high, read_value(node.items[1], column, what));
  if (range.low > range.high)
    return yaml_error(node, "{} of the column '{}' are empty: the lowest lies above the highest", what, column.name);
  return range;
}

Result<void> read_values(const YamlNode& node, ColumnSchema& column) {
  if (column.type == DeclaredType::real || column.type == DeclaredType::timestamp)
    return yaml_error(node, "the column '{}': values of the type {} cannot be listed; give it bounds", column.name,
                      type_word(column));
  if (!node.is_list() || node.items.empty())
    return yaml_error(node, "values of the column '{}' must be a list that is not empty", column.name);
  if (node.items.size() > DatabaseSchema::kMostValues)
    return yaml_error(node, "the column '{}' lists more than {} values", column.name, DatabaseSchema::kMostValues);
  for (const YamlNode& item : node.items) {
    GAUZE_TRY(const std::string text, read_text(item, "a value"));
    auto value = canonical_value(text, column.type, column.scale);
    if (!value)
      return yaml_error(item, "a value of the column '{}' must be of its type, {}, but is '{}'", column.name,
                        type_word(column), text);
    column.values.push_back(*std::move(value));
  }
  std::vector<std::string> sorted = column.values;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    return yaml_error(node, "the column '{}' lists '{}' twice", column.name, *twice);
  return {};
}

Result<std::vector<Rational>> equal_bins(const YamlNode& node, const ColumnSchema& column) {
  GAUZE_TRY_VOID(check_keys(node, {"from", "to", "width"}, "bins"));
  for (const char* key : {"from", "to", "width"})
    if (node.find(key) == nullptr) return yaml_error(node, "bins of equal width need from, to and width");
  GAUZE_TRY(const Rational from, read_value(*node.find("from"), column, "from"));
  GAUZE_TRY(const Rational to, read_value(*node.find("to"), column, "to"));
  GAUZE_TRY(const Rational width, read_number(*node.find("width"), "width"));
  if (width.sign() <= 0) return yaml_error(node, "the width of bins must be positive");
  if ((to - from) / width > kMostBins)
    return yaml_error(node, "the column '{}' has more than {} bins", column.name, kMostBins);
  std::vector<Rational> edges;
  for (Rational edge = from; edge < to; edge += width) edges.push_back(edge);
  edges.push_back(to);
  return edges;
}

Result<std::vector<Rational>> read_bins(const YamlNode& node, const ColumnSchema& column) {
  std::vector<Rational> edges;
  if (node.is_map()) {
    GAUZE_TRY(edges, equal_bins(node, column));
  } else {
    if (!node.is_list()) return yaml_error(node, "bins must be a list of edges, or from, to and width");
    for (const YamlNode& item : node.items) {
      GAUZE_TRY(Rational edge, read_value(item, column, "an edge of bins"));
      edges.push_back(std::move(edge));
    }
  }
  const bool rises = std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) == edges.end();
  if (edges.size() < 2 || !rises)
    return yaml_error(node, "bins of the column '{}' need at least two edges that rise", column.name);
  return edges;
}

/// A key that says something only for some types.
Result<void> check_type(const YamlNode& node, const ColumnSchema& column, std::string_view key, bool fits) {
  const YamlNode* value = node.find(key);
  if (value == nullptr || fits) return {};
  return yaml_error(*value, "the column '{}': {} has no meaning for the type {}", column.name, key,
                    type_word(column));
}

Result<void> read_type(const YamlNode& node, ColumnSchema& column) {
  const YamlNode* type = node.find("type");
  if (type == nullptr) return yaml_error(node, "the column '{}' needs a type", column.name);
  GAUZE_TRY(column.type, read_word(*type, "type", kDeclaredTypeWords));
  const YamlNode* scale = node.find("scale");
  if (column.type == DeclaredType::decimal && scale == nullptr)
    return yaml_error(node, "the column '{}': a decimal needs its scale, the digits behind the point", column.name);
  GAUZE_TRY_VOID(check_type(node, column, "scale", column.type == DeclaredType::decimal));
  if (scale != nullptr) {
    GAUZE_TRY(const std::uint64_t digits, read_count(*scale, "scale", 0, kMostDigits));
    column.scale = static_cast<int>(digits);
  }
  return {};
}

}  // namespace

Result<ColumnSchema> read_column_schema(const YamlNode& node, const std::string& name) {
  const std::string what = fmt::format("the column '{}'", name);
  GAUZE_TRY_VOID(
      check_keys(node, {"type", "scale", "bounds", "values", "other", "nullable", "per_unit", "bins"}, what));
  ColumnSchema column;
  column.name = name;
  GAUZE_TRY_VOID(read_type(node, column));
  GAUZE_TRY_VOID(check_type(node, column, "bounds", has_order(column.type)));
  GAUZE_TRY_VOID(check_type(node, column, "bins", has_order(column.type)));
  GAUZE_TRY_VOID(check_type(node, column, "per_unit", is_number(column.type)));
  GAUZE_TRY_VOID(check_type(node, column, "other", column.type == DeclaredType::text));
  if (const YamlNode* bounds = node.find("bounds")) {
    GAUZE_TRY(column.bounds, read_range(*bounds, column, "bounds"));
  }
  if (const YamlNode* values = node.find("values")) {
    if (column.bounds) return yaml_error(*values, "{} has bounds and values: one of them says what is public", what);
    GAUZE_TRY_VOID(read_values(*values, column));
  }
  if (const YamlNode* other = node.find("other")) {
    if (column.values.empty()) return yaml_error(*other, "{}: other belongs to values", what);
    GAUZE_TRY(column.other, read_text(*other, "other"));
  }
  if (const YamlNode* nullable = node.find("nullable")) {
    GAUZE_TRY(column.nullable, read_bool(*nullable, "nullable"));
  }
  if (const YamlNode* per_unit = node.find("per_unit")) {
    GAUZE_TRY(column.per_unit, read_range(*per_unit, column, "per_unit"));
  }
  if (const YamlNode* bins = node.find("bins")) {
    GAUZE_TRY(column.bins, read_bins(*bins, column));
  }
  return column;
}

}  // namespace gauze::schema
