// Relations in DuckDB's SQL.
#include <algorithm>

#include "gauze/query/plan/group_keys.h"
#include "gauze/query/plan/measurement.h"
#include "gauze/query/plan/operators.h"
#include "gauze/query/render/internal/duckdb_writer.h"
#include "gauze/query/render/sums_sql.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

/// The names of all columns that a relation gives, hidden ones too.
std::vector<ColumnId> ids_of(const Relation& relation) {
  std::vector<ColumnId> ids;
  for (const RelationColumn& column : relation.columns) ids.push_back(column.id);
  if (relation.unit >= 0) ids.push_back(relation.unit);
  if (relation.row >= 0) ids.push_back(relation.row);
  return ids;
}

}  // namespace

std::string DuckDbWriter::columns_of(const Relation& relation) const {
  std::string list;
  for (const ColumnId id : ids_of(relation)) add_item(list, column_name(id));
  return list.empty() ? "0 AS nothing" : list;
}

std::string DuckDbWriter::relation(const Relation& relation) const {
  using Kind = Relation::Kind;
  switch (relation.kind) {
    case Kind::scan:
      return scan_relation(relation);
    case Kind::values:
      return values_relation(relation);
    case Kind::filter:
      return fmt::format("SELECT {} FROM ({}) AS t WHERE {}", columns_of(relation), this->relation(*relation.left),
                         expression(*relation.condition));
    case Kind::project: {
      std::string list;
      for (std::size_t i = 0; i < relation.expressions.size(); ++i) {
        const std::size_t shown = relation.columns.size();
        const ColumnId id = i < shown ? relation.columns[i].id : relation.hidden[i - shown].id;
        add_item(list, fmt::format("{} AS {}", expression(*relation.expressions[i]), column_name(id)));
      }
      if (relation.unit >= 0) add_item(list, column_name(relation.unit));
      if (relation.row >= 0) add_item(list, column_name(relation.row));
      return fmt::format("SELECT {} FROM ({}) AS t", list.empty() ? "0 AS nothing" : list,
                         this->relation(*relation.left));
    }
    case Kind::join:
      return join_relation(relation);
    case Kind::union_all:
      return union_relation(relation);
    case Kind::unit_groups:
    case Kind::groups:
      return groups_relation(relation);
    case Kind::distinct:
      return fmt::format("SELECT DISTINCT {} FROM ({}) AS t", columns_of(relation), this->relation(*relation.left));
    case Kind::sorted:
      return sorted_relation(relation);
    case Kind::answer:
      return fmt::format("SELECT {} FROM answer", columns_of(relation));
  }
  return {};
}

std::string DuckDbWriter::units_by_key(const schema::TableSchema& table, const std::string& key) const {
  const std::string key_name = dialect_.identifier(key);
  const std::string name = dialect_.identifier(table.name);
  const std::string column = dialect_.identifier(table.unit->column);
  if (table.unit->table.empty())
    return fmt::format("SELECT DISTINCT {} AS k, {} AS u FROM {} WHERE {} IS NOT NULL AND {} IS NOT NULL", key_name,
                       column, name, key_name, column);
  return fmt::format("SELECT DISTINCT t.{} AS k, p.u FROM {} AS t JOIN ({}) AS p ON t.{} = p.k", key_name, name,
                     units_by_key(*schema_.find(table.unit->table), table.unit->key), column);
}

std::string DuckDbWriter::scan_relation(const Relation& relation) const {
  const schema::TableSchema& table = *relation.table;
  std::string list;
  for (const RelationColumn& column : relation.columns)
    add_item(list, fmt::format("t.{} AS {}", dialect_.identifier(column.origin_column), column_name(column.id)));
  const std::string name = dialect_.identifier(table.name);
  if (relation.unit < 0 || !relation.follows_path) return fmt::format("SELECT {} FROM {} AS t", list, name);
  const std::string unit = column_name(relation.unit);
  const std::string column = dialect_.identifier(table.unit->column);
  if (table.unit->table.empty())
    return fmt::format("SELECT {}, t.{} AS {} FROM {} AS t WHERE t.{} IS NOT NULL", list, column, unit, name, column);
  return fmt::format("SELECT {}, p.u AS {} FROM {} AS t JOIN ({}) AS p ON t.{} = p.k", list, unit, name,
                     units_by_key(*schema_.find(table.unit->table), table.unit->key), column);
}

std::string DuckDbWriter::join_relation(const Relation& relation) const {
  std::string condition = relation.condition ? expression(*relation.condition) : std::string();
  if (relation.joins_units) {
    const std::string units =
        fmt::format("{} = {}", column_name(relation.left->unit), column_name(relation.right->unit));
    condition = condition.empty() ? units : fmt::format("({} AND {})", condition, units);
  }
  return fmt::format("SELECT {} FROM ({}) AS l {}JOIN ({}) AS r ON {}", columns_of(relation),
                     this->relation(*relation.left), relation.keeps_left ? "LEFT " : "",
                     this->relation(*relation.right), condition.empty() ? "true" : condition);
}

