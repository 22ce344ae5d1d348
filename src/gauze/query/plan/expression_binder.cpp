#include "gauze/query/plan/expression_binder.h"

#include <algorithm>
#include <map>

#include "gauze/base/ascii.h"
#include "gauze/query/plan/functions.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

using SyntaxKind = Syntax::Kind;

std::optional<Operation> comparison_of(const std::string& sign) {
  static const std::map<std::string, Operation> kSigns = {{"=", Operation::equal},         {"<>", Operation::unequal},
                                                          {"!=", Operation::unequal},      {"<", Operation::less},
                                                          {"<=", Operation::less_equal},   {">", Operation::greater},
                                                          {">=", Operation::greater_equal}};
  const auto found = kSigns.find(sign);
  return found == kSigns.end() ? std::nullopt : std::optional<Operation>(found->second);
}

/// The type that a name of PostgreSQL means here.
std::optional<Type> type_of(const std::string& name) {
  static const std::map<std::string, Type> kTypes = {
      {"int2", Type::integer},     {"int4", Type::integer},    {"int8", Type::integer},
      {"integer", Type::integer},  {"bigint", Type::integer},  {"smallint", Type::integer},
      {"float4", Type::real},      {"float8", Type::real},     {"real", Type::real},
      {"numeric", Type::decimal},  {"decimal", Type::decimal}, {"bool", Type::boolean},
      {"text", Type::text},        {"varchar", Type::text},    {"bpchar", Type::text},
      {"date", Type::date},        {"boolean", Type::boolean}, {"timestamp", Type::timestamp},
      {"interval", Type::interval}};
  const auto found = kTypes.find(name);
  return found == kTypes.end() ? std::nullopt : std::optional<Type>(found->second);
}

}  // namespace

std::optional<TimeSpan> parse_time_span(std::string_view text) {
  TimeSpan span;
  bool any = false;
  std::size_t place = 0;
  const auto skip = [&] {
    while (place < text.size() && text[place] == ' ') ++place;
  };
  for (skip(); place < text.size(); skip()) {
    const bool negative = text[place] == '-';
    if (text[place] == '-' || text[place] == '+') ++place;
    std::int64_t number = 0;
    const std::size_t digits = place;
    while (place < text.size() && is_digit(text[place]) && place - digits < 7)
      number = number * 10 + (text[place++] - '0');
    if (place == digits) return std::nullopt;
    skip();
    std::string unit;
    while (place < text.size() && text[place] != ' ' && !is_digit(text[place])) unit += ascii_lower(text[place++]);
    if (unit.size() > 1 && unit.ends_with('s')) unit.pop_back();
    if (negative) number = -number;
    if (unit == "year")
      span.months += 12 * number;
    else if (unit == "month" || unit == "mon")
      span.months += number;
    else if (unit == "week")
      span.days += 7 * number;
    else if (unit == "day")
      span.days += number;
    else if (unit == "hour")
      span.microseconds += number * 3'600'000'000;
    else if (unit == "minute" || unit == "min")
      span.microseconds += number * 60'000'000;
    else if (unit == "second" || unit == "sec")
      span.microseconds += number * 1'000'000;
    else
      return std::nullopt;
    any = true;
  }
  if (!any) return std::nullopt;
  return span;
}

Result<std::vector<ExpressionPtr>> ExpressionBinder::bind_all(const std::vector<SyntaxPtr>& list) {
  std::vector<ExpressionPtr> all;
  for (const SyntaxPtr& one : list) {
    GAUZE_TRY(ExpressionPtr bound, bind(*one));
    all.push_back(std::move(bound));
  }
  return all;
}

Result<ExpressionPtr> ExpressionBinder::bind_condition(const Syntax& syntax, std::string_view clause) {
  GAUZE_TRY(ExpressionPtr condition, bind(syntax));
  if (condition->is_null_constant()) return operators_.cast(condition, Type::boolean, 0, condition->span);
  GAUZE_TRY_VOID(operators_.require(*condition, Type::boolean, clause));
  return condition;
}

Result<ExpressionPtr> ExpressionBinder::bind(const Syntax& syntax) {
  GAUZE_TRY(ExpressionPtr bound, bind_any(syntax));
  if (bound->shape.weight > kHeaviest)
    return refused_at(ErrorCode::invalid_parameter, syntax.span,
                      "this expression becomes too large when all that it is made of is put together");
  return bound;
}

