#include "gauze/query/plan/expression.h"

#include "gauze/base/ascii.h"

namespace gauze::query {
namespace {

ExpressionPtr make_constant(Constant value, Shape shape, TextSpan span) {
  auto expression = std::make_shared<Expression>();
  expression->constant = std::move(value);
  expression->shape = std::move(shape);
  expression->shape.nullable = false;
  expression->span = span;
  return expression;
}

/// How often an operation is written with its arguments in it, at most: guards against what has no value name them again.
double repeats(const Expression& expression) {
  if (expression.operation == Operation::cast) {
    const Shape& from = expression.arguments[0]->shape;
    const Shape& to = expression.shape;
    const bool is_wider = to.type == Type::real || (from.type != Type::real && to.scale >= from.scale);
    return is_number(from.type) && is_number(to.type) && is_wider ? 1 : 6;
  }
  const std::string& name = expression.name;
  if (name == "sqrt" || name == "ln" || name == "log") return 2;
  return name == "power" || name == "width_bucket" || name == "substring" ? 4 : 1;
}

}  // namespace

ExpressionPtr make_column(ColumnId column, Shape shape, TextSpan span) {
  auto expression = std::make_shared<Expression>();
  expression->operation = Operation::column;
  expression->shape = std::move(shape);
  expression->column = column;
  expression->span = span;
  return expression;
}

ExpressionPtr make_null(TextSpan span) {
  auto expression = std::make_shared<Expression>();
  expression->span = span;
  return expression;
}

ExpressionPtr make_truth(bool value, TextSpan span) { return make_constant(value, {.type = Type::boolean}, span); }

ExpressionPtr make_integer(std::int64_t value, TextSpan span) {
  return make_constant(Rational(value), {.type = Type::integer, .range = Range::of(Rational(value))}, span);
}

ExpressionPtr make_text(std::string value, TextSpan span) {
  Shape shape{.type = Type::text};
  shape.longest = static_cast<double>(value.size());
  shape.values = std::make_shared<const std::vector<std::string>>(1, value);
  return make_constant(std::move(value), std::move(shape), span);
}

Result<ExpressionPtr> make_number(const std::string& text, TextSpan span) {
  auto read = Rational::parse(text);
  if (!read)
    return tl::unexpected<Error>(
        Error{.code = ErrorCode::invalid_parameter, .message = "this number has too many digits", .span = span});
  const Rational& value = *read;
  Shape shape{.type = Type::real, .range = Range::of(value)};
  const std::size_t point = text.find('.');
  const bool plain = text.find_first_of("eE") == std::string::npos;
  const int scale = point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
  if (plain && point == std::string::npos && fits_64_bits(shape.range)) {
    shape.type = Type::integer;
  } else if (plain && scale <= 18 && fits_64_bits(shape.range, scale)) {
    shape.type = Type::decimal;
    shape.scale = scale;
    shape.range.least = Rational(1) / power_of_ten(scale);
  } else if (!fits_real(shape.range)) {
    return tl::unexpected<Error>(Error{
        .code = ErrorCode::invalid_parameter, .message = "this number is too large or too small", .span = span});
  }
  return make_constant(value, std::move(shape), span);
}

ExpressionPtr make_instant(Type type, const Rational& value, TextSpan span) {
  return make_constant(value, {.type = type, .range = Range::of(value)}, span);
}

ExpressionPtr make_operation(Operation operation, Shape shape, std::vector<ExpressionPtr> arguments, TextSpan span,
                             std::string name) {
  auto expression = std::make_shared<Expression>();
  expression->operation = operation;
  expression->shape = std::move(shape);
  expression->arguments = std::move(arguments);
  expression->span = span;
  expression->name = std::move(name);
  double parts = 0;
  for (const ExpressionPtr& argument : expression->arguments) parts += argument->shape.weight;
  expression->shape.weight = 1 + repeats(*expression) * parts;
  return expression;
}

std::optional<Rational> constant_number(const Expression& expression) {
  if (!expression.is_constant()) return std::nullopt;
  const auto* value = std::get_if<Rational>(&expression.constant);
  return value == nullptr ? std::nullopt : std::optional<Rational>(*value);
}

const std::string* constant_text(const Expression& expression) {
  return expression.is_constant() ? std::get_if<std::string>(&expression.constant) : nullptr;
}

}  // namespace gauze::query
