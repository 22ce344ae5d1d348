#include <algorithm>

#include "gauze/files/atomic_file.h"
#include "gauze/files/yaml_reader.h"
#include "gauze/schema/database/column_reader.h"
#include "gauze/schema/database/database_schema.h"
#include "gauze/schema/input_yaml.h"
#include "gauze/schema/policy/hierarchy_yaml.h"

namespace gauze::schema {
namespace {

// A list of a million values is long, and one more must be refused for what it is.
constexpr YamlLimits kLimits = {.bytes = std::size_t{64} << 20, .depth = 16, .nodes = 2'500'000};
constexpr Words<Provenance, 2> kOriginWords = {
    {{Provenance::public_knowledge, "public"}, {Provenance::data, "data"}}};

/// A table as it was read, with the node that errors about it point at.
struct ReadTable {
  TableSchema table;
  const YamlNode* node = nullptr;
};

bool is_uri(std::string_view source) { return source.find("://") != std::string_view::npos; }

Result<PrivacyUnit> read_unit(const YamlNode& node) {
  PrivacyUnit unit;
  if (node.is_scalar() && node.text == "row") {
    unit.is_row = true;
    unit.name = "one row";
    return unit;
  }
  if (!node.is_map()) return yaml_error(node, "unit must be row, or a map of name, table and key");
  GAUZE_TRY_VOID(check_keys(node, {"name", "table", "key"}, "unit"));
  for (const auto& [key, place] :
       {std::pair("name", &unit.name), std::pair("table", &unit.table), std::pair("key", &unit.key)}) {
    const YamlNode* value = node.find(key);
    if (value == nullptr) return yaml_error(node, "unit needs name, table and key");
    GAUZE_TRY(*place, read_text(*value, key));
    if (place->empty()) return yaml_error(*value, "{} of the unit must not be empty", key);
  }
  return unit;
}

Result<ContributionLimits> read_limits(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"groups", "rows"}, "limits"));
  ContributionLimits limits;
  for (const auto& [key, place] : {std::pair("groups", &limits.groups), std::pair("rows", &limits.rows)}) {
    const YamlNode* value = node.find(key);
    if (value == nullptr)
      return yaml_error(node,
                        "limits need groups and rows: how many groups of an answer one unit can be in, and with "
                        "how many rows in each");
    GAUZE_TRY(*place, read_count(*value, key, 1, DatabaseSchema::kLargestLimit));
  }
  return limits;
}

Result<SchemaProvenance> read_schema_provenance(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"bounds", "values", "limits"}, "provenance"));
  SchemaProvenance provenance;
  for (const auto& [key, place] : {std::pair("bounds", &provenance.bounds), std::pair("values", &provenance.values),
                                   std::pair("limits", &provenance.limits)}) {
    if (const YamlNode* value = node.find(key)) {
      GAUZE_TRY(*place, read_word(*value, key, kOriginWords));
    }
  }
  return provenance;
}

Result<UnitPath> read_path(const YamlNode& node, const std::string& what) {
  GAUZE_TRY_VOID(check_keys(node, {"column", "table", "key"}, what + ": unit"));
  UnitPath path;
  const YamlNode* column = node.find("column");
  if (column == nullptr) return yaml_error(node, "{}: unit needs the column that leads to it", what);
  GAUZE_TRY(path.column, read_text(*column, "column"));
  const YamlNode* table = node.find("table");
  const YamlNode* key = node.find("key");
  if ((table == nullptr) != (key == nullptr))
    return yaml_error(node, "{}: table and key of a unit's path belong together", what);
  if (table != nullptr) {
    GAUZE_TRY(path.table, read_text(*table, "table"));
    GAUZE_TRY(path.key, read_text(*key, "key"));
  }
  return path;
}

