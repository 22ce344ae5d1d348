// How the cells of a table become values of the types that its schema declares, in DuckDB's SQL.
#include <algorithm>

#include "gauze/query/plan/group_keys.h"
#include "gauze/query/plan/operators.h"
#include "gauze/query/render/granules.h"
#include "gauze/query/render/internal/duckdb_writer.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

using schema::ColumnSchema;
using schema::DeclaredType;
using table::StoredType;

std::string integer(const Rational& value) { return fmt::format("CAST({} AS BIGINT)", value.to_decimal()); }

/// What lies beyond is taken to the bound. `above` is what is neither below the upper bound nor NULL.
std::string clamped(const std::string& value, const std::string& low, const std::string& high,
                    const std::string& above) {
  return fmt::format("(CASE WHEN {0} <= {2} THEN (CASE WHEN {0} >= {1} THEN {0} ELSE {1} END) {3} END)", value, low,
                     high, above);
}

/// A number within bounds, with nothing but 0 smaller than 2^-200, so that no product of a few numbers becomes 0 by itself. NaN,
/// which DuckDB puts above all numbers, is NULL.
std::string clamped_real(const std::string& value, const Rational& low, const Rational& high) {
  const Rational least = Rational::power_of_two(-200);
  const std::string top = real_constant(high);
  const std::string above = fmt::format("WHEN NOT isnan({}) THEN {}", value, top);
  if (low <= -least && high >= least) {
    // Few comparisons for what is common: those of floating-point numbers are most of the cost of a scan.
    return fmt::format(
        "(CASE WHEN {0} BETWEEN {1} AND {3} THEN {0} WHEN {0} BETWEEN {2} AND -{1} THEN {0} WHEN {0} < {2} THEN {2} WHEN {0} < {1} "
        "THEN CAST(0 AS DOUBLE) {4} END)",
        value, real_constant(least), real_constant(low), top, above);
  }
  if (low.sign() == 0 && high >= least)
    return fmt::format("(CASE WHEN {0} BETWEEN {1} AND {2} THEN {0} WHEN {0} < {1} THEN CAST(0 AS DOUBLE) {3} END)",
                       value, real_constant(least), top, above);
  const std::string inner = clamped(value, real_constant(low), top, above);
  if (low >= least || high <= -least) return inner;
  return fmt::format("(CASE WHEN abs({0}) < {1} THEN CAST(0 AS DOUBLE) ELSE {0} END)", inner, real_constant(least));
}

}  // namespace

/// A stored value as one of the type that the column declares, NULL where it is none; not yet within its bounds or values.
std::string DuckDbWriter::typed_value(const ColumnSchema& column, StoredType stored) const {
  const std::string name = dialect_.identifier(column.name);
  const std::string text = dialect_.as_text(name, stored);
  const bool is_whole = stored == StoredType::integer;
  std::string value;
  switch (column.type) {
    case DeclaredType::integer:
      value =
          is_whole ? fmt::format("CAST({} AS BIGINT)", name)
          : stored == StoredType::wide_integer || stored == StoredType::boolean
              ? fmt::format("TRY_CAST({} AS BIGINT)", name)
          : stored == StoredType::real || stored == StoredType::decimal
              ? fmt::format(
                    "(CASE WHEN abs(CAST({0} AS DOUBLE)) < {1} AND {0} = floor({0}) THEN CAST({0} AS BIGINT) END)",
                    name, real_constant(Rational::power_of_two(63)))
              : cast_text(text, Type::integer, 0);
      break;
    case DeclaredType::decimal:
      value = scaled_decimal(
          stored == StoredType::text
              ? fmt::format("(CASE WHEN regexp_full_match({0}, "
                            "'[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{{1,3}})?') THEN {0} END)",
                            text)
              : name,
          column.scale, true);
      break;
    case DeclaredType::real: {
      const bool is_number = is_whole || stored == StoredType::wide_integer || stored == StoredType::real ||
                             stored == StoredType::decimal;
      value = is_number ? fmt::format("CAST({} AS DOUBLE)", name) : fmt::format("TRY_CAST({} AS DOUBLE)", text);
      if (!is_number)
        value = fmt::format(
            "(CASE WHEN regexp_full_match({}, '[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{{1,3}})?|[+-]?[iI]nf(inity)?') THEN {} END)",
            text, value);
      break;
    }
    case DeclaredType::boolean:
      value = stored == StoredType::boolean ? name
              : is_whole                    ? fmt::format("({} <> 0)", name)
                                            : cast_text(text, Type::boolean, 0);
      break;
    case DeclaredType::date:
      value = stored == StoredType::date        ? name
              : stored == StoredType::timestamp ? fmt::format("CAST({} AS DATE)", name)
                                                : cast_text(text, Type::date, 0);
      break;
    case DeclaredType::timestamp:
      value = stored == StoredType::timestamp || stored == StoredType::date
                  ? fmt::format("TRY_CAST({} AS TIMESTAMP)", name)
                  : cast_text(text, Type::timestamp, 0);
      break;
    case DeclaredType::text:
      value = stored == StoredType::text ? name : text;
      if (column.values.empty() && stored != StoredType::integer)
        value = fmt::format("(CASE WHEN strlen({0}) <= {1} THEN {0} ELSE left({0}, {1}) END)", value,
                            static_cast<std::int64_t>(kLongestCell));
      break;
  }
  return value;
}

