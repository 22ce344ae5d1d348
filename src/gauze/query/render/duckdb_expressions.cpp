// Expressions in DuckDB's SQL. What DuckDB does differently from PostgreSQL, or fails at, is written out.
#include "gauze/query/plan/group_keys.h"
#include "gauze/query/render/internal/duckdb_writer.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

std::string_view sign_of(Operation operation) {
  switch (operation) {
    case Operation::add:
      return "+";
    case Operation::subtract:
      return "-";
    case Operation::multiply:
      return "*";
    case Operation::equal:
      return "=";
    case Operation::unequal:
      return "<>";
    case Operation::less:
      return "<";
    case Operation::less_equal:
      return "<=";
    case Operation::greater:
      return ">";
    case Operation::greater_equal:
      return ">=";
    case Operation::and_:
      return "AND";
    case Operation::or_:
      return "OR";
    default:
      return "IS NOT DISTINCT FROM";
  }
}

/// Microseconds since 1970 as a constant.
std::string timestamp_constant(const Rational& value) {
  return fmt::format("make_timestamp(CAST({} AS BIGINT))", value.floor().to_decimal());
}

std::string integer_constant(const Rational& value) { return fmt::format("CAST({} AS BIGINT)", value.to_decimal()); }

/// Rounded half away from 0 to so many digits fewer.
std::string fewer_digits(const std::string& value, int digits) {
  const std::string power = power_of_ten(digits).to_decimal();
  const std::string half = (power_of_ten(digits) * Rational(1, 2)).floor().to_decimal();
  return fmt::format(
      "CAST((CASE WHEN {0} >= 0 THEN CAST({0} AS HUGEINT) + {2} ELSE CAST({0} AS HUGEINT) - {2} END) // CAST({1} AS HUGEINT) AS BIGINT)",
      value, power, half);
}

}  // namespace

std::string scaled_decimal(const std::string& value, int scale, bool clamps) {
  const std::string number = fmt::format("TRY_CAST({} AS DECIMAL(38, {}))", value, scale);
  const std::string most = decimal_text(INT64_MAX, scale);
  const std::string limit = fmt::format("CAST('{}' AS DECIMAL(38, {}))", most, scale);
  // Multiplied only where the product fits: a DECIMAL that overflows is an error.
  return fmt::format(
      "(CASE WHEN abs({0}) <= {1} THEN CAST({0} * {2} AS BIGINT){3} END)", number, limit,
      power_of_ten(scale).to_decimal(),
      clamps ? fmt::format(" WHEN {0} > 0 THEN CAST({1} AS BIGINT) WHEN {0} < 0 THEN CAST(-{1} AS BIGINT)", number,
                           INT64_MAX)
             : std::string());
}

std::string_view duckdb_type(Type type) {
  switch (type) {
    case Type::boolean:
      return "BOOLEAN";
    case Type::integer:
    case Type::decimal:
      return "BIGINT";
    case Type::real:
      return "DOUBLE";
    case Type::date:
      return "DATE";
    case Type::timestamp:
      return "TIMESTAMP";
    default:
      return "VARCHAR";
  }
}

std::string real_constant(const Rational& value) {
  return fmt::format("CAST('{}' AS DOUBLE)", fmt::format("{}", value.to_double()));
}

void add_item(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

std::string column_name(ColumnId id) { return id < 0 ? fmt::format("d{}", -id) : fmt::format("c{}", id); }

std::string DuckDbWriter::constant(const Expression& expression) const {
  const Shape& shape = expression.shape;
  if (const auto* truth = std::get_if<bool>(&expression.constant)) return *truth ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&expression.constant)) return dialect_.text(*text);
  if (const auto* span = std::get_if<TimeSpan>(&expression.constant))
    return fmt::format("(INTERVAL ({}) MONTH + INTERVAL ({}) DAY + INTERVAL ({}) MICROSECOND)", span->months,
                       span->days, span->microseconds);
  const auto* number = std::get_if<Rational>(&expression.constant);
  if (number == nullptr) return "NULL";
  switch (shape.type) {
    case Type::real:
      return real_constant(*number);
    case Type::date:
      return fmt::format("CAST({} AS DATE)", dialect_.text(schema::day_text(number->to_int64().value_or(0))));
    case Type::timestamp:
      return timestamp_constant(*number);
    case Type::decimal:
      return integer_constant(*number * power_of_ten(shape.scale));
    default:
      return integer_constant(*number);
  }
}

