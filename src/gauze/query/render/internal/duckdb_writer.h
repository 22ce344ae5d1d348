#pragma once

#include "gauze/query/plan/measurement.h"
#include "gauze/query/render/expression_sql.h"

namespace gauze::query {

/// SQL of DuckDB.
class DuckDbWriter final : public SqlWriter {
 public:
  DuckDbWriter(const engines::SqlDialect& dialect, const schema::DatabaseSchema& schema)
      : dialect_(dialect), schema_(schema) {}

  [[nodiscard]] std::string expression(const Expression& expression) const override;
  [[nodiscard]] std::string relation(const Relation& relation) const override;
  [[nodiscard]] std::string scan(const schema::TableSchema& table, const std::string& stored_name,
                                 const std::vector<table::StoredType>& stored) const override;
  [[nodiscard]] const engines::SqlDialect& dialect() const override { return dialect_; }

 private:
  [[nodiscard]] std::string constant(const Expression& expression) const;
  [[nodiscard]] std::string cast(const Expression& expression) const;
  [[nodiscard]] std::string cast_text(const std::string& text, Type type, int scale) const;
  [[nodiscard]] std::string function(const Expression& expression) const;
  [[nodiscard]] std::string number_function(const Expression& expression,
                                            const std::vector<std::string>& parts) const;
  [[nodiscard]] std::string text_function(const Expression& expression, const std::vector<std::string>& parts) const;
  [[nodiscard]] std::string choice(const Expression& expression) const;
  [[nodiscard]] std::string exists(const Expression& expression) const;
  [[nodiscard]] std::string joined(const std::vector<ExpressionPtr>& arguments, std::string_view separator) const;

  [[nodiscard]] std::string scan_relation(const Relation& relation) const;
  [[nodiscard]] std::string join_relation(const Relation& relation) const;
  [[nodiscard]] std::string groups_relation(const Relation& relation) const;
  [[nodiscard]] std::string sorted_relation(const Relation& relation) const;
  [[nodiscard]] std::string values_relation(const Relation& relation) const;
  [[nodiscard]] std::string union_relation(const Relation& relation) const;
  [[nodiscard]] std::string columns_of(const Relation& relation) const;
  [[nodiscard]] std::string aggregate(const Aggregate& aggregate, bool by_unit) const;
  /// SELECT of the key of a table's rows and of the units they lead to, each pair once.
  [[nodiscard]] std::string units_by_key(const schema::TableSchema& table, const std::string& key) const;

  // Of a scan, in terms of what is stored.
  [[nodiscard]] std::string typed_value(const schema::ColumnSchema& column, table::StoredType stored) const;
  [[nodiscard]] std::string scanned_value(const schema::ColumnSchema& column, table::StoredType stored) const;
  [[nodiscard]] std::string scanned_granules_sql(const schema::ColumnSchema& column, table::StoredType stored,
                                                 const FixedPointRange& fixed) const;
  [[nodiscard]] std::string presence(const schema::ColumnSchema& column, table::StoredType stored) const;
  /// Whether a value is one of those that the column lists.
  [[nodiscard]] std::string listed(const schema::ColumnSchema& column, const std::string& value) const;

  const engines::SqlDialect& dialect_;
  const schema::DatabaseSchema& schema_;
};

/// A value as an integer number of 10^-scale; what is too large for 64 bits is NULL, or taken to the largest.
[[nodiscard]] std::string scaled_decimal(const std::string& value, int scale, bool clamps);
/// A number as a constant of floating point.
[[nodiscard]] std::string real_constant(const Rational& value);
[[nodiscard]] std::string_view duckdb_type(Type type);

}  // namespace gauze::query
