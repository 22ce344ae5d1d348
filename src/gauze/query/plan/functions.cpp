#include "gauze/query/plan/functions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gauze/base/did_you_mean.h"
#include "gauze/query/plan/internal/function_call.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

/// Ends of a range that a computation with doubles gave: a little wider.
Rational below(double value) { return Rational(value - std::fabs(value) * 1e-12); }
Rational above(double value) { return Rational(value + std::fabs(value) * 1e-12); }

Result<ExpressionPtr> make_abs(const FunctionCall& call) {
  GAUZE_TRY_VOID(call.operators.require_number(*call.arguments[0], "abs"));
  Shape shape = call.arguments[0]->shape;
  shape.values = {};
  const Range range = shape.range;
  shape.range.low = range.low.sign() > 0 ? range.low : range.high.sign() < 0 ? -range.high : Rational();
  shape.range.high = range.largest_size();
  shape.range.low_known = true;
  shape.range.high_known = range.is_known();
  return call.made(std::move(shape));
}

Result<ExpressionPtr> make_sign(const FunctionCall& call) {
  GAUZE_TRY_VOID(call.operators.require_number(*call.arguments[0], "sign"));
  return call.made({.type = Type::integer, .nullable = call.nullable(), .range = {.low = -1, .high = 1}});
}

/// floor, ceil, round, trunc with or without a number of digits.
Result<ExpressionPtr> make_rounding(const FunctionCall& call) {
  GAUZE_TRY_VOID(call.operators.require_number(*call.arguments[0], call.name));
  std::int64_t digits = 0;
  if (call.arguments.size() == 2) {
    const auto given = constant_number(*call.arguments[1]);
    if (!given || !given->is_integer() || *given < Rational(0) || *given > Rational(18))
      return refused_at(ErrorCode::invalid_parameter, call.arguments[1]->span,
                        "the number of digits must be a constant between 0 and 18");
    digits = *given->to_int64();
  }
  const ExpressionPtr& number = call.arguments[0];
  if (number->shape.type == Type::integer || (number->shape.type == Type::decimal && number->shape.scale <= digits))
    return number;
  const Rational steps = power_of_ten(static_cast<int>(digits));
  Shape shape{.type = Type::decimal, .scale = static_cast<int>(digits), .nullable = call.nullable()};
  shape.range = number->shape.range;
  const Rational least = Rational(1) / steps;
  shape.range.low = (shape.range.low * steps).floor() / steps;
  shape.range.high = (shape.range.high * steps).ceil() / steps;
  shape.range.least = least;
  if (digits == 0) {
    shape.type = Type::real;
    shape.whole = true;
    return make_operation(Operation::function, std::move(shape), {Operators::as_real(number)}, call.span, call.name);
  }
  if (!fits_64_bits(shape.range, shape.scale))
    return refused_at(ErrorCode::invalid_parameter, call.span, "this number has too many digits to be rounded there",
                      "bound it: GREATEST(LEAST(x, 1000), -1000)");
  return make_operation(Operation::function, std::move(shape), {Operators::as_real(number)}, call.span, call.name);
}

Result<ExpressionPtr> make_modulo(const FunctionCall& call) {
  return call.operators.arithmetic("%", call.arguments, call.span);
}

/// A function of a real whose range lies between the values at the ends of its argument's.
Result<ExpressionPtr> make_rising(const FunctionCall& call, double (*function)(double), const Rational& from,
                                  bool above_from) {
  GAUZE_TRY_VOID(call.operators.require_number(*call.arguments[0], call.name));
  const ExpressionPtr number = Operators::as_real(call.arguments[0]);
  const Range& own = number->shape.range;
  Shape shape{.type = Type::real,
              .nullable = number->shape.nullable || own.low < from || (above_from && own.low <= from)};
  // The smallest argument that has a value: the end itself, or the smallest number above 0.
  const Rational low = std::max(own.low, above_from ? own.least : from);
  if (own.high < low) {
    shape.range = {.low = 1, .high = 0};
    return make_operation(Operation::function, std::move(shape), {number}, call.span, call.name);
  }
  shape.range.low = below(function(low.to_double()));
  shape.range.high = above(function(own.high.to_double()));
  shape.range.low_known = own.low_known || own.low < from || above_from;
  shape.range.high_known = own.high_known;
  return make_operation(Operation::function, std::move(shape), {number}, call.span, call.name);
}

Result<ExpressionPtr> make_sqrt(const FunctionCall& call) {
  GAUZE_TRY(const ExpressionPtr made, make_rising(
                                          call, [](double x) { return std::sqrt(x); }, 0, false));
  auto root = std::make_shared<Expression>(*made);
  root->shape.range.low_known = true;
  root->shape.range.least = below(std::sqrt(std::max(made->arguments[0]->shape.range.least.to_double(), 0x1p-1000)));
  return call.operators.checked(std::move(root));
}