Result<std::vector<ColumnSchema>> read_table_columns(const YamlNode& node, const std::string& what) {
  if (!node.is_map() || node.keys.empty())
    return yaml_error(node, "{}: columns must be a map: the name of a column, then what it is", what);
  std::vector<ColumnSchema> columns;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    GAUZE_TRY(ColumnSchema column, read_column_schema(node.items[i], node.keys[i].text));
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<TableSchema> read_table(const YamlNode& node, const std::string& name, const std::filesystem::path& folder) {
  const std::string what = fmt::format("the table '{}'", name);
  GAUZE_TRY_VOID(check_keys(node, {"source", "input", "public", "key", "unit", "columns"}, what));
  TableSchema table;
  table.name = name;
  const YamlNode* source = node.find("source");
  const YamlNode* columns = node.find("columns");
  if (source == nullptr || columns == nullptr) return yaml_error(node, "{} needs source and columns", what);
  GAUZE_TRY(table.source, read_text(*source, "source"));
  if (table.source.empty()) return yaml_error(*source, "{}: source needs the name of a file", what);
  if (!is_uri(table.source)) table.source = joined_with(folder, table.source).string();
  if (const YamlNode* input = node.find("input")) {
    GAUZE_TRY(table.input, read_input(*input));
  }
  if (const YamlNode* is_public = node.find("public")) {
    GAUZE_TRY(table.is_public, read_bool(*is_public, "public"));
  }
  GAUZE_TRY(table.columns, read_table_columns(*columns, what));
  if (const YamlNode* key = node.find("key")) {
    if (!table.is_public) return yaml_error(*key, "{}: only a public table has a key that is checked", what);
    GAUZE_TRY(table.key, read_texts(*key, "key"));
    if (table.key.empty()) return yaml_error(*key, "{}: key must not be empty", what);
    for (const std::string& column : table.key)
      if (table.find(column) == nullptr) return yaml_error(*key, "{} has no column '{}' for its key", what, column);
  }
  if (const YamlNode* unit = node.find("unit")) {
    if (table.is_public) return yaml_error(*unit, "{} is public: it belongs to no unit", what);
    GAUZE_TRY(table.unit, read_path(*unit, what));
    if (table.find(table.unit->column) == nullptr)
      return yaml_error(*unit, "{} has no column '{}' that leads to the unit", what, table.unit->column);
  }
  return table;
}

Result<void> check_same_type(const YamlNode& node, const TableSchema& from, const std::string& column,
                             const TableSchema& to, const std::string& key) {
  const ColumnSchema& a = *from.find(column);
  const ColumnSchema& b = *to.find(key);
  if (a.type == b.type && a.scale == b.scale) return {};
  return yaml_error(node, "{}.{} is of the type {} and {}.{} of the type {}: keys that lead to a unit have one type",
                    from.name, column, word_of(kDeclaredTypeWords, a.type), to.name, key,
                    word_of(kDeclaredTypeWords, b.type));
}

/// Every private table leads to the unit, in a number of steps.
Result<void> check_paths(const DatabaseSchema& schema, const std::vector<ReadTable>& tables,
                         const YamlNode& unit_node) {
  const TableSchema* home = schema.find(schema.unit.table);
  if (home == nullptr || home->is_public)
    return yaml_error(unit_node, "the unit's table '{}' must be a private table of this schema", schema.unit.table);
  const ColumnSchema* key = home->find(schema.unit.key);
  if (key == nullptr)
    return yaml_error(unit_node, "the unit's table '{}' has no column '{}'", home->name, schema.unit.key);
  if (key->type == DeclaredType::real)
    return yaml_error(unit_node, "the unit's key is a real: units are told apart by whole numbers, texts or dates");
  if (!home->unit || !home->unit->table.empty() || home->unit->column != schema.unit.key)
    return yaml_error(unit_node, "the table '{}' holds the units: its own unit must be {{column: {}}}", home->name,
                      schema.unit.key);
  for (const ReadTable& one : tables) {
    if (one.table.is_public) continue;
    if (!one.table.unit)
      return yaml_error(*one.node,
                        "the table '{}' has no path to the unit: give it unit: {{column: ...}}, or public: true if "
                        "nothing in it is private",
                        one.table.name);
    const TableSchema* here = &one.table;
    for (std::size_t steps = 0; !here->unit->table.empty(); ++steps) {
      const UnitPath& path = *here->unit;
      const TableSchema* next = schema.find(path.table);
      if (steps == tables.size() || (next != nullptr && next->name == one.table.name))
        return yaml_error(*one.node, "the path of the table '{}' to its unit goes in a circle", one.table.name);
      if (next == nullptr || next->is_public || !next->unit)
        return yaml_error(*one.node,
                          "the path of the table '{}' leads to '{}', which is no private table with a unit",
                          one.table.name, path.table);
      if (next->find(path.key) == nullptr)
        return yaml_error(*one.node, "the path of the table '{}' leads to '{}', which has no column '{}'",
                          one.table.name, path.table, path.key);
      GAUZE_TRY_VOID(check_same_type(*one.node, *here, path.column, *next, path.key));
      here = next;
    }
    GAUZE_TRY_VOID(check_same_type(*one.node, *here, here->unit->column, *home, schema.unit.key));
  }
  return {};
}

Result<void> check_rows(const std::vector<ReadTable>& tables, const YamlNode& root) {
  std::size_t private_tables = 0;
  for (const ReadTable& one : tables) {
    if (one.table.is_public) continue;
    ++private_tables;
    if (one.table.unit)
      return yaml_error(*one.node, "the unit is a row: the table '{}' has no path to another", one.table.name);
  }
  if (private_tables != 1)
    return yaml_error(root,
                      "with unit: row there is one private table, but here are {}; name a key as the unit, or "
                      "declare the others public if nothing in them is private",
                      private_tables);
  if (const YamlNode* limits = root.find("limits"))
    return yaml_error(*limits, "with unit: row there are no limits: a row is in one group, once");
  return {};
}

/// What is listed as public must be said to be.
Result<void> check_provenance(const DatabaseSchema& schema, const YamlNode& root) {
  if (schema.provenance.values != Provenance::data) return {};
  for (const TableSchema& table : schema.tables)
    for (const ColumnSchema& column : table.columns)
      if (!table.is_public && !column.values.empty())
        return make_error(
            ErrorCode::not_private,
            "{}: the schema lists values of {}.{} and does not say that they are public: values taken from "
            "the data would tell who is in it. If they are public knowledge, write "
            "`provenance: {{values: public}}`",
            root.place(), table.name, column.name);
  return {};
}

Result<std::vector<ReadTable>> read_tables(const YamlNode& node, const std::filesystem::path& folder) {
  if (!node.is_map() || node.keys.empty())
    return yaml_error(node, "tables must be a map: the name of a table, then what it is");
  std::vector<ReadTable> tables;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    if (node.keys[i].text.empty()) return yaml_error(node, "a table needs a name");
    GAUZE_TRY(TableSchema table, read_table(node.items[i], node.keys[i].text, folder));
    tables.push_back({std::move(table), &node.items[i]});
  }
  return tables;
}

