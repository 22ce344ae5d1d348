#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/files/json.h"
#include "gauze/label/warning.h"
#include "gauze/query/run/tables.h"

namespace gauze::query {

/// How the cells of a column fit what is declared, as shares of the rows of its table.
struct ColumnCheck {
  std::string name = {};
  /// No value, or not a number. Of a column with `nullable: false`: all rows that are left out because of it.
  double missing = 0;
  double clamped = 0;     ///< beyond the bounds, and taken to them
  double outside = 0;     ///< none of the listed values
  double unreadable = 0;  ///< there, but no value of the declared type
};

struct TableCheck {
  std::string name = {};
  std::optional<std::uint64_t> rows = {};   ///< none: not one declared column is there
  std::optional<double> without_unit = {};  ///< share of rows that lead to nobody; none: the path is broken
  double misplaced = 0;                     ///< share of rows on a wrong shard: none of a file
  std::vector<ColumnCheck> columns = {};    ///< those that are there and can be of their type
};

/// What is wrong with the data or with the schema. Numbers in messages are those of the data.
struct SchemaProblem {
  std::string code = {};    ///< "column_absent", "type_misfit", "unit_key_not_unique", ...; stable
  std::string table = {};   ///< of the schema
  std::string column = {};  ///< empty: it is about no single one
  std::string message = {};
  bool makes_infeasible = false;  ///< no question about it can be answered
};

/// Over all units, the figure of each being its rows in the private table where it has most.
struct RowsPerUnit {
  std::uint64_t q50 = 0;
  std::uint64_t q90 = 0;
  std::uint64_t q99 = 0;
  std::uint64_t max = 0;
};

/// What the limits of the schema take away, as shares.
struct LimitCut {
  /// Of the rows that lead to a unit: those beyond `limits.rows` of their unit in their table, all of it taken as one group.
  double rows = 0;
  /// Of the groups of all units: those beyond `limits.groups`, grouped by one column with listed values, NULL being a value;
  /// for the column where the share is largest. 0 where no private column lists values.
  double groups = 0;
};

/// How a schema fits its data. For the owner's eyes: every figure is that of the data, without noise.
struct SchemaCheck {
  std::vector<TableCheck> tables = {};
  std::optional<std::uint64_t> units = {};        ///< none: a path to them is broken
  std::optional<RowsPerUnit> rows_per_unit = {};  ///< none: so it is, too
  std::optional<LimitCut> cut = {};
  std::vector<SchemaProblem> problems = {};
  std::vector<Warning> warnings = {};

  /// Whether every column is there and of its type.
  [[nodiscard]] bool is_feasible() const;
  /// Without the warnings.
  [[nodiscard]] Json to_json() const;
};

/// Reads every table of a schema and counts. Fails only where a file cannot be read; whatever does not fit is a problem of
/// the result.
[[nodiscard]] Result<SchemaCheck> check_schema(const schema::DatabaseSchema& schema, const EngineLimits& limits,
                                               Progress& progress);

}  // namespace gauze::query