Result<ExpressionPtr> make_exp(const FunctionCall& call) {
  GAUZE_TRY_VOID(call.operators.require_number(*call.arguments[0], "exp"));
  const ExpressionPtr number = Operators::as_real(call.arguments[0]);
  const Range& own = number->shape.range;
  Shape shape{.type = Type::real, .nullable = number->shape.nullable};
  if (!own.is_empty() && !call.operators.on_answer()) {
    if (own.high > Rational(700) || own.low < Rational(-700))
      return refused_at(ErrorCode::invalid_parameter, call.span,
                        "exp of this could leave the range of floating-point numbers",
                        "bound it: exp(GREATEST(LEAST(x, 100), -100))");
    shape.range = {.low = below(std::exp(own.low.to_double())), .high = above(std::exp(own.high.to_double()))};
    shape.range.least = shape.range.low;
  }
  return make_operation(Operation::function, std::move(shape), {number}, call.span, "exp");
}

/// A logarithm may be arbitrarily near 0: that is where its argument is near 1, and a double is not nearer than 2^-53.
Result<ExpressionPtr> make_logarithm(const FunctionCall& call) {
  double (*const function)(double) =
      call.name == "ln" ? [](double x) { return std::log(x); } : [](double x) { return std::log10(x); };
  GAUZE_TRY(const ExpressionPtr made, make_rising(call, function, 0, true));
  auto logarithm = std::make_shared<Expression>(*made);
  logarithm->shape.range.least = Rational::power_of_two(-60);
  return call.operators.checked(std::move(logarithm));
}

Result<ExpressionPtr> make_log(const FunctionCall& call) {
  if (call.arguments.size() == 1) return make_logarithm(call);
  // log(base, x) = ln(x) / ln(base)
  GAUZE_TRY(ExpressionPtr base, make_call(call.operators, "ln", {call.arguments[0]}, call.span));
  GAUZE_TRY(ExpressionPtr number, make_call(call.operators, "ln", {call.arguments[1]}, call.span));
  return call.operators.arithmetic("/", {std::move(number), std::move(base)}, call.span);
}

Result<ExpressionPtr> make_power(const FunctionCall& call) {
  for (const ExpressionPtr& one : call.arguments) GAUZE_TRY_VOID(call.operators.require_number(*one, "power"));
  const ExpressionPtr base = Operators::as_real(call.arguments[0]);
  const ExpressionPtr exponent = Operators::as_real(call.arguments[1]);
  const Range& x = base->shape.range;
  const Range& y = exponent->shape.range;
  Shape shape{.type = Type::real, .nullable = true};
  const double size = std::max(x.largest_size().to_double(), x.least.to_double());
  const double least = x.least.to_double();
  double most = 0;
  double smallest = INFINITY;
  for (const double b : {size, least})
    for (const double e : {y.low.to_double(), y.high.to_double(), 0.0}) {
      most = std::max(most, std::pow(b, e));
      smallest = std::min(smallest, std::pow(b, e));
    }
  if (!call.operators.on_answer() && !(most < 1e300 && smallest > 1e-300))
    return refused_at(ErrorCode::invalid_parameter, call.span,
                      "this power could leave the range of floating-point numbers", "bound base and exponent");
  shape.range.high = above(most);
  shape.range.low = x.low.sign() < 0 ? -shape.range.high : Rational();
  shape.range.low_known = shape.range.high_known = x.is_known() && y.is_known();
  shape.range.least = below(smallest);
  return make_operation(Operation::function, std::move(shape), {base, exponent}, call.span, "power");
}

/// width_bucket(x, low, high, count): 0 below, count + 1 from `high` on.
Result<ExpressionPtr> make_width_bucket(const FunctionCall& call) {
  GAUZE_TRY_VOID(call.operators.require_number(*call.arguments[0], "width_bucket"));
  std::vector<Rational> constants;
  for (std::size_t i = 1; i < 4; ++i) {
    const auto constant = constant_number(*call.arguments[i]);
    if (!constant)
      return refused_at(ErrorCode::invalid_parameter, call.arguments[i]->span,
                        "bounds and number of buckets must be constants", "width_bucket(x, 0, 100, 10)");
    constants.push_back(*constant);
  }
  if (!(constants[0] < constants[1]))
    return refused_at(ErrorCode::invalid_parameter, call.arguments[1]->span,
                      "the lower bound must be below the upper one");
  if (!constants[2].is_integer() || constants[2] < Rational(1) || constants[2] > Rational(1'000'000))
    return refused_at(ErrorCode::invalid_parameter, call.arguments[3]->span,
                      "the number of buckets must be between 1 and 1,000,000");
  Shape shape{.type = Type::integer, .nullable = call.arguments[0]->shape.nullable};
  shape.range = {.low = 0, .high = constants[2] + Rational(1)};
  const Range& own = call.arguments[0]->shape.range;
  if (own.low_known && own.low >= constants[0]) shape.range.low = 1;
  if (own.high_known && own.high < constants[1]) shape.range.high = constants[2];
  return make_operation(Operation::function, std::move(shape),
                        {Operators::as_real(call.arguments[0]), Operators::as_real(call.arguments[1]),
                         Operators::as_real(call.arguments[2]), call.arguments[3]},
                        call.span, "width_bucket");
}

