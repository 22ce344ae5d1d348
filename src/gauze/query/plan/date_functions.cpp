#include <algorithm>
#include <array>
#include <cmath>

#include "gauze/base/ascii.h"
#include "gauze/base/did_you_mean.h"
#include "gauze/query/plan/internal/function_call.h"
#include "gauze/query/sql/parse_sql.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

struct Field {
  const char* name;
  int low;
  int high;
  bool of_time;  ///< of a timestamp alone
};
constexpr std::array<Field, 12> kFields = {{{"year", 0, 0, false},
                                            {"quarter", 1, 4, false},
                                            {"month", 1, 12, false},
                                            {"week", 1, 53, false},
                                            {"day", 1, 31, false},
                                            {"dow", 0, 6, false},
                                            {"isodow", 1, 7, false},
                                            {"doy", 1, 366, false},
                                            {"hour", 0, 23, true},
                                            {"minute", 0, 59, true},
                                            {"decade", 0, 0, false},
                                            {"isoyear", 0, 0, false}}};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), ascii_lower);
  return text;
}

/// The year of an end of a range; outside of the years 1 to 9999 one more than it can be, on the side of `outwards`.
std::int64_t year_of(const Rational& end, Type type, int outwards) {
  Rational day = end;
  if (type == Type::timestamp) day = (day / Rational(std::int64_t{86'400'000'000})).floor();
  const std::int64_t number = day.floor().to_int64().value_or(0);
  if (number >= -719162 && number <= 2932896) return std::stoll(schema::day_text(number).substr(0, 4));
  return static_cast<std::int64_t>(std::floor(1970 + static_cast<double>(number) / 365.2425)) + outwards;
}

Result<std::string> field_name(const FunctionCall& call, const std::vector<std::string>& known) {
  const std::string* text = constant_text(*call.arguments[0]);
  if (text == nullptr)
    return refused_at(ErrorCode::invalid_parameter, call.arguments[0]->span, "the part of a date must be a constant");
  std::string name = lower(*text);
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  return refused_at(ErrorCode::unsupported, call.arguments[0]->span,
                    fmt::format("{} has no such part{}", call.name, did_you_mean(name, known)),
                    "year, quarter, month, week, day");
}

Result<ExpressionPtr> instant_of(const FunctionCall& call) {
  ExpressionPtr instant = call.arguments[1];
  if (constant_text(*instant) != nullptr) return call.operators.cast(instant, Type::timestamp, 0, instant->span);
  if (instant->shape.type == Type::date || instant->shape.type == Type::timestamp) return instant;
  return refused_at(ErrorCode::invalid_parameter, instant->span,
                    fmt::format("{} takes a date or a timestamp, not {}", call.name, instant->shape.describe()));
}

}  // namespace

Result<ExpressionPtr> make_extract(const FunctionCall& call) {
  std::vector<std::string> names;
  for (const Field& field : kFields) names.emplace_back(field.name);
  GAUZE_TRY(const std::string name, field_name(call, names));
  GAUZE_TRY(const ExpressionPtr instant, instant_of(call));
  const Field& field =
      *std::find_if(kFields.begin(), kFields.end(), [&](const Field& one) { return name == one.name; });
  if (field.of_time && instant->shape.type == Type::date)
    return refused_at(ErrorCode::invalid_parameter, call.span, "a date has no time of day");
  Shape shape{.type = Type::integer, .nullable = call.nullable()};
  shape.range = {.low = field.low, .high = field.high};
  if (field.high == 0) {
    const Range& own = instant->shape.range;
    std::int64_t low = year_of(own.low, instant->shape.type, -1);
    std::int64_t high = year_of(own.high, instant->shape.type, 1);
    if (name == "isoyear") --low, ++high;
    if (name == "decade") low = low / 10 - (low < 0 ? 1 : 0), high /= 10;
    shape.range = {
        .low = Rational(low), .high = Rational(high), .low_known = own.low_known, .high_known = own.high_known};
  }
  return make_operation(Operation::function, std::move(shape), {call.arguments[0], instant}, call.span, "extract");
}

Result<ExpressionPtr> make_date_trunc(const FunctionCall& call) {
  GAUZE_TRY(const std::string name,
            field_name(call, {"day", "week", "month", "quarter", "year", "decade", "hour", "minute"}));
  GAUZE_TRY(const ExpressionPtr instant, instant_of(call));
  if ((name == "hour" || name == "minute") && instant->shape.type == Type::date)
    return refused_at(ErrorCode::invalid_parameter, call.span, "a date has no time of day");
  Shape shape = instant->shape;
  shape.values = {};
  const Rational day = shape.type == Type::date ? Rational(1) : Rational(std::int64_t{86'400'000'000});
  shape.range.low -= day * Rational(name == "decade" ? 3660 : 366);
  return make_operation(Operation::function, std::move(shape), {call.arguments[0], instant}, call.span, "date_trunc");
}

}  // namespace gauze::query
