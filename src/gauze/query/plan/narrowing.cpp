#include "gauze/query/plan/internal/narrowing.h"

#include <algorithm>

namespace gauze::query {
namespace {

/// What a conjunction with constants says about the range of a column.
void narrow_by(const Expression& condition, std::map<ColumnId, Shape>& shapes) {
  if (condition.operation == Operation::and_) {
    for (const ExpressionPtr& part : condition.arguments) narrow_by(*part, shapes);
    return;
  }
  if (condition.arguments.size() != 2) return;
  const bool is_comparison = condition.operation == Operation::equal || condition.operation == Operation::less ||
                             condition.operation == Operation::less_equal ||
                             condition.operation == Operation::greater ||
                             condition.operation == Operation::greater_equal;
  if (!is_comparison) return;
  const auto column_of = [](const Expression& one) -> const Expression* {
    if (one.operation == Operation::column) return &one;
    // A cast of a number to a wider type changes no value; one to fewer digits, or of large numbers to reals, rounds.
    if (one.operation != Operation::cast || one.arguments[0]->operation != Operation::column) return nullptr;
    const Shape& from = one.arguments[0]->shape;
    const bool is_wider = from.type != Type::real && is_number(from.type) && one.shape.type != Type::integer &&
                          (one.shape.type == Type::real
                               ? from.range.largest_size() * power_of_ten(from.scale) <= Rational::power_of_two(53)
                               : one.shape.type == Type::decimal && one.shape.scale >= from.scale);
    return is_wider ? one.arguments[0].get() : nullptr;
  };
  const auto value_of_constant = [](const Expression& one) -> std::optional<Rational> {
    const Expression& inner = one.operation == Operation::cast ? *one.arguments[0] : one;
    return constant_number(inner);
  };
  Operation operation = condition.operation;
  const Expression* column = column_of(*condition.arguments[0]);
  auto value = value_of_constant(*condition.arguments[1]);
  if (column == nullptr) {
    column = column_of(*condition.arguments[1]);
    value = value_of_constant(*condition.arguments[0]);
    operation = operation == Operation::less            ? Operation::greater
                : operation == Operation::less_equal    ? Operation::greater_equal
                : operation == Operation::greater       ? Operation::less
                : operation == Operation::greater_equal ? Operation::less_equal
                                                        : operation;
  }
  if (column == nullptr) return;
  Shape& shape = shapes.try_emplace(column->column, column->shape).first->second;
  shape.nullable = false;
  if (!value || shape.type == Type::boolean || shape.type == Type::text) return;
  Range& range = shape.range;
  const bool raises =
      operation == Operation::greater || operation == Operation::greater_equal || operation == Operation::equal;
  const bool lowers =
      operation == Operation::less || operation == Operation::less_equal || operation == Operation::equal;
  const bool strict = operation == Operation::greater || operation == Operation::less;
  const bool in_steps = shape.type == Type::integer || shape.type == Type::date;
  if (raises && (*value >= range.low || !range.low_known)) {
    range.low = std::max(range.low, in_steps ? (strict ? value->floor() + Rational(1) : value->ceil()) : *value);
    range.low_known = true;
  }
  if (lowers && (*value <= range.high || !range.high_known)) {
    range.high = std::min(range.high, in_steps ? (strict ? value->ceil() - Rational(1) : value->floor()) : *value);
    range.high_known = true;
  }
}

}  // namespace

std::map<ColumnId, Shape> narrowed_by(const Expression& condition) {
  std::map<ColumnId, Shape> shapes;
  narrow_by(condition, shapes);
  return shapes;
}

}  // namespace gauze::query
