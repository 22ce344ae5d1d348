#include <algorithm>

#include "gauze/query/plan/internal/function_call.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

Result<void> require_texts(const FunctionCall& call, std::size_t count) {
  for (std::size_t i = 0; i < std::min(count, call.arguments.size()); ++i)
    GAUZE_TRY_VOID(call.operators.require(*call.arguments[i], Type::text, call.name));
  return {};
}

}  // namespace

Result<ExpressionPtr> make_text_function(const FunctionCall& call) {
  GAUZE_TRY_VOID(require_texts(call, 3));
  Shape shape{.type = Type::text, .nullable = call.nullable()};
  shape.longest = call.arguments[0]->shape.longest * (call.name == "lower" || call.name == "upper" ? 3 : 1);
  if (call.name == "replace") shape.longest *= std::max(1.0, call.arguments[2]->shape.longest);
  GAUZE_TRY(ExpressionPtr made, call.made(std::move(shape)));
  return call.operators.checked(std::move(made));
}

Result<ExpressionPtr> make_text_part(const FunctionCall& call) {
  GAUZE_TRY_VOID(require_texts(call, 1));
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    GAUZE_TRY_VOID(call.operators.require(*call.arguments[i], Type::integer, call.name));
    if (call.arguments[i]->shape.range.largest_size() > Rational(1'000'000'000))
      return refused_at(ErrorCode::invalid_parameter, call.arguments[i]->span, "this place in a text is not bounded",
                        "use a constant, or LEAST(x, 1000)");
  }
  Shape shape{.type = Type::text, .nullable = call.nullable()};
  shape.longest = call.arguments[0]->shape.longest;
  if (call.name != "substring" && call.arguments[1]->shape.range.low.sign() >= 0)
    shape.longest = std::min(shape.longest, call.arguments[1]->shape.range.high.to_double());
  if (call.arguments.size() == 3)
    shape.longest = std::min(shape.longest, std::max(0.0, call.arguments[2]->shape.range.high.to_double()));
  return call.made(std::move(shape));
}

Result<ExpressionPtr> make_text_measure(const FunctionCall& call) {
  GAUZE_TRY_VOID(require_texts(call, 2));
  Shape shape{.type = Type::integer, .nullable = call.nullable()};
  shape.range = Range::all_of(Type::integer);
  shape.range.low = 0;
  shape.range.low_known = true;
  return call.made(std::move(shape));
}

Result<ExpressionPtr> make_concat(const FunctionCall& call) {
  std::vector<ExpressionPtr> texts;
  for (const ExpressionPtr& one : call.arguments) {
    if (one->is_null_constant()) continue;
    GAUZE_TRY(ExpressionPtr text, call.operators.cast(one, Type::text, 0, one->span));
    texts.push_back(std::move(text));
  }
  if (texts.empty()) return make_text("", call.span);
  Shape shape{.type = Type::text, .nullable = false};
  shape.longest = 0;
  for (const ExpressionPtr& one : texts) shape.longest += one->shape.longest;
  return call.operators.checked(
      make_operation(Operation::function, std::move(shape), std::move(texts), call.span, "concat"));
}

Result<ExpressionPtr> make_starts_with(const FunctionCall& call) {
  GAUZE_TRY_VOID(require_texts(call, 2));
  return call.made({.type = Type::boolean, .nullable = call.nullable()});
}

}  // namespace gauze::query
