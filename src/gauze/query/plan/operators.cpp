#include "gauze/query/plan/operators.h"

#include <algorithm>

#include "gauze/query/sql/parse_sql.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

bool is_instant(Type type) { return type == Type::date || type == Type::timestamp; }

bool any_nullable(const std::vector<ExpressionPtr>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const auto& one) { return one->shape.nullable; });
}

/// The type both become: the later one of integer, decimal, real.
Type wider(Type a, Type b) { return std::max(a, b); }

tl::unexpected<Error> wrong_types(const Expression& a, const Expression& b, TextSpan span) {
  return refused_at(ErrorCode::invalid_parameter, span,
                    fmt::format("{} and {} do not go together", a.shape.describe(), b.shape.describe()),
                    "CAST one of them");
}

/// The values of several expressions together, if each has a list.
ValueList united_values(const std::vector<ExpressionPtr>& arguments) {
  std::vector<std::string> all;
  for (const ExpressionPtr& argument : arguments) {
    if (argument->is_null_constant()) continue;
    if (!argument->shape.values) return {};
    all.insert(all.end(), argument->shape.values->begin(), argument->shape.values->end());
    if (all.size() > 1'000'000) return {};
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return std::make_shared<const std::vector<std::string>>(std::move(all));
}

/// The shape of what is one of several.
Shape united_shape(const std::vector<ExpressionPtr>& results) {
  Shape shape{.nullable = false};
  bool first = true;
  bool whole = true;
  for (const ExpressionPtr& one : results) {
    if (one->is_null_constant()) {
      shape.nullable = true;
      continue;
    }
    shape.nullable = shape.nullable || one->shape.nullable;
    shape.longest = std::max(shape.longest, one->shape.longest);
    whole = whole && (one->shape.whole || one->shape.type == Type::integer);
    if (first) {
      shape.type = one->shape.type;
      shape.scale = one->shape.scale;
      shape.range = one->shape.range;
    } else {
      shape.range = Range::hull(shape.range, one->shape.range);
    }
    first = false;
  }
  shape.whole = whole && shape.type == Type::real;
  shape.values = united_values(results);
  return shape;
}

}  // namespace

ExpressionPtr rescaled(const ExpressionPtr& argument, int scale) {
  if (argument->shape.type == Type::decimal && argument->shape.scale == scale) return argument;
  Shape shape = argument->shape;
  shape.type = Type::decimal;
  shape.scale = scale;
  shape.values = {};
  return make_operation(Operation::cast, std::move(shape), {argument}, argument->span);
}

ExpressionPtr Operators::as_real(const ExpressionPtr& argument) {
  if (argument->shape.type == Type::real) return argument;
  Shape shape = argument->shape;
  shape.type = Type::real;
  shape.whole = argument->shape.type == Type::integer;
  shape.values = {};
  return make_operation(Operation::cast, std::move(shape), {argument}, argument->span);
}

Result<void> Operators::require_number(const Expression& argument, std::string_view what) const {
  if (is_number(argument.shape.type) || argument.is_null_constant()) return {};
  return refused_at(ErrorCode::invalid_parameter, argument.span,
                    fmt::format("{} takes a number, not {}", what, argument.shape.describe()), "CAST it");
}

Result<void> Operators::require(const Expression& argument, Type type, std::string_view what) const {
  if (argument.shape.type == type || argument.is_null_constant()) return {};
  return refused_at(ErrorCode::invalid_parameter, argument.span,
                    fmt::format("{} takes {}, not {}", what, word_of(kTypeWords, type), argument.shape.describe()),
                    "CAST it");
}

Result<ExpressionPtr> Operators::checked(ExpressionPtr made) const {
  if (!on_answer_ && made->shape.type == Type::text && made->shape.longest > kLongestText)
    return refused_at(ErrorCode::invalid_parameter, made->span,
                      "this text could become too long for memory, and no row may make a query fail",
                      "shorten its parts: left(x, 100)");
  if (on_answer_ || made->shape.type != Type::real || made->shape.range.is_empty() || fits_real(made->shape.range))
    return made;
  return refused_at(ErrorCode::invalid_parameter, made->span,
                    "this could leave the range of floating-point numbers, and no row may make a query fail",
                    "bound its parts: GREATEST(LEAST(x, 1000), -1000)");
}