std::string DuckDbWriter::listed(const ColumnSchema& column, const std::string& value) const {
  std::string list;
  for (const std::string& one : column.values) {
    const auto constant = Operators(true).cast(make_text(one, {}), type_of_column(column.type), column.scale, {});
    if (constant) add_item(list, expression(**constant));
  }
  // A function, unlike IN, is called once for each different value of a column that is stored with a dictionary; but it walks
  // through the list, which IN does not.
  constexpr std::size_t kLongestWalk = 64;
  if (column.values.size() > kLongestWalk) return fmt::format("({} IN ({}))", value, list);
  return fmt::format("list_contains([{}], {})", list, value);
}

/// A stored value as what the column declares: NULL where it is no such value, within the bounds, one of the values.
std::string DuckDbWriter::scanned_value(const ColumnSchema& column, StoredType stored) const {
  const std::string value = typed_value(column, stored);
  if (!column.values.empty()) {
    if (!column.other && !column.nullable) return value;  // the others are no rows of the table
    const std::string other = column.other
                                  ? fmt::format(" WHEN {} IS NOT NULL THEN {}", value, dialect_.text(*column.other))
                                  : std::string();
    return fmt::format("(CASE WHEN {} THEN {}{} END)", listed(column, value), value, other);
  }
  switch (column.type) {
    case DeclaredType::real: {
      const Rational limit = Rational::power_of_two(1000);
      return clamped_real(value, column.bounds ? column.bounds->low : -limit,
                          column.bounds ? column.bounds->high : limit);
    }
    case DeclaredType::integer:
    case DeclaredType::decimal: {
      Rational low = -(Rational::power_of_two(63) - Rational(1));
      Rational high = -low;
      if (column.bounds) {
        low = std::max(low, (column.bounds->low * power_of_ten(column.scale)).ceil());
        high = std::min(high, (column.bounds->high * power_of_ten(column.scale)).floor());
      }
      return clamped(value, integer(low), integer(high),
                     fmt::format("WHEN {} IS NOT NULL THEN {}", value, integer(high)));
    }
    case DeclaredType::date:
    case DeclaredType::timestamp: {
      const bool is_date = column.type == DeclaredType::date;
      Range range = Range::all_of(is_date ? Type::date : Type::timestamp);
      if (column.bounds) range = {.low = column.bounds->low, .high = column.bounds->high};
      const auto end = [&](const Rational& one) {
        return expression(*make_instant(is_date ? Type::date : Type::timestamp, one, {}));
      };
      return clamped(value, end(range.low), end(range.high),
                     fmt::format("WHEN {} IS NOT NULL THEN {}", value, end(range.high)));
    }
    default:
      return value;
  }
}

/// Whether scanned_value() is something, in terms of what is stored: DuckDB computes a condition on what it selects twice.
std::string DuckDbWriter::presence(const ColumnSchema& column, StoredType stored) const {
  const std::string value = typed_value(column, stored);
  if (!column.values.empty() && !column.other) return listed(column, value);
  if (column.type == DeclaredType::real) return fmt::format("({0} IS NOT NULL AND NOT isnan({0}))", value);
  return fmt::format("{} IS NOT NULL", value);
}

/// clamped_real(), rounded to granules, as integers: the same number for every value.
std::string DuckDbWriter::scanned_granules_sql(const ColumnSchema& column, StoredType stored,
                                               const FixedPointRange& fixed) const {
  return dialect_.fixed_point(typed_value(column, stored), (Rational(1) / fixed.granule).to_double(), fixed.low,
                              fixed.high);
}

std::string DuckDbWriter::scan(const schema::TableSchema& table, const std::string& stored_name,
                               const std::vector<StoredType>& stored) const {
  std::string list;
  std::string present;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnSchema& column = table.columns[i];
    add_item(list, fmt::format("{} AS {}", scanned_value(column, stored[i]), dialect_.identifier(column.name)));
    if (const auto fixed = scanned_granules(table, column))
      add_item(list, fmt::format("{} AS {}", scanned_granules_sql(column, stored[i], *fixed),
                                 dialect_.identifier(granules_name(column.name))));
    if (!column.nullable) present += (present.empty() ? " WHERE " : " AND ") + presence(column, stored[i]);
  }
  return fmt::format("SELECT {} FROM {}{}", list, dialect_.identifier(stored_name), present);
}

}  // namespace gauze::query
