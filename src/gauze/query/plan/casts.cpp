// From one type to another, total: what has no value there is NULL.
#include <algorithm>

#include "gauze/query/plan/operators.h"
#include "gauze/query/sql/parse_sql.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

const Rational& microseconds_of_day() {
  static const Rational value(std::int64_t{86'400'000'000});
  return value;
}

/// A text constant as a value of a type, found when the question is read.
Result<ExpressionPtr> read_constant(const std::string& text, const ExpressionPtr& constant, Type type, int scale) {
  const auto wrong = [&] {
    return refused_at(ErrorCode::invalid_parameter, constant->span,
                      fmt::format("this text is no {}", word_of(kTypeWords, type)));
  };
  switch (type) {
    case Type::date:
      if (const auto day = schema::parse_day(text)) return make_instant(type, Rational(*day), constant->span);
      return wrong();
    case Type::timestamp:
      if (const auto instant = schema::parse_instant(text))
        return make_instant(type, Rational(*instant), constant->span);
      return wrong();
    case Type::boolean:
      if (text == "true" || text == "t") return make_truth(true, constant->span);
      if (text == "false" || text == "f") return make_truth(false, constant->span);
      return wrong();
    case Type::integer:
    case Type::decimal:
    case Type::real: {
      auto number = make_number(text, constant->span);
      if (!number || (type == Type::integer && (*number)->shape.type != type)) return wrong();
      return type == Type::real ? Operators::as_real(*number)
             : type == Type::decimal && (*number)->shape.type != Type::real && (*number)->shape.scale <= scale
                 ? rescaled(*number, scale)
                 : *number;
    }
    default:
      return constant;
  }
}

/// Rounded to whole steps of 10^-scale, in which an end may move by half of one.
Range rounded(const Range& range, int scale) {
  const Rational steps = power_of_ten(scale);
  Range result = range;
  result.low = (range.low * steps + Rational(1, 2)).floor() / steps;
  result.high = (range.high * steps + Rational(1, 2)).floor() / steps;
  result.least = Rational(1) / steps;
  return result;
}

}  // namespace

Result<ExpressionPtr> Operators::cast(ExpressionPtr argument, Type type, int scale, TextSpan span) const {
  const Type from = argument->shape.type;
  if (argument->is_null_constant()) return constant_as(argument, type, scale);
  if (const std::string* text = constant_text(*argument); text != nullptr && type != Type::text)
    return read_constant(*text, argument, type, scale);
  if (from == type && (type != Type::decimal || argument->shape.scale == scale)) return argument;
  Shape shape{.type = type, .scale = type == Type::decimal ? scale : 0, .nullable = argument->shape.nullable};
  const auto made = [&](bool may_fail) {
    shape.nullable = shape.nullable || may_fail;
    return make_operation(Operation::cast, shape, {argument}, span);
  };
  if (type == Type::text) {
    if (from == Type::interval)
      return refused_at(ErrorCode::unsupported, span, "a stretch of time has no text here", "leave out the CAST");
    return made(false);
  }
  if (from == Type::text) {
    if (is_number(type) || type == Type::date || type == Type::timestamp) shape.range = Range::all_of(type, scale);
    return made(true);
  }
  if (is_number(type) && is_number(from)) {
    if (type == Type::real) return as_real(argument);
    const int digits = type == Type::decimal ? scale : 0;
    if (digits > 18) return refused_at(ErrorCode::invalid_parameter, span, "a decimal has at most 18 digits");
    const bool finer = from != Type::real && argument->shape.scale <= digits;
    Range range = finer ? argument->shape.range : rounded(argument->shape.range, digits);
    const Range all = Range::all_of(type, digits);
    const bool may_fail = range.low < all.low || range.high > all.high;
    shape.range = may_fail ? Range::meet(range, all) : range;
    return made(may_fail);
  }
  if (type == Type::integer && from == Type::boolean) {
    shape.range = {.low = 0, .high = 1};
    return made(false);
  }
  if (type == Type::boolean && from == Type::integer) return made(false);
  if (type == Type::timestamp && from == Type::date) {
    shape.range = argument->shape.range;
    shape.range.low *= microseconds_of_day();
    shape.range.high *= microseconds_of_day();
    return made(false);
  }
  if (type == Type::date && from == Type::timestamp) {
    shape.range = argument->shape.range;
    shape.range.low = (shape.range.low / microseconds_of_day()).floor();
    shape.range.high = (shape.range.high / microseconds_of_day()).floor();
    return made(false);
  }
  return refused_at(ErrorCode::invalid_parameter, span,
                    fmt::format("{} cannot be cast to {}", argument->shape.describe(), word_of(kTypeWords, type)));
}

}  // namespace gauze::query