struct Listed {
  std::size_t least = 1;
  std::size_t most = 1;
  Result<ExpressionPtr> (*make)(const FunctionCall&) = nullptr;
  const char* canonical = nullptr;  ///< another name of the same
};

const std::map<std::string, Listed, std::less<>>& listed_functions() {
  static const std::map<std::string, Listed, std::less<>> kFunctions = {
      {"abs", {1, 1, make_abs}},
      {"sign", {1, 1, make_sign}},
      {"floor", {1, 1, make_rounding}},
      {"ceil", {1, 1, make_rounding}},
      {"ceiling", {1, 1, make_rounding, "ceil"}},
      {"round", {1, 2, make_rounding}},
      {"trunc", {1, 2, make_rounding}},
      {"mod", {2, 2, make_modulo}},
      {"power", {2, 2, make_power}},
      {"pow", {2, 2, make_power}},
      {"sqrt", {1, 1, make_sqrt}},
      {"exp", {1, 1, make_exp}},
      {"ln", {1, 1, make_logarithm}},
      {"log", {1, 2, make_log}},
      {"log10", {1, 1, make_logarithm, "log"}},
      {"lower", {1, 1, make_text_function}},
      {"upper", {1, 1, make_text_function}},
      {"btrim", {1, 2, make_text_function}},
      {"trim", {1, 2, make_text_function, "btrim"}},
      {"ltrim", {1, 2, make_text_function}},
      {"rtrim", {1, 2, make_text_function}},
      {"left", {2, 2, make_text_part}},
      {"right", {2, 2, make_text_part}},
      {"substring", {2, 3, make_text_part}},
      {"substr", {2, 3, make_text_part, "substring"}},
      {"length", {1, 1, make_text_measure}},
      {"char_length", {1, 1, make_text_measure, "length"}},
      {"character_length", {1, 1, make_text_measure, "length"}},
      {"position", {2, 2, make_text_measure}},
      {"strpos", {2, 2, make_text_measure, "position"}},
      {"replace", {3, 3, make_text_function}},
      {"concat", {1, 100, make_concat}},
      {"starts_with", {2, 2, make_starts_with}},
      {"extract", {2, 2, make_extract}},
      {"date_part", {2, 2, make_extract, "extract"}},
      {"date_trunc", {2, 2, make_date_trunc}},
      {"width_bucket", {4, 4, make_width_bucket}},
  };
  return kFunctions;
}

}  // namespace

bool FunctionCall::nullable() const {
  return std::any_of(arguments.begin(), arguments.end(), [](const auto& one) { return one->shape.nullable; });
}

Result<ExpressionPtr> FunctionCall::made(Shape shape) const {
  return make_operation(Operation::function, std::move(shape), arguments, span, name);
}

Result<ExpressionPtr> make_call(const Operators& operators, const std::string& name,
                                std::vector<ExpressionPtr> arguments, TextSpan span) {
  const auto found = listed_functions().find(name);
  if (found == listed_functions().end()) {
    const bool is_random =
        name == "random" || name == "now" || name == "clock_timestamp" || name == "gen_random_uuid";
    return refused_at(
        ErrorCode::unsupported, span,
        is_random ? fmt::format("{}() gives another value in each row or run", name)
                  : fmt::format("the function {} is not listed{}", name, did_you_mean(name, function_names())),
        is_random ? "CURRENT_DATE is fixed when the question is planned" : "'gauze help sql' lists the functions");
  }
  const Listed& listed = found->second;
  if (arguments.size() < listed.least || arguments.size() > listed.most)
    return refused_at(ErrorCode::invalid_parameter, span,
                      listed.least == listed.most
                          ? fmt::format("{} takes {} argument{}", name, listed.least, listed.least == 1 ? "" : "s")
                          : fmt::format("{} takes {} to {} arguments", name, listed.least, listed.most));
  if (name != "concat")
    for (const ExpressionPtr& one : arguments)
      if (one->is_null_constant()) return make_null(span);
  const FunctionCall call{operators, listed.canonical == nullptr ? name : listed.canonical, std::move(arguments),
                          span};
  return listed.make(call);
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const auto& one : listed_functions()) names.push_back(one.first);
  return names;
}

}  // namespace gauze::query
