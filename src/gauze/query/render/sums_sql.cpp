#include "gauze/query/render/sums_sql.h"

#include <algorithm>

#include "gauze/query/render/granules.h"

namespace gauze::query {
namespace {

using Measured = Measurement::Kind;

std::string digits(const Rational& value) { return value.to_decimal(60); }
std::string big(const Rational& value) { return fmt::format("CAST('{}' AS HUGEINT)", digits(value)); }
std::string real_text(const Rational& value) {
  return fmt::format("CAST('{}' AS DOUBLE)", fmt::format("{}", value.to_double()));
}

class Statements {
 public:
  Statements(const QueryPlan& plan, const SqlWriter& writer, const std::string& key)
      : plan_(plan), writer_(writer), key_(key), answer_(plan.question.answer), input_(answer_.input) {}

  [[nodiscard]] QueryStatements write() {
    QueryStatements statements;
    std::string rows;     // what each row gives
    std::string by_unit;  // what a unit gives to a group
    std::string by_group;
    for (std::size_t i = 0; i < plan_.measurements.all.size(); ++i) {
      const Measurement& one = plan_.measurements.all[i];
      if (one.is_selection() || one.kind == Measured::distinct || one.kind == Measured::units || one.is_constant())
        continue;
      statements.sum_places.push_back(i);
      if (one.kind == Measured::rows) {
        add_item(by_group, plan_.unit_is_row() ? "count(*)" : fmt::format("sum({})", rows_of_unit()));
        continue;
      }
      const std::string name = fmt::format("q{}", i);
      add_item(rows, fmt::format("{} AS {}", row_value(one), name));
      const bool is_count = one.kind == Measured::count;
      add_item(by_unit, fmt::format("{}({}) AS s{}", is_count ? "count" : "sum", name, i));
      if (plan_.unit_is_row())
        add_item(by_group, is_count ? fmt::format("count({})", name) : fmt::format("coalesce(sum({}), 0)", name));
      else
        add_item(by_group, fmt::format("sum({})", unit_value(one, i)));
    }
    statements.sums = plan_.unit_is_row() ? fmt::format("SELECT {}count(*){} FROM ({}) AS r{}", listed_keys(),
                                                        prefixed(by_group), input(rows), group_by())
                                          : fmt::format("{} SELECT {}count(*){} FROM chosen{}", with(rows, by_unit),
                                                        listed_keys(), prefixed(by_group), group_by());
    for (std::size_t i = 0; i < plan_.measurements.all.size(); ++i) {
      const Measurement& one = plan_.measurements.all[i];
      if (one.kind == Measured::distinct) statements.distinct.push_back({i, distinct(one)});
      if (one.is_selection()) statements.selections.push_back({i, selection(one)});
    }
    return statements;
  }

 private:
  [[nodiscard]] std::size_t keys() const { return answer_.keys.size(); }
  [[nodiscard]] std::string rows_limit() const { return std::to_string(plan_.limits.rows); }
  [[nodiscard]] std::string rows_of_unit() const { return fmt::format("least(c, {})", rows_limit()); }
  [[nodiscard]] std::string key_list(std::string_view prefix = "") const {
    std::string list;
    for (std::size_t i = 0; i < keys(); ++i) add_item(list, fmt::format("{}k{}", prefix, i));
    return list;
  }
  [[nodiscard]] std::string listed_keys() const { return keys() == 0 ? "" : key_list() + ", "; }
  [[nodiscard]] std::string group_by() const { return keys() == 0 ? "" : " GROUP BY " + key_list(); }
  static std::string prefixed(const std::string& list) { return list.empty() ? "" : ", " + list; }

