#include "gauze/query/check/schema_check.h"

#include <algorithm>

#include "gauze/base/joined.h"
#include "gauze/query/check/checked_tables.h"
#include "gauze/query/check/unit_figures.h"

namespace gauze::query {
namespace {

Json figure(const auto& value) { return value ? Json(*value) : Json(); }

Json table_json(const TableCheck& table) {
  Json columns = Json::object();
  for (const ColumnCheck& column : table.columns)
    columns.set(column.name, Json::object({{"missing", column.missing},
                                           {"clamped", column.clamped},
                                           {"outside", column.outside},
                                           {"unreadable", column.unreadable}}));
  return Json::object({{"rows", figure(table.rows)},
                       {"without_unit", figure(table.without_unit)},
                       {"misplaced", table.misplaced},
                       {"columns", std::move(columns)}});
}

/// The key of a public table, which joins rely on.
Result<void> check_public_key(CheckedTables& tables, const schema::TableSchema& table,
                              std::vector<SchemaProblem>& problems) {
  if (!table.is_public || table.key.empty()) return {};
  std::string list;
  for (const std::string& column : table.key) {
    if (!tables.has(table, column)) return {};
    add_item(list, tables.name(column));
  }
  GAUZE_TRY(
      const std::uint64_t repeated,
      tables.count(fmt::format("SELECT count(*) FROM (SELECT {0} FROM {1} GROUP BY {0} HAVING count(*) > 1) AS t",
                               list, tables.name(table.name))));
  if (repeated > 0)
    problems.push_back(
        {.code = "public_key_not_unique",
         .table = table.name,
         .column = table.key.size() == 1 ? table.key.front() : "",
         .message = fmt::format("the key of the public table '{}' is not unique: {} in several rows", table.name,
                                repeated == 1 ? "1 key is" : fmt::format("{} keys are", repeated))});
  return {};
}

std::vector<Warning> warnings_of(const schema::DatabaseSchema& schema) {
  std::vector<std::string> chosen;
  const auto has_bounds = [](const schema::TableSchema& table) {
    return !table.is_public && std::any_of(table.columns.begin(), table.columns.end(),
                                           [](const auto& column) { return column.bounds || column.per_unit; });
  };
  if (schema.provenance.bounds == Provenance::data &&
      std::any_of(schema.tables.begin(), schema.tables.end(), has_bounds))
    chosen.emplace_back("bounds");
  if (schema.provenance.limits == Provenance::data && !schema.unit.is_row) chosen.emplace_back("limits");
  if (chosen.empty()) return {};
  return {{"chosen_on_data",
           fmt::format(
               "the schema does not say that its {} are public: labels will say that the guarantee does not cover "
               "how they were chosen",
               enumerated(chosen))}};
}

}  // namespace

bool SchemaCheck::is_feasible() const {
  return std::none_of(problems.begin(), problems.end(), [](const auto& problem) { return problem.makes_infeasible; });
}

Json SchemaCheck::to_json() const {
  Json all_tables = Json::object();
  for (const TableCheck& table : tables) all_tables.set(table.name, table_json(table));
  Json quantiles = Json::object();
  for (const auto& [key, member] : {std::pair("q50", &RowsPerUnit::q50), std::pair("q90", &RowsPerUnit::q90),
                                    std::pair("q99", &RowsPerUnit::q99), std::pair("max", &RowsPerUnit::max)})
    quantiles.set(key, rows_per_unit ? Json((*rows_per_unit).*member) : Json());
  Json list = Json::array();
  for (const SchemaProblem& problem : problems)
    list.push(Json::object({{"code", problem.code},
                            {"table", problem.table},
                            {"column", problem.column.empty() ? Json() : Json(problem.column)},
                            {"message", problem.message}}));
  return Json::object({{"tables", std::move(all_tables)},
                       {"units", figure(units)},
                       {"rows_per_unit", std::move(quantiles)},
                       {"cut", Json::object({{"rows", cut ? Json(cut->rows) : Json()},
                                             {"groups", cut ? Json(cut->groups) : Json()}})},
                       {"problems", std::move(list)},
                       {"grants", Json::array()},
                       {"internal", true}});
}

Result<SchemaCheck> check_schema(const schema::DatabaseSchema& schema, const EngineLimits& limits,
                                 Progress& progress) {
  SchemaCheck check;
  check.warnings = warnings_of(schema);
  GAUZE_TRY(const auto tables, CheckedTables::open(schema, limits, progress, check.problems));
  for (const schema::TableSchema& table : schema.tables) {
    TableCheck& one = check.tables.emplace_back();
    one.name = table.name;
    if (tables->is_empty(table)) continue;
    GAUZE_TRY_VOID(tables->count_cells(table, one, check.problems));
    GAUZE_TRY_VOID(check_public_key(*tables, table, check.problems));
  }
  GAUZE_TRY_VOID(count_units(*tables, check));
  return check;
}

}  // namespace gauze::query
