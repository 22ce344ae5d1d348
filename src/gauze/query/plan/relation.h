#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/query/plan/expression.h"
#include "gauze/schema/database/database_schema.h"

namespace gauze::query {

/// A number made of many rows.
struct Aggregate {
  enum class Kind {
    count_rows,
    count,
    count_distinct,
    count_units,
    sum,
    average,
    var_pop,
    var_samp,
    stddev_pop,
    stddev_samp,
    minimum,
    maximum,
    quantile,
    mode,
  };
  Kind kind = Kind::count_rows;
  std::string function = {};  ///< as it was called, in small letters
  ExpressionPtr argument = {};
  ExpressionPtr filter = {};  ///< true for the rows that count; none: all do
  std::vector<Rational> fractions = {};
  bool is_list = false;     ///< of fractions, in brackets
  bool descending = false;  ///< the order of an order statistic
  bool discrete = false;    ///< PERCENTILE_DISC
  TextSpan span = {};
};

/// A column that a relation gives.
struct RelationColumn {
  ColumnId id = -1;
  std::string name = {};
  Shape shape = {};
  bool is_unit = false;           ///< holds the key of the unit
  std::string origin_table = {};  ///< where it is a plain column of a table
  std::string origin_column = {};
  bool may_be_absent = false;                      ///< on the side of an outer join that may have no row
  RelationPtr public_relation = {};                ///< of which it is a column, when that is joined to private rows
  const schema::ColumnSchema* declared = nullptr;  ///< where it is a plain column of a table
  // On the answer's side:
  bool is_noisy = false;       ///< made of noisy numbers
  ExpressionPtr formula = {};  ///< in columns of the noisy table, where it is made of one row of it
};

/// One step of the algebra that a question becomes. Columns are known by their numbers.
///
/// A private relation is unit-local (docs/proofs/query.md): it is the disjoint union, over all units, of what the step makes of
/// the unit's own rows and of public tables.
struct Relation {
  enum class Kind {
    scan,
    values,
    filter,   ///< condition
    project,  ///< expressions, one a column
    join,     ///< condition (none: all pairs)
    union_all,
    unit_groups,  ///< by the unit and keys
    groups,       ///< of public rows, or of the answer's
    distinct,
    sorted,  ///< order, limit, offset
    answer,  ///< the noisy table
  };
  /// Who may see its rows.
  enum class Side { private_rows, public_rows, answer_rows };
  struct Order {
    ExpressionPtr expression;
    bool descending = false;
    std::optional<bool> nulls_first = {};
  };

  Kind kind = Kind::scan;
  Side side = Side::public_rows;
  std::vector<RelationColumn> columns = {};
  std::vector<RelationColumn> hidden =
      {};              ///< what a projection gives besides, to be sorted by; their expressions stand last
  ColumnId unit = -1;  ///< the hidden column of the unit; -1 for public rows, and where a unit is a row
  ColumnId row = -1;   ///< the hidden number of the row of the noisy table that a row is made of; -1: of several
  RelationPtr left = {};
  RelationPtr right = {};
  const schema::TableSchema* table = nullptr;
  std::vector<std::vector<ExpressionPtr>> rows = {};  ///< of values
  ExpressionPtr condition = {};
  std::vector<ExpressionPtr> expressions = {};  ///< of a projection; keys of groups
  std::vector<Aggregate> aggregates = {};       ///< of groups: columns behind the keys
  std::vector<Order> order = {};
  std::optional<std::int64_t> limit = {};
  std::int64_t offset = 0;
  bool keeps_left = false;     ///< LEFT JOIN
  bool joins_units = false;    ///< both sides have a unit, and it must be the same one
  bool unit_is_right = false;  ///< of a join whose unit is that of its right side
  bool follows_path = true;    ///< of a scan: false where the unit comes from the table that it is joined with

  [[nodiscard]] bool is_private() const { return side == Side::private_rows; }
  [[nodiscard]] const RelationColumn* find(ColumnId id) const;
};

/// Which aggregates people ask for, and how they are called.
[[nodiscard]] std::string_view to_string(Aggregate::Kind kind);

/// A text in which two expressions are the same only if they always have the same value.
[[nodiscard]] std::string fingerprint(const Expression& expression);

/// Whether two expressions are equal in every row that the condition keeps: calls `visit(a, b)` for each equality among its
/// conjuncts.
template <class Visit>
void for_each_equality(const ExpressionPtr& condition, const Visit& visit) {
  if (!condition) return;
  if (condition->operation == Operation::and_)
    for (const ExpressionPtr& part : condition->arguments) for_each_equality(part, visit);
  if (condition->operation == Operation::equal) visit(*condition->arguments[0], *condition->arguments[1]);
}

}  // namespace gauze::query