std::string DuckDbWriter::aggregate(const Aggregate& aggregate, bool by_unit) const {
  using Kind = Aggregate::Kind;
  const std::string filter = aggregate.filter ? fmt::format(" FILTER (WHERE {})", expression(*aggregate.filter)) : "";
  if (aggregate.kind == Kind::count_rows) return "count(*)" + filter;
  const std::string argument = expression(*aggregate.argument);
  const Shape& shape = aggregate.argument->shape;
  switch (aggregate.kind) {
    case Kind::count:
      return fmt::format("count({}){}", argument, filter);
    case Kind::count_distinct:
    case Kind::count_units:
      return fmt::format("count(DISTINCT {}){}", argument, filter);
    case Kind::minimum:
      return fmt::format("min({}){}", argument, filter);
    case Kind::maximum:
      return fmt::format("max({}){}", argument, filter);
    case Kind::sum:
    case Kind::average: {
      const bool is_sum = aggregate.kind == Kind::sum;
      if (!by_unit) {
        const std::string real = expression(*Operators::as_real(aggregate.argument));
        return fmt::format("{}({}){}", is_sum ? "sum" : "avg", real, filter);
      }
      // Exact: in whole granules, so that the order of rows changes nothing.
      std::string granules = argument;
      Rational granule = shape.type == Type::decimal ? Rational(1) / power_of_ten(shape.scale) : Rational(1);
      if (shape.type == Type::real) {
        const auto fixed = fixed_point_range(shape, aggregate.span);
        granules = fixed ? fixed_point_sql(*this, aggregate.argument, *fixed) : "NULL";
        if (fixed) granule = fixed->granule;
      }
      const std::string sum = fmt::format("sum({}){}", granules, filter);
      if (!is_sum)
        return fmt::format("(CAST({} AS DOUBLE) / CAST(nullif(count({}){}, 0) AS DOUBLE) * {})", sum, granules,
                           filter, real_constant(granule));
      if (shape.type == Type::real) return fmt::format("(CAST({} AS DOUBLE) * {})", sum, real_constant(granule));
      return fmt::format("(CASE WHEN {0} IS NOT NULL THEN CAST(greatest(least({0}, {1}), -{1}) AS BIGINT) END)", sum,
                         (Rational::power_of_two(62)).to_decimal());
    }
    default: {
      const std::string real = expression(*Operators::as_real(aggregate.argument));
      return fmt::format("{}({}){}", to_string(aggregate.kind), real, filter);
    }
  }
}

std::string DuckDbWriter::groups_relation(const Relation& relation) const {
  const bool by_unit = relation.kind == Relation::Kind::unit_groups;
  std::string list;
  std::string keys;
  std::size_t place = 0;
  for (const ExpressionPtr& key : relation.expressions) {
    add_item(list, fmt::format("{} AS {}", expression(*key), column_name(relation.columns[place++].id)));
    add_item(keys, expression(*key));
  }
  for (const Aggregate& one : relation.aggregates)
    add_item(list, fmt::format("{} AS {}", aggregate(one, by_unit), column_name(relation.columns[place++].id)));
  if (by_unit) {
    add_item(list, column_name(relation.unit));
    add_item(keys, column_name(relation.unit));
  }
  return fmt::format("SELECT {} FROM ({}) AS t{}", list.empty() ? "0 AS nothing" : list,
                     this->relation(*relation.left), keys.empty() ? "" : " GROUP BY " + keys);
}

std::string DuckDbWriter::sorted_relation(const Relation& relation) const {
  std::string order;
  for (const Relation::Order& one : relation.order) {
    // As PostgreSQL: NULL is larger than all.
    const bool nulls_first = one.nulls_first.value_or(one.descending);
    add_item(order, fmt::format("{} {} NULLS {}", expression(*one.expression), one.descending ? "DESC" : "ASC",
                                nulls_first ? "FIRST" : "LAST"));
  }
  std::string text = fmt::format("SELECT {} FROM ({}) AS t", columns_of(relation), this->relation(*relation.left));
  if (!order.empty()) text += " ORDER BY " + order;
  if (relation.limit) text += fmt::format(" LIMIT {}", *relation.limit);
  if (relation.offset > 0) text += fmt::format(" OFFSET {}", relation.offset);
  return text;
}

std::string DuckDbWriter::values_relation(const Relation& relation) const {
  if (relation.columns.empty()) return "SELECT 0 AS nothing";
  std::string rows;
  for (const auto& row : relation.rows) {
    std::string cells;
    for (std::size_t i = 0; i < row.size(); ++i)
      add_item(cells, row[i]->is_null_constant()
                          ? fmt::format("CAST(NULL AS {})", duckdb_type(relation.columns[i].shape.type))
                          : expression(*row[i]));
    add_item(rows, '(' + cells + ')');
  }
  std::string names;
  for (const RelationColumn& column : relation.columns) add_item(names, column_name(column.id));
  return fmt::format("SELECT * FROM (VALUES {}) AS v({})", rows, names);
}

std::string DuckDbWriter::union_relation(const Relation& relation) const {
  std::string text;
  for (const RelationPtr& side : {relation.left, relation.right}) {
    std::string list;
    for (std::size_t i = 0; i < relation.columns.size(); ++i)
      add_item(list, fmt::format("{} AS {}", column_name(side->columns[i].id), column_name(relation.columns[i].id)));
    if (relation.unit >= 0)
      add_item(list, fmt::format("{} AS {}", column_name(side->unit), column_name(relation.unit)));
    if (!text.empty()) text += " UNION ALL ";
    text += fmt::format("SELECT {} FROM ({}) AS t", list, this->relation(*side));
  }
  return text;
}

}  // namespace gauze::query