Result<ExpressionPtr> ExpressionBinder::bind_any(const Syntax& syntax) {
  if (special_) {
    GAUZE_TRY(std::optional<ExpressionPtr> special, special_(syntax));
    if (special) return std::move(*special);
  }
  switch (syntax.kind) {
    case SyntaxKind::column:
      return bind_column(syntax);
    case SyntaxKind::star:
      return refused_at(ErrorCode::invalid_parameter, syntax.span, "* stands for columns only in a list of SELECT");
    case SyntaxKind::number:
      return make_number(syntax.text, syntax.span);
    case SyntaxKind::text:
      return make_text(syntax.text, syntax.span);
    case SyntaxKind::boolean:
      return make_truth(syntax.text == "true", syntax.span);
    case SyntaxKind::null:
      return make_null(syntax.span);
    case SyntaxKind::operation:
      return bind_operation(syntax);
    case SyntaxKind::and_:
    case SyntaxKind::or_:
    case SyntaxKind::not_: {
      GAUZE_TRY(std::vector<ExpressionPtr> parts, bind_all(syntax.arguments));
      const Operation operation = syntax.kind == SyntaxKind::and_  ? Operation::and_
                                  : syntax.kind == SyntaxKind::or_ ? Operation::or_
                                                                   : Operation::not_;
      return operators_.connect(operation, std::move(parts), syntax.span);
    }
    case SyntaxKind::call:
      return bind_call(syntax);
    case SyntaxKind::case_:
      return bind_case(syntax);
    case SyntaxKind::cast:
      return bind_cast(syntax);
    case SyntaxKind::in_list: {
      GAUZE_TRY(std::vector<ExpressionPtr> parts, bind_all(syntax.arguments));
      return operators_.in_list(std::move(parts), syntax.negated, syntax.span);
    }
    case SyntaxKind::between:
      return bind_between(syntax);
    case SyntaxKind::is_null: {
      GAUZE_TRY(ExpressionPtr argument, bind(*syntax.arguments[0]));
      return operators_.is_null(std::move(argument), syntax.negated, syntax.span);
    }
    case SyntaxKind::is_truth:
      return bind_truth(syntax);
    case SyntaxKind::distinct_from: {
      GAUZE_TRY(std::vector<ExpressionPtr> parts, bind_all(syntax.arguments));
      GAUZE_TRY(ExpressionPtr same, operators_.compare(Operation::same, parts[0], parts[1], syntax.span));
      return syntax.negated ? same : operators_.connect(Operation::not_, {same}, syntax.span);
    }
    case SyntaxKind::like: {
      GAUZE_TRY(std::vector<ExpressionPtr> parts, bind_all(syntax.arguments));
      if (parts[0]->is_null_constant() || parts[1]->is_null_constant())
        return operators_.cast(make_null(syntax.span), Type::boolean, 0, syntax.span);
      return operators_.like(parts[0], parts[1], syntax.ignores_case, syntax.negated, syntax.span);
    }
    case SyntaxKind::array:
      return refused_at(ErrorCode::unsupported, syntax.span, "lists are known as the fractions of a quantile alone",
                        "PERCENTILE_CONT(ARRAY[0.25, 0.5]) WITHIN GROUP (ORDER BY x)");
    case SyntaxKind::exists:
    case SyntaxKind::in_select:
    case SyntaxKind::scalar_select:
      if (!subquery_)
        return refused_at(ErrorCode::unsupported, syntax.span, "a subquery does not stand here", "put it into WHERE");
      return subquery_(syntax, *this);
    case SyntaxKind::current_date:
      return make_instant(Type::date, Rational(today_), syntax.span);
    case SyntaxKind::volatile_value:
      return refused_at(ErrorCode::unsupported, syntax.span, "this gives another value in each run",
                        "CURRENT_DATE is fixed when the question is planned");
  }
  return make_error(ErrorCode::internal, "an expression of no known kind");
}

Result<ExpressionPtr> ExpressionBinder::bind_column(const Syntax& syntax) {
  GAUZE_TRY(const Scope::Found found, scope_.find(syntax.names, syntax.span));
  correlated_ = correlated_ || found.is_outer;
  return make_column(found.column.id, found.column.shape, syntax.span);
}

Result<ExpressionPtr> ExpressionBinder::bind_operation(const Syntax& syntax) {
  GAUZE_TRY(std::vector<ExpressionPtr> parts, bind_all(syntax.arguments));
  const auto comparison = comparison_of(syntax.text);
  if (comparison && parts.size() == 2) return operators_.compare(*comparison, parts[0], parts[1], syntax.span);
  return operators_.arithmetic(syntax.text, std::move(parts), syntax.span);
}

Result<ExpressionPtr> ExpressionBinder::bind_call(const Syntax& syntax) {
  if (syntax.has_window)
    return refused_at(ErrorCode::unsupported, syntax.span, "windows are not answered over private rows",
                      "SUM(COUNT(*)) OVER () over the answer is");
  if (syntax.has_star || syntax.is_distinct || syntax.filter || !syntax.within_group.empty())
    return refused_at(ErrorCode::unsupported, syntax.span,
                      fmt::format("{} is not an aggregate that is answered here", syntax.text),
                      "'gauze help sql' lists aggregates and functions");
  GAUZE_TRY(std::vector<ExpressionPtr> parts, bind_all(syntax.arguments));
  if (syntax.text == "coalesce") return operators_.coalesce(std::move(parts), syntax.span);
  if (syntax.text == "greatest") return operators_.extreme(Operation::greatest, std::move(parts), syntax.span);
  if (syntax.text == "least") return operators_.extreme(Operation::least, std::move(parts), syntax.span);
  if (syntax.text == "nullif" && parts.size() == 2) return operators_.nullif(parts[0], parts[1], syntax.span);
  return make_call(operators_, syntax.text, std::move(parts), syntax.span);
}