Result<ExpressionPtr> Operators::constant_as(const ExpressionPtr& argument, Type type, int scale) const {
  if (argument->is_null_constant()) {
    Shape shape{.type = type, .scale = scale};
    shape.range = Range{.low = 1, .high = 0};
    shape.values = std::make_shared<const std::vector<std::string>>();
    return make_operation(Operation::cast, std::move(shape), {argument}, argument->span);
  }
  return cast(argument, type, scale, argument->span);
}

Result<void> Operators::unify(std::vector<ExpressionPtr>& arguments, TextSpan span) const {
  // Constants in quotes take the type they meet.
  const Expression* leader = nullptr;
  for (const ExpressionPtr& one : arguments)
    if (!one->is_null_constant() && (constant_text(*one) == nullptr || leader == nullptr) &&
        (leader == nullptr || constant_text(*leader) != nullptr))
      leader = one.get();
  if (leader == nullptr) return {};
  Type type = leader->shape.type;
  int scale = leader->shape.scale;
  for (const ExpressionPtr& one : arguments) {
    if (one->is_null_constant() || (constant_text(*one) != nullptr && type != Type::text)) continue;
    const Type other = one->shape.type;
    if (is_number(type) && is_number(other)) {
      type = wider(type, other);
      scale = std::max(scale, one->shape.scale);
    } else if (is_instant(type) && is_instant(other)) {
      type = wider(type, other);
    } else if (type != other) {
      return wrong_types(*leader, *one, span);
    }
  }
  if (type == Type::decimal) {
    for (const ExpressionPtr& one : arguments)
      if (is_number(one->shape.type) && !fits_64_bits(one->shape.range, scale)) type = Type::real;
  }
  for (ExpressionPtr& one : arguments) {
    if (one->is_null_constant() || (constant_text(*one) != nullptr && type != Type::text)) {
      GAUZE_TRY(one, constant_as(one, type, scale));
      if (type == Type::integer && one->shape.type != type) return wrong_types(*leader, *one, span);
    } else if (type == Type::real) {
      one = as_real(one);
    } else if (type == Type::decimal) {
      one = rescaled(one, scale);
    } else if (one->shape.type != type) {
      GAUZE_TRY(one, cast(one, type, scale, one->span));
    }
  }
  return {};
}

Result<ExpressionPtr> Operators::compare(Operation operation, ExpressionPtr a, ExpressionPtr b, TextSpan span) const {
  std::vector<ExpressionPtr> both{std::move(a), std::move(b)};
  if (both[0]->shape.type == Type::interval || both[1]->shape.type == Type::interval)
    return refused_at(ErrorCode::unsupported, span, "stretches of time are not compared",
                      "compare days: date - date");
  GAUZE_TRY_VOID(unify(both, span));
  Shape shape{.type = Type::boolean, .nullable = operation != Operation::same && any_nullable(both)};
  return make_operation(operation, std::move(shape), std::move(both), span);
}

Result<ExpressionPtr> Operators::connect(Operation operation, std::vector<ExpressionPtr> arguments,
                                         TextSpan span) const {
  for (ExpressionPtr& one : arguments) {
    if (one->is_null_constant() || constant_text(*one) != nullptr) {
      GAUZE_TRY(one, constant_as(one, Type::boolean, 0));
    }
    GAUZE_TRY_VOID(require(*one, Type::boolean, "AND, OR, NOT"));
  }
  Shape shape{.type = Type::boolean, .nullable = any_nullable(arguments)};
  return make_operation(operation, std::move(shape), std::move(arguments), span);
}

Result<ExpressionPtr> Operators::is_null(ExpressionPtr argument, bool negated, TextSpan span) const {
  ExpressionPtr test =
      make_operation(Operation::is_null, {.type = Type::boolean, .nullable = false}, {std::move(argument)}, span);
  return negated ? connect(Operation::not_, {std::move(test)}, span) : test;
}

