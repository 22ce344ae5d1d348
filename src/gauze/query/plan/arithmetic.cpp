// Numbers, dates and texts put together by signs.
#include <algorithm>

#include "gauze/query/plan/operators.h"
#include "gauze/query/sql/parse_sql.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

constexpr std::int64_t kMostDays = 5'000'000;

Operation operation_of(const std::string& sign) {
  return sign == "+" ? Operation::add : sign == "-" ? Operation::subtract : Operation::multiply;
}

bool is_instant(const Expression& one) { return one.shape.type == Type::date || one.shape.type == Type::timestamp; }

/// What adding a stretch of time can make of an end, generously: months have 28 to 31 days.
Range moved(const Range& range, const TimeSpan& span, Type type) {
  const Rational day = type == Type::date ? Rational(1) : Rational(std::int64_t{86'400'000'000});
  const Rational rest = Rational(span.microseconds) / Rational(std::int64_t{86'400'000'000}) * day;
  const Rational low_month(span.months >= 0 ? 28 : 31);
  const Rational high_month(span.months >= 0 ? 31 : 28);
  Range result = range;
  result.low += (Rational(span.months) * low_month + Rational(span.days)) * day + rest;
  result.high += (Rational(span.months) * high_month + Rational(span.days)) * day + rest;
  return result;
}

}  // namespace

Result<ExpressionPtr> Operators::arithmetic(const std::string& sign, std::vector<ExpressionPtr> arguments,
                                            TextSpan span) const {
  if (arguments.size() == 1) {
    if (sign == "+") return arguments[0];
    if (sign != "-")
      return refused_at(ErrorCode::unsupported, span, fmt::format("the operator {} is not answered", sign),
                        "'gauze help sql' lists what is");
    if (arguments[0]->shape.type == Type::interval) {
      auto turned = std::make_shared<Expression>(*arguments[0]);
      TimeSpan& time = std::get<TimeSpan>(turned->constant);
      time = {-time.months, -time.days, -time.microseconds};
      return turned;
    }
    GAUZE_TRY_VOID(require_number(*arguments[0], "-"));
    Shape shape = arguments[0]->shape;
    shape.values = {};
    shape.range = -shape.range;
    return make_operation(Operation::negate, std::move(shape), std::move(arguments), span);
  }
  ExpressionPtr a = std::move(arguments[0]);
  ExpressionPtr b = std::move(arguments[1]);
  if (sign == "||") return concatenate(std::move(a), std::move(b), span);
  if (sign != "+" && sign != "-" && sign != "*" && sign != "/" && sign != "%")
    return refused_at(ErrorCode::unsupported, span, fmt::format("the operator {} is not answered", sign),
                      "'gauze help sql' lists what is");
  if (auto made = instants(sign, a, b, span)) return std::move(*made);
  GAUZE_TRY_VOID(require_number(*a, sign));
  GAUZE_TRY_VOID(require_number(*b, sign));
  if (a->is_null_constant() || b->is_null_constant()) return make_null(span);
  if (sign == "/") return divide(std::move(a), std::move(b), span);
  if (sign == "%") return modulo(std::move(a), std::move(b), span);
  return numbers(sign, std::move(a), std::move(b), span);
}

Result<ExpressionPtr> Operators::numbers(const std::string& sign, ExpressionPtr a, ExpressionPtr b,
                                         TextSpan span) const {
  const bool times = sign == "*";
  Shape shape{.type = std::max(a->shape.type, b->shape.type), .nullable = a->shape.nullable || b->shape.nullable};
  const auto range = [&](bool reals) {
    const Range& x = a->shape.range;
    const Range& y = b->shape.range;
    return times ? product(x, y) : sum(x, sign == "-" ? -y : y, reals);
  };
  if (shape.type != Type::real) {
    shape.scale = times ? a->shape.scale + b->shape.scale : std::max(a->shape.scale, b->shape.scale);
    shape.range = range(false);
    const bool parts_fit =
        times || (fits_64_bits(a->shape.range, shape.scale) && fits_64_bits(b->shape.range, shape.scale));
    if (shape.scale <= 18 && parts_fit && fits_64_bits(shape.range, shape.scale)) {
      if (shape.type == Type::decimal && !times) {
        a = rescaled(a, shape.scale);
        b = rescaled(b, shape.scale);
      }
      return make_operation(operation_of(sign), std::move(shape), {std::move(a), std::move(b)}, span);
    }
    // What could leave 64 bits is computed as a real.
  }
  shape.whole =
      (a->shape.whole || a->shape.type == Type::integer) && (b->shape.whole || b->shape.type == Type::integer);
  shape.type = Type::real;
  shape.scale = 0;
  shape.range = range(true);
  return checked(make_operation(operation_of(sign), std::move(shape), {as_real(a), as_real(b)}, span));
}

Result<ExpressionPtr> Operators::divide(ExpressionPtr a, ExpressionPtr b, TextSpan span) const {
  Shape shape{.type = Type::integer, .nullable = a->shape.nullable || b->shape.nullable || b->shape.range.holds(0)};
  if (a->shape.type == Type::integer && b->shape.type == Type::integer) {
    shape.range = quotient(a->shape.range, b->shape.range);
    shape.range.low = shape.range.low.sign() < 0 ? shape.range.low.ceil() : shape.range.low.floor();
    shape.range.high = shape.range.high.sign() < 0 ? shape.range.high.ceil() : shape.range.high.floor();
    shape.range.least = 1;
    if (shape.range.low > Rational() && shape.range.low < Rational(1)) shape.range.low = 0;
    return make_operation(Operation::integer_divide, std::move(shape), {std::move(a), std::move(b)}, span);
  }
  shape.type = Type::real;
  shape.range = quotient(a->shape.range, b->shape.range);
  return checked(make_operation(Operation::divide, std::move(shape), {as_real(a), as_real(b)}, span));
}

Result<ExpressionPtr> Operators::modulo(ExpressionPtr a, ExpressionPtr b, TextSpan span) const {
  if (a->shape.type == Type::real || b->shape.type == Type::real)
    return refused_at(ErrorCode::unsupported, span, "the remainder is that of integers and decimals",
                      "CAST to integer");
  std::vector<ExpressionPtr> both{std::move(a), std::move(b)};
  GAUZE_TRY_VOID(unify(both, span));
  if (both[0]->shape.type == Type::real)
    return refused_at(ErrorCode::unsupported, span, "these numbers are too large for a remainder", "bound them");
  Shape shape = both[0]->shape;
  shape.values = {};
  shape.nullable = both[0]->shape.nullable || both[1]->shape.nullable || both[1]->shape.range.holds(0);
  // Smaller than the divisor, and of the sign of the dividend.
  const Rational step = Rational(1) / power_of_ten(shape.scale);
  const Rational most = std::max(both[1]->shape.range.largest_size() - step, Rational());
  if (both[1]->shape.range.is_known() || both[0]->shape.range.high_known) shape.range.high_known = true;
  if (both[1]->shape.range.is_known() || both[0]->shape.range.low_known) shape.range.low_known = true;
  shape.range.high = std::min(std::max(shape.range.high, Rational()), most);
  shape.range.low = std::max(std::min(shape.range.low, Rational()), -most);
  shape.range.least = step;
  return make_operation(Operation::modulo, std::move(shape), std::move(both), span);
}

std::optional<Result<ExpressionPtr>> Operators::instants(const std::string& sign, const ExpressionPtr& a,
                                                         const ExpressionPtr& b, TextSpan span) const {
  if (sign != "+" && sign != "-") return std::nullopt;
  if (sign == "+" && !is_instant(*a) && is_instant(*b)) return instants(sign, b, a, span);
  if (!is_instant(*a)) return std::nullopt;
  const bool nullable = a->shape.nullable || b->shape.nullable;
  if (b->shape.type == Type::interval) {
    TimeSpan time = std::get<TimeSpan>(b->constant);
    if (sign == "-") time = {-time.months, -time.days, -time.microseconds};
    Shape shape{.type = Type::timestamp, .nullable = nullable};
    Range instants_of = a->shape.range;
    if (a->shape.type == Type::date) {
      const Rational day(std::int64_t{86'400'000'000});
      instants_of.low *= day;
      instants_of.high *= day;
    }
    shape.range = moved(instants_of, time, Type::timestamp);
    if (shape.range.largest_size() > Rational(kMostDays) * Rational(std::int64_t{86'400'000'000}))
      return refused_at(ErrorCode::invalid_parameter, b->span, "this could leave the calendar",
                        "take a shorter stretch of time");
    auto constant = std::make_shared<Expression>(*b);
    constant->constant = time;
    return make_operation(Operation::add_span, std::move(shape), {a, constant}, span);
  }
  if (a->shape.type == Type::date && b->shape.type == Type::integer) {
    Shape shape{.type = Type::date, .nullable = nullable};
    shape.range = sum(a->shape.range, sign == "-" ? -b->shape.range : b->shape.range, false);
    if (shape.range.largest_size() > Rational(kMostDays))
      return refused_at(ErrorCode::invalid_parameter, b->span, "this could leave the calendar",
                        "bound the number of days");
    ExpressionPtr days = b;
    if (sign == "-") {
      Shape turned = b->shape;
      turned.range = -turned.range;
      turned.values = {};
      days = make_operation(Operation::negate, std::move(turned), {b}, b->span);
    }
    return make_operation(Operation::add_days, std::move(shape), {a, std::move(days)}, span);
  }
  ExpressionPtr other = b;
  if (sign == "-" && constant_text(*b) != nullptr) {
    auto read = cast(b, a->shape.type, 0, b->span);
    if (!read) return read;
    other = *read;
  }
  if (sign == "-" && a->shape.type == Type::date && other->shape.type == Type::date) {
    Shape shape{.type = Type::integer, .nullable = nullable};
    shape.range = sum(a->shape.range, -other->shape.range, false);
    return make_operation(Operation::day_difference, std::move(shape), {a, other}, span);
  }
  return refused_at(
      ErrorCode::unsupported, span,
      fmt::format("{} {} {} is not answered", a->shape.describe(), sign, b->shape.describe()),
      "a date takes a number of days or INTERVAL '3 months'; the difference of two dates is a number of days");
}

Result<ExpressionPtr> Operators::concatenate(ExpressionPtr a, ExpressionPtr b, TextSpan span) const {
  std::vector<ExpressionPtr> both{std::move(a), std::move(b)};
  Shape shape{.type = Type::text, .nullable = false};
  for (ExpressionPtr& one : both) {
    if (one->is_null_constant()) return make_null(span);
    if (one->shape.type != Type::text) {
      GAUZE_TRY(one, cast(one, Type::text, 0, one->span));
    }
    shape.nullable = shape.nullable || one->shape.nullable;
  }
  shape.longest = both[0]->shape.longest + both[1]->shape.longest;
  return checked(make_operation(Operation::function, std::move(shape), std::move(both), span, "||"));
}

}  // namespace gauze::query