std::string DuckDbWriter::joined(const std::vector<ExpressionPtr>& arguments, std::string_view separator) const {
  std::string text;
  for (const ExpressionPtr& argument : arguments) {
    if (!text.empty()) text += separator;
    text += expression(*argument);
  }
  return text;
}

std::string DuckDbWriter::expression(const Expression& expression) const {
  const auto& parts = expression.arguments;
  const auto part = [&](std::size_t i) { return this->expression(*parts[i]); };
  switch (expression.operation) {
    case Operation::column:
      return column_name(expression.column);
    case Operation::constant:
      return constant(expression);
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::equal:
    case Operation::unequal:
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::same:
    case Operation::and_:
    case Operation::or_:
      return '(' + joined(parts, fmt::format(" {} ", sign_of(expression.operation))) + ')';
    case Operation::divide:
      return fmt::format("({} / nullif({}, 0))", part(0), part(1));
    case Operation::integer_divide:
      return fmt::format("({} // {})", part(0), part(1));  // NULL for 0
    case Operation::modulo:
      return fmt::format("({} % nullif({}, 0))", part(0), part(1));
    case Operation::negate:
      return fmt::format("(- {})", part(0));
    case Operation::not_:
      return fmt::format("(NOT {})", part(0));
    case Operation::is_null:
      return fmt::format("({} IS NULL)", part(0));
    case Operation::is_true:
      return fmt::format("coalesce({}, false)", part(0));
    case Operation::in_list: {
      const std::vector<ExpressionPtr> list(parts.begin() + 1, parts.end());
      return fmt::format("({} IN ({}))", part(0), joined(list, ", "));
    }
    case Operation::like:
      return fmt::format("({} LIKE {} ESCAPE '\\')", part(0), part(1));
    case Operation::like_any_case:
      return fmt::format("({} ILIKE {} ESCAPE '\\')", part(0), part(1));
    case Operation::case_:
      return choice(expression);
    case Operation::coalesce:
      return fmt::format("coalesce({})", joined(parts, ", "));
    case Operation::nullif:
      return fmt::format("nullif({}, {})", part(0), part(1));
    case Operation::greatest:
      return fmt::format("greatest({})", joined(parts, ", "));
    case Operation::least:
      return fmt::format("least({})", joined(parts, ", "));
    case Operation::cast:
      return cast(expression);
    case Operation::add_days:
      return fmt::format("({} + CAST({} AS INTEGER))", part(0), part(1));
    case Operation::day_difference:
      return fmt::format("CAST({} - {} AS BIGINT)", part(0), part(1));
    case Operation::add_span:
      return fmt::format("(CAST({} AS TIMESTAMP) + {})", part(0), part(1));
    case Operation::function:
      return function(expression);
    case Operation::exists:
      return exists(expression);
    case Operation::window_sum:
      return fmt::format("sum({}) OVER ()", part(0));
    case Operation::aggregate:
      break;
  }
  return "NULL";
}

std::string DuckDbWriter::choice(const Expression& expression) const {
  std::string text = "CASE";
  for (std::size_t i = 0; i + 1 < expression.arguments.size(); i += 2)
    text += fmt::format(" WHEN {} THEN {}", this->expression(*expression.arguments[i]),
                        this->expression(*expression.arguments[i + 1]));
  return fmt::format("({} ELSE {} END)", text, this->expression(*expression.arguments.back()));
}

std::string DuckDbWriter::exists(const Expression& expression) const {
  const Relation& inner = *expression.relation;
  std::string unit;
  if (expression.column >= 0 && inner.unit >= 0)
    unit = fmt::format(" WHERE {} = {}", column_name(inner.unit), column_name(expression.column));
  if (expression.arguments.empty()) return fmt::format("EXISTS (SELECT 1 FROM ({}) AS s{})", relation(inner), unit);
  return fmt::format("({} IN (SELECT {} FROM ({}) AS s{}))", this->expression(*expression.arguments[0]),
                     this->expression(*expression.arguments[1]), relation(inner), unit);
}