  /// The rows of the question with unit, keys and whatever else is wanted of each.
  [[nodiscard]] std::string input(const std::string& more) const {
    std::string list;
    if (!plan_.unit_is_row()) add_item(list, column_name(answer_.input->unit) + " AS u");
    for (std::size_t i = 0; i < keys(); ++i) {
      const Expression& key = *answer_.keys[i];
      const std::string sql = writer_.expression(key);
      add_item(list, fmt::format("{} AS k{}",
                                 key.shape.type == Type::real ? fmt::format("CAST({} AS BIGINT)", sql) : sql, i));
    }
    if (!more.empty()) add_item(list, more);
    if (list.empty()) list = "0 AS nothing";
    return fmt::format("SELECT {} FROM ({}) AS q", list, writer_.relation(*input_));
  }

  /// Text of a part of a hash: no two different values of a type have one text.
  [[nodiscard]] std::string hashed(const std::string& value, Type type) const {
    const std::string text =
        type == Type::text   ? fmt::format("concat(CAST(length({0}) AS VARCHAR), ':', {0})", value)
        : type == Type::real ? fmt::format("CASE WHEN {0} = 0 THEN '0' ELSE CAST({0} AS VARCHAR) END", value)
        : type == Type::date ? fmt::format("CAST(CAST({} - CAST('1970-01-01' AS DATE) AS BIGINT) AS VARCHAR)", value)
                             : fmt::format("CAST({} AS VARCHAR)", value);
    return fmt::format("coalesce({}, 'n')", text);
  }
  [[nodiscard]] std::string hash(const std::string& further = "") const {
    std::string parts = fmt::format("'{}/', coalesce(CAST(u AS VARCHAR), 'n')", key_);
    for (std::size_t i = 0; i < keys(); ++i)
      add_item(parts, "'/', " + hashed(fmt::format("k{}", i), answer_.keys[i]->shape.type));
    if (!further.empty()) add_item(parts, "'/', " + further);
    return writer_.dialect().md5_order(parts);
  }

  /// rows: with unit and keys; units: by unit and group; chosen: those that count.
  [[nodiscard]] std::string with(const std::string& rows, const std::string& by_unit) const {
    const std::string keys_too = keys() == 0 ? "" : ", " + key_list();
    std::string text = fmt::format("WITH rows AS ({}), units AS (SELECT u{}, count(*) AS c{} FROM rows GROUP BY u{})",
                                   input(rows), keys_too, prefixed(by_unit), keys_too);
    if (!plan_.chooses_groups()) return text + ", chosen AS (SELECT * FROM units)";
    // Only units that are in too many groups are sorted.
    return text +
           fmt::format(
               ", crowded AS (SELECT u FROM units GROUP BY u HAVING count(*) > {0}), chosen AS (SELECT * FROM units WHERE u NOT "
               "IN (SELECT u FROM crowded) UNION ALL SELECT * EXCLUDE (place) FROM (SELECT *, row_number() OVER (PARTITION BY u "
               "ORDER BY {1}{2}) AS place FROM units WHERE u IN (SELECT u FROM crowded)) AS p WHERE place <= {0})",
               plan_.limits.groups, hash(), keys_too);
  }

  /// The argument in whole granules, clamped; NULL for NULL.
  [[nodiscard]] std::string in_granules(const Measurement& one) {
    if (const auto column = granules_column(input_, *one.argument, one.fixed)) return column_name(*column);
    return fixed_point_sql(writer_, one.argument, one.fixed);
  }

  /// The value of one row for a measurement; NULL where the row does not count.
  [[nodiscard]] std::string row_value(const Measurement& one) {
    std::string value;
    if (one.kind == Measured::count) {
      value = one.argument ? fmt::format("(CASE WHEN {} IS NOT NULL THEN 1 END)", writer_.expression(*one.argument))
                           : "1";
    } else {
      value = in_granules(one);
      const Rational ends = Rational(one.fixed.low) + Rational(one.fixed.high);
      if (one.kind != Measured::sum) value = fmt::format("(2 * {} - CAST({} AS BIGINT))", value, digits(ends));
      if (one.kind == Measured::centred_squares) value = squared(value, one.squares);
    }
    return one.filter ? fmt::format("(CASE WHEN {} THEN {} END)", writer_.expression(*one.filter), value) : value;
  }