Result<ExpressionPtr> Operators::in_list(std::vector<ExpressionPtr> arguments, bool negated, TextSpan span) const {
  GAUZE_TRY_VOID(unify(arguments, span));
  Shape shape{.type = Type::boolean, .nullable = any_nullable(arguments)};
  ExpressionPtr made = make_operation(Operation::in_list, std::move(shape), std::move(arguments), span);
  return negated ? connect(Operation::not_, {std::move(made)}, span) : made;
}

Result<ExpressionPtr> Operators::like(ExpressionPtr text, ExpressionPtr pattern, bool any_case, bool negated,
                                      TextSpan span) const {
  GAUZE_TRY_VOID(require(*text, Type::text, "LIKE"));
  const std::string* constant = constant_text(*pattern);
  if (constant == nullptr)
    return refused_at(ErrorCode::unsupported, pattern->span, "the pattern of LIKE must be a constant",
                      "a pattern from a row could be a wrong one and make the query fail");
  std::size_t escapes = 0;
  while (escapes < constant->size() && (*constant)[constant->size() - 1 - escapes] == '\\') ++escapes;
  if (escapes % 2 == 1)
    return refused_at(ErrorCode::invalid_parameter, pattern->span,
                      "the pattern ends with a backslash that escapes nothing");
  Shape shape{.type = Type::boolean, .nullable = text->shape.nullable};
  ExpressionPtr made = make_operation(any_case ? Operation::like_any_case : Operation::like, std::move(shape),
                                      {std::move(text), std::move(pattern)}, span);
  return negated ? connect(Operation::not_, {std::move(made)}, span) : made;
}

Result<ExpressionPtr> Operators::choose(std::vector<ExpressionPtr> arguments, TextSpan span) const {
  std::vector<ExpressionPtr> results;
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    GAUZE_TRY_VOID(require(*arguments[i], Type::boolean, "WHEN"));
    results.push_back(arguments[i + 1]);
  }
  results.push_back(arguments.back());
  GAUZE_TRY_VOID(unify(results, span));
  Shape shape = united_shape(results);
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) arguments[i + 1] = results[i / 2];
  arguments.back() = results.back();
  return make_operation(Operation::case_, std::move(shape), std::move(arguments), span);
}

Result<ExpressionPtr> Operators::coalesce(std::vector<ExpressionPtr> arguments, TextSpan span) const {
  GAUZE_TRY_VOID(unify(arguments, span));
  Shape shape = united_shape(arguments);
  shape.nullable =
      std::all_of(arguments.begin(), arguments.end(), [](const auto& one) { return one->shape.nullable; });
  return make_operation(Operation::coalesce, std::move(shape), std::move(arguments), span);
}

Result<ExpressionPtr> Operators::nullif(ExpressionPtr a, ExpressionPtr b, TextSpan span) const {
  std::vector<ExpressionPtr> both{std::move(a), std::move(b)};
  GAUZE_TRY_VOID(unify(both, span));
  Shape shape = both[0]->shape;
  shape.nullable = true;
  return make_operation(Operation::nullif, std::move(shape), std::move(both), span);
}

Result<ExpressionPtr> Operators::extreme(Operation operation, std::vector<ExpressionPtr> arguments,
                                         TextSpan span) const {
  GAUZE_TRY_VOID(unify(arguments, span));
  Shape shape = united_shape(arguments);
  shape.nullable =
      std::all_of(arguments.begin(), arguments.end(), [](const auto& one) { return one->shape.nullable; });
  // NULL is passed over, so that only what is never NULL bounds the others.
  for (const ExpressionPtr& one : arguments) {
    if (one->shape.nullable) continue;
    const Range& own = one->shape.range;
    Range& range = shape.range;
    if (operation == Operation::least && own.high_known && (!range.high_known || own.high < range.high)) {
      range.high = own.high;
      range.high_known = true;
    }
    if (operation == Operation::greatest && own.low_known && (!range.low_known || own.low > range.low)) {
      range.low = own.low;
      range.low_known = true;
    }
  }
  return make_operation(operation, std::move(shape), std::move(arguments), span);
}

}  // namespace gauze::query
