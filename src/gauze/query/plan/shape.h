#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/base/words.h"
#include "gauze/schema/database/database_schema.h"

namespace gauze::query {

/// What the values of an expression are. `null` is that of a bare NULL or of a text constant that takes the type it meets.
enum class Type { null, boolean, integer, decimal, real, date, timestamp, text, interval };
inline constexpr Words<Type, 9> kTypeWords = {{{Type::null, "null"},
                                               {Type::boolean, "boolean"},
                                               {Type::integer, "integer"},
                                               {Type::decimal, "decimal"},
                                               {Type::real, "real"},
                                               {Type::date, "date"},
                                               {Type::timestamp, "timestamp"},
                                               {Type::text, "text"},
                                               {Type::interval, "interval"}}};
[[nodiscard]] bool is_number(Type type);
/// Of the values of a column.
[[nodiscard]] Type type_of_column(schema::DeclaredType type);

/// Between which ends the values of a number, a date (days) or a timestamp (microseconds) lie.
///
/// An end that is not known is where the type itself ends: nothing may be summed up to there. `least` is the smallest size that
/// is not 0, so that an underflow can be excluded, too.
struct Range {
  Rational low = 0;
  Rational high = 0;
  bool low_known = true;
  bool high_known = true;
  Rational least = 1;

  [[nodiscard]] bool is_known() const { return low_known && high_known; }
  [[nodiscard]] bool is_empty() const { return low > high; }
  [[nodiscard]] bool holds(const Rational& value) const { return low <= value && value <= high; }
  [[nodiscard]] Rational largest_size() const;
  [[nodiscard]] static Range of(const Rational& value);
  /// All numbers of a type, no end known.
  [[nodiscard]] static Range all_of(Type type, int scale = 0);
  /// Holds both.
  [[nodiscard]] static Range hull(const Range& a, const Range& b);
  /// Within both.
  [[nodiscard]] static Range meet(const Range& a, const Range& b);
};

[[nodiscard]] Range operator-(const Range& a);
[[nodiscard]] Range sum(const Range& a, const Range& b, bool reals);
[[nodiscard]] Range product(const Range& a, const Range& b);
/// Of a number by a number that is not 0.
[[nodiscard]] Range quotient(const Range& a, const Range& b);

/// Whether numbers of this range can be 64-bit integers when written with so many digits behind the point.
[[nodiscard]] bool fits_64_bits(const Range& range, int scale = 0);
/// Whether a floating-point number holds each of them, neither overflowing nor becoming 0.
[[nodiscard]] bool fits_real(const Range& range);

/// The finitely many values of an expression besides NULL, each in its canonical spelling, none twice.
using ValueList = std::shared_ptr<const std::vector<std::string>>;

/// Texts of a table are cut behind so many characters, and expressions that could make longer ones are refused: whether memory
/// is enough must not depend on one row.
inline constexpr double kLongestCell = 0x1p20;
inline constexpr double kLongestText = 0x1p26;

/// Expressions of more parts are refused: engines plan them for minutes, whatever the data.
inline constexpr double kHeaviest = 20'000;

/// What is known of an expression's values before any row is read.
struct Shape {
  Type type = Type::null;
  int scale = 0;  ///< of a decimal, which is carried as an integer number of 10^-scale
  bool nullable = true;
  bool whole = false;     ///< a real that has no fraction
  Range range = {};       ///< of numbers, dates and timestamps
  ValueList values = {};  ///< all of them, where they are listed
  double longest = 40;    ///< characters of a text; numbers and dates have no more when they are written
  double weight = 1;      ///< parts that an engine sees once subqueries are put together, at most

  /// How many values there are besides NULL, where they are finitely many by what is public.
  [[nodiscard]] std::optional<Rational> count() const;
  [[nodiscard]] std::string describe() const;  ///< "integer", "decimal of 2 digits"
};

[[nodiscard]] Rational power_of_ten(int exponent);

}  // namespace gauze::query
