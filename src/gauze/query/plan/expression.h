#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/query/plan/shape.h"

namespace gauze::query {

struct Expression;
struct Relation;
using ExpressionPtr = std::shared_ptr<const Expression>;
using RelationPtr = std::shared_ptr<const Relation>;

/// A column of a relation, of which no two in a question have the same number.
using ColumnId = int;

/// A constant stretch of time.
struct TimeSpan {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t microseconds = 0;
};

/// NULL, a truth value, a number (also of days and of microseconds), a text, a stretch of time.
using Constant = std::variant<std::monostate, bool, Rational, std::string, TimeSpan>;

/// What an expression does. Each is total: NULL where it has no value.
enum class Operation {
  column,
  constant,
  add,
  subtract,
  multiply,
  divide,          ///< of reals
  integer_divide,  ///< towards 0
  modulo,
  negate,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  and_,
  or_,
  not_,
  is_null,
  is_true,  ///< never NULL
  same,     ///< equal, or both NULL
  in_list,
  like,
  like_any_case,
  case_,  ///< condition, result, condition, result, ..., result
  coalesce,
  nullif,
  greatest,
  least,
  cast,
  add_days,  ///< date, integer
  day_difference,
  add_span,    ///< date or timestamp, stretch of time
  function,    ///< by its name
  exists,      ///< a row of a relation
  aggregate,   ///< a column of the answer
  window_sum,  ///< SUM(...) OVER () of the answer
};

/// An expression whose names are known, with all that can be said of its values.
struct Expression {
  Operation operation = Operation::constant;
  Shape shape = {};
  std::vector<ExpressionPtr> arguments = {};
  TextSpan span = {};
  ColumnId column = -1;
  Constant constant = {};
  std::string name = {};      ///< of a function
  RelationPtr relation = {};  ///< of exists
  std::size_t aggregate = 0;  ///< which one of the answer

  [[nodiscard]] bool is_constant() const { return operation == Operation::constant; }
  [[nodiscard]] bool is_null_constant() const {
    return is_constant() && std::holds_alternative<std::monostate>(constant);
  }
};

[[nodiscard]] ExpressionPtr make_column(ColumnId column, Shape shape, TextSpan span);
[[nodiscard]] ExpressionPtr make_null(TextSpan span);
[[nodiscard]] ExpressionPtr make_truth(bool value, TextSpan span);
[[nodiscard]] ExpressionPtr make_integer(std::int64_t value, TextSpan span);
[[nodiscard]] ExpressionPtr make_text(std::string value, TextSpan span);
/// A number as it is written: whole ones are integers, others decimals of up to 18 digits, else reals.
[[nodiscard]] Result<ExpressionPtr> make_number(const std::string& text, TextSpan span);
/// A value of a date or a timestamp.
[[nodiscard]] ExpressionPtr make_instant(Type type, const Rational& value, TextSpan span);

[[nodiscard]] ExpressionPtr make_operation(Operation operation, Shape shape, std::vector<ExpressionPtr> arguments,
                                           TextSpan span, std::string name = {});

/// The number of a numeric constant.
[[nodiscard]] std::optional<Rational> constant_number(const Expression& expression);
/// The text of a text constant.
[[nodiscard]] const std::string* constant_text(const Expression& expression);

/// Calls `visit` with an expression and all its parts, outermost first.
template <class Visit>
void for_each_part(const ExpressionPtr& expression, const Visit& visit) {
  visit(*expression);
  for (const ExpressionPtr& argument : expression->arguments) for_each_part(argument, visit);
}

}  // namespace gauze::query