  static std::string squared(const std::string& distance, const FixedPointRange& squares) {
    if (!squares.from_real) return fmt::format("({0} * {0})", distance);
    return fmt::format(
        "(CASE WHEN {0} IS NOT NULL THEN least(CAST(floor(CAST({0} AS DOUBLE) * CAST({0} AS DOUBLE) * {1} + 0.5) AS BIGINT), "
        "CAST({2} AS BIGINT)) END)",
        distance, real_text(Rational(1) / squares.granule), squares.high);
  }

  /// What a unit adds to a group: clipped, or with the weight R/c when it has more than R rows there.
  [[nodiscard]] std::string unit_value(const Measurement& one, std::size_t place) const {
    const std::string sum = fmt::format("coalesce(s{}, 0)", place);
    if (one.is_clipped)
      return fmt::format("CAST(greatest(least({}, {}), {}) AS BIGINT)", sum, big(Rational(one.clip_high)),
                         big(Rational(one.clip_low)));
    const Rational bits = Rational::power_of_two(kWeightBits);
    const Rational rows(static_cast<std::int64_t>(plan_.limits.rows));
    const std::string weighted =
        fmt::format("(CASE WHEN c <= {0} THEN CAST({1} AS HUGEINT) * {2} ELSE (CAST({1} AS HUGEINT) * {3}) // c END)",
                    rows_limit(), sum, digits(bits), digits(rows * bits));
    Rational low = 0;
    Rational high = 1;
    if (one.kind == Measured::sum) {
      low = Rational(one.fixed.low);
      high = Rational(one.fixed.high);
    } else if (one.kind == Measured::centred_sum) {
      high = Rational(one.fixed.high) - Rational(one.fixed.low);
      low = -high;
    } else if (one.kind == Measured::centred_squares) {
      high = Rational(one.squares.high);
    }
    low = std::min(low, Rational()) * rows * bits;
    high = std::max(high, Rational()) * rows * bits;
    const std::string clamped = fmt::format("greatest(least({}, {}), {})", weighted, big(high), big(low));
    const bool is_small = high < Rational::power_of_two(62) && low > -Rational::power_of_two(62);
    return is_small ? fmt::format("CAST({} AS BIGINT)", clamped) : clamped;
  }

  /// Rows of the groups that count, each with the number of its unit's rows there.
  [[nodiscard]] std::string joined_rows(std::string_view columns) const {
    std::string condition = "r.u = g.u";
    for (std::size_t i = 0; i < keys(); ++i) condition += fmt::format(" AND r.k{0} IS NOT DISTINCT FROM g.k{0}", i);
    return fmt::format("SELECT {} FROM rows AS r JOIN chosen AS g ON {}", columns, condition);
  }

  [[nodiscard]] std::string distinct(const Measurement& one) const {
    std::string value = writer_.expression(*one.argument);
    if (one.filter) value = fmt::format("(CASE WHEN {} THEN {} END)", writer_.expression(*one.filter), value);
    const std::string rows = value + " AS x";
    if (plan_.unit_is_row())
      return fmt::format("SELECT {}count(DISTINCT x) FROM ({}) AS r{}", listed_keys(), input(rows), group_by());
    const std::string keys_too = keys() == 0 ? "" : ", " + key_list("r.");
    const std::string by = keys() == 0 ? "u" : "u, " + key_list();
    return fmt::format(
        "{}, seen AS (SELECT DISTINCT * FROM ({} WHERE x IS NOT NULL) AS d), kept AS (SELECT * FROM (SELECT *, row_number() OVER "
        "(PARTITION BY {} ORDER BY {}, x) AS place FROM seen) AS p WHERE place <= {}) SELECT {}count(DISTINCT x) FROM kept{}",
        with(rows, ""), joined_rows("r.u" + keys_too + ", r.x"), by, hash(hashed("x", one.argument->shape.type)),
        rows_limit(), listed_keys(), group_by());
  }

