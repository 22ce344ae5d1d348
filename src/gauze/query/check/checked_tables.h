#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/query/check/schema_check.h"

namespace gauze::query {

/// The tables of a schema as far as their files have what it declares, in one database: each under its own name as queries see
/// it.
class CheckedTables {
 public:
  /// Reads all files. Columns that are not there, and those whose stored type can never be the declared one, become problems
  /// and are left out. `progress` outlives the tables.
  [[nodiscard]] static Result<std::unique_ptr<CheckedTables>> open(const schema::DatabaseSchema& schema,
                                                                   const EngineLimits& limits, Progress& progress,
                                                                   std::vector<SchemaProblem>& problems);

  [[nodiscard]] const schema::DatabaseSchema& schema() const { return schema_; }
  /// Whether the table has the column.
  [[nodiscard]] bool has(const schema::TableSchema& table, std::string_view column) const;
  /// Whether nothing is left of it.
  [[nodiscard]] bool is_empty(const schema::TableSchema& table) const;
  /// A name as it stands in SQL.
  [[nodiscard]] std::string name(std::string_view name) const;

  /// Numbers of rows and cells; a column of which no cell can be read is a problem.
  [[nodiscard]] Result<void> count_cells(const schema::TableSchema& table, TableCheck& check,
                                         std::vector<SchemaProblem>& problems);

  /// The rows of a statement whose columns are whole numbers, none negative.
  [[nodiscard]] Result<std::vector<std::vector<std::uint64_t>>> counts(const std::string& sql);
  /// The one number of a statement.
  [[nodiscard]] Result<std::uint64_t> count(const std::string& sql);

 private:
  CheckedTables(const schema::DatabaseSchema& schema, Progress& progress)
      : schema_(schema), present_(schema), progress_(progress) {}
  [[nodiscard]] Result<void> open_database(const EngineLimits& limits);
  [[nodiscard]] bool leave_out_misfits(std::vector<SchemaProblem>& problems);
  [[nodiscard]] Result<void> make_views();
  [[nodiscard]] Result<void> make_view(const std::string& name, const std::string& sql);
  [[nodiscard]] std::vector<table::StoredType> stored_types(std::size_t table) const;
  /// SQL for whether a cell is there.
  [[nodiscard]] std::string presence(const schema::ColumnSchema& column, table::StoredType stored) const;

  const schema::DatabaseSchema& schema_;  ///< as declared
  schema::DatabaseSchema present_;        ///< what of it is there
  Progress& progress_;
  std::unique_ptr<engines::SqlDatabase> database_;
  std::unique_ptr<SqlWriter> writer_;
};

}  // namespace gauze::query