Result<DatabaseSchema> read_schema(const YamlNode& root, const std::filesystem::path& folder) {
  if (!root.is_map()) return yaml_error(root, "a schema is a map that begins with version: 1");
  GAUZE_TRY_VOID(check_keys(
      root, {"version", "unit", "limits", "min_group", "stored_answers", "tables", "provenance"}, "the schema"));
  const YamlNode* version = root.find("version");
  if (version == nullptr) return yaml_error(root, "the schema needs version: 1");
  if (!version->is_scalar() || version->text != "1")
    return yaml_error(*version, "the version must be 1, the only one this program knows");
  const YamlNode* unit = root.find("unit");
  const YamlNode* tables = root.find("tables");
  if (unit == nullptr) return yaml_error(root, "the schema needs unit: whom the guarantee protects");
  if (tables == nullptr) return yaml_error(root, "the schema needs tables");
  DatabaseSchema schema;
  GAUZE_TRY(schema.unit, read_unit(*unit));
  GAUZE_TRY(const std::vector<ReadTable> read, read_tables(*tables, folder));
  for (const ReadTable& one : read) schema.tables.push_back(one.table);
  if (const YamlNode* limits = root.find("limits")) {
    GAUZE_TRY(schema.limits, read_limits(*limits));
  } else if (!schema.unit.is_row) {
    return yaml_error(root,
                      "the schema needs limits, such as limits: {{groups: 3, rows: 20}}: what one unit can touch "
                      "of an answer decides how much noise it takes");
  }
  if (const YamlNode* smallest = root.find("min_group")) {
    GAUZE_TRY(schema.min_group, read_count(*smallest, "min_group", 1, DatabaseSchema::kLargestLimit));
  }
  if (const YamlNode* stored = root.find("stored_answers"); stored != nullptr && stored->text != "none")
    return yaml_error(*stored, "stored_answers must be none: answers are not stored for others yet");
  if (const YamlNode* provenance = root.find("provenance")) {
    GAUZE_TRY(schema.provenance, read_schema_provenance(*provenance));
  }
  if (schema.unit.is_row) {
    GAUZE_TRY_VOID(check_rows(read, root));
  } else {
    GAUZE_TRY_VOID(check_paths(schema, read, *unit));
  }
  GAUZE_TRY_VOID(check_provenance(schema, root));
  return schema;
}

}  // namespace

Result<DatabaseSchema> parse_database_schema(std::string_view text, std::string_view name,
                                             const std::filesystem::path& folder) {
  GAUZE_TRY(const YamlNode root, parse_yaml(text, name, kLimits));
  GAUZE_TRY(DatabaseSchema schema, read_schema(root, folder));
  schema.text = text;
  return schema;
}

Result<DatabaseSchema> read_database_schema(const std::filesystem::path& path) {
  GAUZE_TRY(const std::string text, read_file(path, kLimits.bytes));
  return parse_database_schema(text, path.filename().string(), path.parent_path());
}

}  // namespace gauze::schema