std::string DuckDbWriter::cast_text(const std::string& text, Type type, int scale) const {
  const auto matching = [&](std::string_view pattern, const std::string& value) {
    return fmt::format("(CASE WHEN regexp_full_match({}, {}) THEN {} END)", text, dialect_.text(pattern), value);
  };
  constexpr std::string_view kNumber = "\\s*[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?\\s*";
  switch (type) {
    case Type::integer:
      // The least integer is left out: its size is none.
      return matching(
          "\\s*[+-]?[0-9]{1,19}\\s*",
          fmt::format("nullif(TRY_CAST(trim({}) AS BIGINT), CAST('-9223372036854775808' AS BIGINT))", text));
    case Type::real: {
      const std::string number = fmt::format("TRY_CAST(trim({}) AS DOUBLE)", text);
      return matching(
          kNumber,
          fmt::format("(CASE WHEN abs({0}) <= {1} THEN (CASE WHEN abs({0}) < {2} THEN 0 ELSE {0} END) END)", number,
                      real_constant(Rational::power_of_two(1000)), real_constant(Rational::power_of_two(-200))));
    }
    case Type::decimal:
      return matching(kNumber, scaled_decimal(fmt::format("trim({})", text), scale, false));
    case Type::date:
      return matching("\\s*[0-9]{4}-[0-9]{2}-[0-9]{2}\\s*", fmt::format("TRY_CAST(trim({}) AS DATE)", text));
    case Type::timestamp:
      return matching("\\s*[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?Z?)?\\s*",
                      fmt::format("TRY_CAST(replace(replace(trim({}), 'T', ' '), 'Z', '') AS TIMESTAMP)", text));
    case Type::boolean:
      return fmt::format(
          "(CASE WHEN lower(trim({0})) IN ('t', 'true', 'y', 'yes', 'on', '1') THEN true WHEN lower(trim({0})) IN ('f', 'false', "
          "'n', 'no', 'off', '0') THEN false END)",
          text);
    default:
      return text;
  }
}

std::string DuckDbWriter::cast(const Expression& expression) const {
  const Expression& from = *expression.arguments[0];
  const Shape& to = expression.shape;
  if (from.is_null_constant()) return fmt::format("CAST(NULL AS {})", duckdb_type(to.type));
  const std::string value = this->expression(from);
  const Type type = from.shape.type;
  const int scale = from.shape.scale;
  if (type == Type::text) return cast_text(value, to.type, to.scale);
  if (to.type == Type::text) {
    if (type == Type::boolean) return fmt::format("(CASE WHEN {0} THEN 'true' WHEN NOT {0} THEN 'false' END)", value);
    if (type == Type::decimal && scale > 0)
      return fmt::format("CAST(CAST({} AS DECIMAL(19, 0)) * CAST({} AS DECIMAL({}, {})) AS VARCHAR)", value,
                         dialect_.text(decimal_text(1, scale)), scale + 1, scale);
    // 0 and -0 are one value to a grouping, which keeps either: they must be one text.
    if (type == Type::real)
      return fmt::format("(CASE WHEN {} = 0 THEN '0' ELSE {} END)", value,
                         dialect_.as_text(value, table::StoredType::real));
    return fmt::format("CAST({} AS VARCHAR)", value);
  }
  if (is_number(type) && to.type == Type::real) {
    if (scale == 0) return fmt::format("CAST({} AS DOUBLE)", value);
    return fmt::format("(CAST({} AS DOUBLE) / {})", value, real_constant(power_of_ten(scale)));
  }
  if (type == Type::real && (to.type == Type::integer || to.type == Type::decimal)) {
    const std::string scaled =
        to.scale == 0 ? value : fmt::format("({} * {})", value, real_constant(power_of_ten(to.scale)));
    // As PostgreSQL: to the even neighbour for integers, away from 0 for decimals.
    return fmt::format(
        "(CASE WHEN abs({0}) < {2} THEN CAST({1} AS BIGINT) END)", scaled,
        to.type == Type::integer ? fmt::format("round_even({}, 0)", scaled) : fmt::format("round({})", scaled),
        real_constant(Rational::power_of_two(63)));
  }
  if (is_number(type) && (to.type == Type::integer || to.type == Type::decimal)) {
    if (to.scale < scale) return fewer_digits(value, scale - to.scale);
    if (to.scale == scale) return value;
    return fmt::format("({} * {})", value, integer_constant(power_of_ten(to.scale - scale)));
  }
  if (to.type == Type::boolean && type == Type::integer) return fmt::format("({} <> 0)", value);
  return fmt::format("CAST({} AS {})", value, duckdb_type(to.type));
}