Result<ExpressionPtr> ExpressionBinder::bind_case(const Syntax& syntax) {
  ExpressionPtr operand;
  if (syntax.operand) {
    GAUZE_TRY(operand, bind(*syntax.operand));
  }
  std::vector<ExpressionPtr> parts;
  for (std::size_t i = 0; i + 1 < syntax.arguments.size(); i += 2) {
    GAUZE_TRY(ExpressionPtr condition, bind(*syntax.arguments[i]));
    if (operand) {
      GAUZE_TRY(condition, operators_.compare(Operation::equal, operand, condition, syntax.arguments[i]->span));
    } else if (condition->is_null_constant()) {
      GAUZE_TRY(condition, operators_.cast(condition, Type::boolean, 0, condition->span));
    }
    parts.push_back(std::move(condition));
    GAUZE_TRY(ExpressionPtr result, bind(*syntax.arguments[i + 1]));
    parts.push_back(std::move(result));
  }
  if (syntax.otherwise) {
    GAUZE_TRY(ExpressionPtr otherwise, bind(*syntax.otherwise));
    parts.push_back(std::move(otherwise));
  } else {
    parts.push_back(make_null(syntax.span));
  }
  return operators_.choose(std::move(parts), syntax.span);
}

Result<ExpressionPtr> ExpressionBinder::bind_cast(const Syntax& syntax) {
  const auto type = type_of(syntax.type.name);
  if (!type || syntax.type.is_array)
    return refused_at(ErrorCode::unsupported, syntax.span,
                      fmt::format("the type {} is not known here", syntax.type.name),
                      "integer, numeric, real, boolean, date, timestamp, text");
  GAUZE_TRY(ExpressionPtr argument, bind(*syntax.arguments[0]));
  if (*type == Type::interval) {
    const std::string* text = constant_text(*argument);
    const auto span = text == nullptr ? std::nullopt : parse_time_span(*text);
    if (!span)
      return refused_at(ErrorCode::invalid_parameter, syntax.span,
                        "a stretch of time is a constant such as INTERVAL '3 months'");
    auto constant = std::make_shared<Expression>();
    constant->shape = {.type = Type::interval, .nullable = false};
    constant->constant = *span;
    constant->span = syntax.span;
    return constant;
  }
  // numeric without digits keeps what its argument has.
  if (*type == Type::decimal && syntax.type.modifiers.empty()) {
    if (argument->shape.type == Type::decimal) return argument;
    if (is_number(argument->shape.type)) return Operators::as_real(argument);
    return operators_.cast(std::move(argument), Type::real, 0, syntax.span);
  }
  const int scale = syntax.type.modifiers.size() == 2 ? syntax.type.modifiers[1] : 0;
  if (*type == Type::decimal && (scale < 0 || scale > 18))
    return refused_at(ErrorCode::invalid_parameter, syntax.span, "a decimal has 0 to 18 digits behind the point");
  return operators_.cast(std::move(argument), *type, scale, syntax.span);
}

Result<ExpressionPtr> ExpressionBinder::bind_between(const Syntax& syntax) {
  GAUZE_TRY(std::vector<ExpressionPtr> parts, bind_all(syntax.arguments));
  GAUZE_TRY(ExpressionPtr low, operators_.compare(Operation::greater_equal, parts[0], parts[1], syntax.span));
  GAUZE_TRY(ExpressionPtr high, operators_.compare(Operation::less_equal, parts[0], parts[2], syntax.span));
  GAUZE_TRY(ExpressionPtr both, operators_.connect(Operation::and_, {low, high}, syntax.span));
  return syntax.negated ? operators_.connect(Operation::not_, {both}, syntax.span) : both;
}

Result<ExpressionPtr> ExpressionBinder::bind_truth(const Syntax& syntax) {
  GAUZE_TRY(ExpressionPtr argument, bind(*syntax.arguments[0]));
  GAUZE_TRY_VOID(operators_.require(*argument, Type::boolean, "IS TRUE"));
  if (syntax.text == "unknown") return operators_.is_null(std::move(argument), syntax.negated, syntax.span);
  if (syntax.text == "false") {
    GAUZE_TRY(argument, operators_.connect(Operation::not_, {argument}, syntax.span));
  }
  ExpressionPtr test =
      make_operation(Operation::is_true, {.type = Type::boolean, .nullable = false}, {argument}, syntax.span);
  return syntax.negated ? operators_.connect(Operation::not_, {test}, syntax.span) : test;
}

}  // namespace gauze::query