  /// Weight by group and candidate.
  [[nodiscard]] std::string selection(const Measurement& one) {
    std::string cell;
    if (one.kind == Measured::mode) {
      cell = writer_.expression(*one.argument);
    } else {
      const Candidates candidates = candidates_of(one);
      const ExpressionPtr& argument = one.argument;
      const std::string granules =
          argument->shape.type == Type::date
              ? fmt::format("CAST({} - CAST('1970-01-01' AS DATE) AS BIGINT)", writer_.expression(*argument))
              : in_granules(one);
      const std::string above = fmt::format("({} - CAST({} AS BIGINT))", granules, candidates.low);
      cell =
          candidates.is_value_each
              ? above
              : fmt::format(
                    "(CASE WHEN {0} IS NOT NULL THEN least(greatest({0} * {1} - 1, 0) // CAST({2} AS BIGINT), {3}) END)",
                    above, candidates.count, std::max<std::int64_t>(candidates.high - candidates.low, 1),
                    candidates.count - 1);
    }
    if (one.filter) cell = fmt::format("(CASE WHEN {} THEN {} END)", writer_.expression(*one.filter), cell);
    const std::string rows = cell + " AS x";
    const std::string by = keys() == 0 ? "x" : key_list() + ", x";
    if (plan_.unit_is_row())
      return fmt::format("SELECT {}x, count(*) * CAST({} AS BIGINT) FROM ({}) AS r WHERE x IS NOT NULL GROUP BY {}",
                         listed_keys(), std::int64_t{1} << kWeightBits, input(rows), by);
    const std::string keys_too = keys() == 0 ? "" : ", " + key_list("r.");
    return fmt::format(
        "{} SELECT {}x, sum(w) FROM ({} WHERE r.x IS NOT NULL) AS d GROUP BY {}", with(rows, ""), listed_keys(),
        joined_rows(fmt::format(
            "r.x{}, CASE WHEN g.c <= {} THEN CAST({} AS BIGINT) ELSE CAST({} AS BIGINT) // g.c END AS w", keys_too,
            rows_limit(), std::int64_t{1} << kWeightBits,
            digits(Rational(static_cast<std::int64_t>(plan_.limits.rows)) * Rational::power_of_two(kWeightBits)))),
        by);
  }

  const QueryPlan& plan_;
  const SqlWriter& writer_;
  std::string key_;
  const Answer& answer_;
  RelationPtr input_;  ///< the answer's, with columns in granules
};

}  // namespace

std::string fixed_point_sql(const SqlWriter& writer, const ExpressionPtr& argument, const FixedPointRange& fixed) {
  const auto clamped = [](const std::string& value, const std::string& low, const std::string& high) {
    return fmt::format(
        "(CASE WHEN {0} > {2} THEN {2} WHEN {0} >= {1} THEN {0} WHEN {0} IS NULL THEN NULL ELSE {1} END)", value, low,
        high);
  };
  if (!fixed.from_real) {
    const auto end = [](std::int64_t value) { return fmt::format("CAST({} AS BIGINT)", value); };
    return clamped(writer.expression(*argument), end(fixed.low), end(fixed.high));
  }
  const std::string value = writer.expression(*Operators::as_real(argument));
  return fmt::format(
      "CAST(floor({} * {} + 0.5) AS BIGINT)",
      clamped(value, real_text(Rational(fixed.low) * fixed.granule), real_text(Rational(fixed.high) * fixed.granule)),
      real_text(Rational(1) / fixed.granule));
}

QueryStatements write_statements(const QueryPlan& plan, const SqlWriter& writer, const std::string& key) {
  return Statements(plan, writer, key).write();
}

}  // namespace gauze::query