std::string DuckDbWriter::function(const Expression& expression) const {
  std::vector<std::string> parts;
  for (const ExpressionPtr& argument : expression.arguments) parts.push_back(this->expression(*argument));
  const std::string& name = expression.name;
  if (name == "extract") return fmt::format("CAST(date_part({}, {}) AS BIGINT)", parts[0], parts[1]);
  if (name == "date_trunc") {
    const bool is_date = expression.arguments[1]->shape.type == Type::date;
    return fmt::format("CAST(date_trunc({}, {}) AS {})", parts[0], parts[1], is_date ? "DATE" : "TIMESTAMP");
  }
  if (expression.arguments[0]->shape.type == Type::text || name == "concat") return text_function(expression, parts);
  return number_function(expression, parts);
}

std::string DuckDbWriter::number_function(const Expression& expression, const std::vector<std::string>& parts) const {
  const std::string& name = expression.name;
  const std::string& x = parts[0];
  const bool has_digits = expression.shape.type == Type::decimal && (name == "round" || name == "trunc");
  if (has_digits)
    return fmt::format("CAST({}({} * {}) AS BIGINT)", name, x, real_constant(power_of_ten(expression.shape.scale)));
  if (name == "abs" || name == "floor" || name == "ceil" || name == "round" || name == "trunc" || name == "exp")
    return fmt::format("{}({})", name, x);
  if (name == "sign") return fmt::format("CAST(sign({}) AS BIGINT)", x);
  if (name == "sqrt") return fmt::format("(CASE WHEN {0} >= 0 THEN sqrt({0}) END)", x);
  if (name == "ln" || name == "log") return fmt::format("(CASE WHEN {0} > 0 THEN {1}({0}) END)", x, name);
  if (name == "power")
    return fmt::format(
        "(CASE WHEN {0} > 0 OR ({0} = 0 AND {1} >= 0) OR ({0} < 0 AND {1} = floor({1})) THEN pow({0}, {1}) END)", x,
        parts[1]);
  if (name == "width_bucket")
    return fmt::format(
        "(CASE WHEN {0} < {1} THEN 0 WHEN {0} >= {2} THEN {3} + 1 WHEN {0} IS NOT NULL THEN "
        "least(CAST(floor(({0} - {1}) * CAST({3} AS DOUBLE) / ({2} - {1})) AS BIGINT) + 1, {3}) END)",
        x, parts[1], parts[2], parts[3]);
  return "NULL";
}

std::string DuckDbWriter::text_function(const Expression& expression, const std::vector<std::string>& parts) const {
  const std::string& name = expression.name;
  const std::string& x = parts[0];
  if (name == "||") return fmt::format("({} || {})", parts[0], parts[1]);
  if (name == "concat") {
    std::string list;
    for (const std::string& part : parts) list += (list.empty() ? "" : ", ") + part;
    return fmt::format("concat({})", list);
  }
  if (name == "btrim" || name == "ltrim" || name == "rtrim") {
    const std::string function = name == "btrim" ? "trim" : name;
    return fmt::format("{}({}, {})", function, x, parts.size() == 2 ? parts[1] : "' '");
  }
  if (name == "substring") {
    // From the place `from` on, which may lie before the text, as PostgreSQL counts.
    const std::string begin = fmt::format("greatest({}, 1)", parts[1]);
    if (parts.size() == 2)
      return fmt::format("(CASE WHEN {} IS NOT NULL THEN substring({}, {}) END)", parts[1], x, begin);
    return fmt::format(
        "(CASE WHEN {2} IS NOT NULL AND {3} IS NOT NULL THEN substring({0}, {1}, greatest({2} + greatest({3}, 0) - {1}, 0)) END)",
        x, begin, parts[1], parts[2]);
  }
  if (name == "position") return fmt::format("CAST(strpos({}, {}) AS BIGINT)", parts[0], parts[1]);
  if (name == "length") return fmt::format("CAST(length({}) AS BIGINT)", x);
  if (name == "left" || name == "right") return fmt::format("{}({}, {})", name, x, parts[1]);
  if (name == "replace") return fmt::format("replace({}, {}, {})", x, parts[1], parts[2]);
  if (name == "starts_with") return fmt::format("starts_with({}, {})", x, parts[1]);
  return fmt::format("{}({})", name, x);  // lower, upper
}

Result<std::unique_ptr<SqlWriter>> make_sql_writer(const engines::SqlDialect& dialect,
                                                   const schema::DatabaseSchema& schema) {
  if (dialect.name() == "duckdb") return std::make_unique<DuckDbWriter>(dialect, schema);
  return make_error(ErrorCode::unsupported, "questions are not yet written in the SQL of {}", dialect.name());
}

}  // namespace gauze::query
