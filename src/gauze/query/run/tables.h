#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/engines/sql_database.h"
#include "gauze/query/plan/question.h"
#include "gauze/query/render/expression_sql.h"

namespace gauze::query {

/// What the engine of a question may use.
struct EngineLimits {
  engines::EngineOptions engine = {};
  std::optional<std::chrono::milliseconds> time_limit = {};
};

/// Tables of a schema in one database, each under its own name as the schema declares it.
class SchemaTables {
 public:
  /// Looks at nothing that rows decide.
  [[nodiscard]] static Result<SchemaTables> open(const schema::DatabaseSchema& schema,
                                                 std::vector<const schema::TableSchema*> tables,
                                                 const EngineLimits& limits);
  /// In a database that has the tables already, each under its own name as the schema declares it; nothing is left to load.
  [[nodiscard]] static Result<SchemaTables> over(const schema::DatabaseSchema& schema,
                                                 std::unique_ptr<engines::SqlDatabase> database);

  /// Reads what must be read, and shuts the door. `witnesses` are asked for private tables alone.
  [[nodiscard]] Result<void> load(Progress& progress, const engines::SqlDatabase::Witnesses& witnesses = {});
  /// The names of its tables, in the order in which they are loaded.
  [[nodiscard]] const std::vector<const schema::TableSchema*>& tables() const { return tables_; }
  /// Of its public tables, once they are loaded.
  [[nodiscard]] const TableDigests& digests() const { return digests_; }
  [[nodiscard]] engines::SqlDatabase& database() { return *database_; }
  [[nodiscard]] const SqlWriter& writer() const { return *writer_; }
  /// How a table is called that holds the cells as they are stored.
  [[nodiscard]] static std::string stored_name(const schema::TableSchema& table);

  /// All rows of a statement; `shapes` say what its columns are.
  [[nodiscard]] Result<std::vector<std::vector<CellValue>>> rows(const std::string& sql,
                                                                 const std::vector<Shape>& shapes);

 private:
  SchemaTables() = default;
  std::vector<const schema::TableSchema*> tables_;
  std::unique_ptr<engines::SqlDatabase> database_;
  std::unique_ptr<SqlWriter> writer_;
  TableDigests digests_;
};

/// The tables that a relation reads, those that lead to units among them; in the order of the schema.
[[nodiscard]] std::vector<const schema::TableSchema*> tables_of(const Relation& relation,
                                                                const schema::DatabaseSchema& schema);

/// Public tables, each opened when it is first looked at.
class PublicTables final : public PublicData {
 public:
  PublicTables(const schema::DatabaseSchema& schema, EngineLimits limits)
      : schema_(schema), limits_(std::move(limits)) {}
  [[nodiscard]] Result<std::vector<std::vector<CellValue>>> rows(const Relation& relation, std::size_t most) override;
  [[nodiscard]] TableDigests digests() const override { return tables_ ? tables_->digests() : TableDigests(); }

 private:
  /// Makes sure that the tables of a relation are there, beside those that are.
  [[nodiscard]] Result<void> open(const Relation& relation);

  const schema::DatabaseSchema& schema_;
  EngineLimits limits_;
  std::unique_ptr<SchemaTables> tables_;
};

/// A value of a result in its canonical spelling.
[[nodiscard]] CellValue cell_value(const table::ValueColumn& column, table::ValueType type, std::size_t row,
                                   const Shape& shape);

}  // namespace gauze::query
