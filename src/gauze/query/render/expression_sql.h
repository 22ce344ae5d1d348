#pragma once

#include <string>

#include "gauze/engines/sql_session.h"
#include "gauze/query/plan/relation.h"

namespace gauze::query {

/// Writes expressions and relations as SQL of one dialect. Every name and constant is quoted by it; nothing that a user wrote
/// reaches an engine as SQL. Each operation is written so that no value makes it fail.
class SqlWriter {
 public:
  virtual ~SqlWriter() = default;
  [[nodiscard]] virtual std::string expression(const Expression& expression) const = 0;
  /// A SELECT that gives every column of a relation under its number, and its unit.
  [[nodiscard]] virtual std::string relation(const Relation& relation) const = 0;
  /// A table with its columns brought into what the schema declares, from the one that holds them as they are stored.
  [[nodiscard]] virtual std::string scan(const schema::TableSchema& table, const std::string& stored_name,
                                         const std::vector<table::StoredType>& stored) const = 0;
  [[nodiscard]] virtual const engines::SqlDialect& dialect() const = 0;
};

/// The writer for a dialect, by its name; `unsupported` when there is none.
[[nodiscard]] Result<std::unique_ptr<SqlWriter>> make_sql_writer(const engines::SqlDialect& dialect,
                                                                 const schema::DatabaseSchema& schema);

/// Adds one more to a list with commas.
void add_item(std::string& list, const std::string& item);

/// How a column is called in SQL.
[[nodiscard]] std::string column_name(ColumnId id);

}  // namespace gauze::query
