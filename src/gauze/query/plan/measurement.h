#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/words.h"
#include "gauze/query/plan/question.h"

namespace gauze::query {

/// How a number becomes an integer, from its bounds alone: a whole number of granules, clamped to [low, high].
struct FixedPointRange {
  Rational granule = 1;
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool from_real = false;  ///< rounded; else the number is carried as so many granules already
};
[[nodiscard]] Result<FixedPointRange> fixed_point_range(const Shape& shape, TextSpan span);

/// One noisy number a group: what a unit can change of it is bounded, and noise is drawn for that.
///
/// Values are whole numbers of `granule`. One unit in one group changes a value by at most `sensitivity` granules.
struct Measurement {
  enum class Kind {
    units,
    rows,
    count,
    distinct,
    sum,
    centred_sum,
    centred_squares,
    quantile,
    minimum,
    maximum,
    mode
  };

  Kind kind = Kind::rows;
  std::string name = {};
  ExpressionPtr argument = {};
  ExpressionPtr filter = {};
  Rational granule = 1;
  Rational sensitivity = 1;
  FixedPointRange fixed = {};    ///< of the argument
  FixedPointRange squares = {};  ///< of the square of the argument's distance from the middle
  bool is_weighted = false;      ///< in 20 further bits; the granule is the finer one
  bool is_clipped = false;       ///< a unit's sum is clipped to [clip_low, clip_high] granules
  std::int64_t clip_low = 0;
  std::int64_t clip_high = 0;
  // Of selections:
  Rational fraction = 0;
  bool descending = false;

  [[nodiscard]] bool is_selection() const { return kind >= Kind::quantile; }
  /// Whether nothing a unit does can change it: its value is 0, and nothing is drawn.
  [[nodiscard]] bool is_constant() const { return !is_selection() && sensitivity.sign() == 0; }
};
inline constexpr Words<Measurement::Kind, 11> kMeasurementWords = {{
    {Measurement::Kind::units, "units"},
    {Measurement::Kind::rows, "rows"},
    {Measurement::Kind::count, "count"},
    {Measurement::Kind::distinct, "distinct"},
    {Measurement::Kind::sum, "sum"},
    {Measurement::Kind::centred_sum, "centred_sum"},
    {Measurement::Kind::centred_squares, "centred_squares"},
    {Measurement::Kind::quantile, "quantile"},
    {Measurement::Kind::minimum, "min"},
    {Measurement::Kind::maximum, "max"},
    {Measurement::Kind::mode, "mode"},
}};

/// The candidates of a selection: values, or cells of a grid of which the upper edge is told.
struct Candidates {
  std::uint64_t count = 1;
  bool is_value_each = true;             ///< each value is a candidate
  std::int64_t low = 0;                  ///< of the first, in granules
  std::int64_t high = 0;                 ///< of the last
  std::vector<std::string> values = {};  ///< of MODE over a list
};
[[nodiscard]] Candidates candidates_of(const Measurement& measurement);
/// The upper edge of a candidate, in granules.
[[nodiscard]] Rational candidate_edge(const Candidates& candidates, std::uint64_t index);

/// Of which measurements an aggregate is made, by their place.
struct AggregateParts {
  Aggregate::Kind kind = Aggregate::Kind::count_rows;
  std::optional<std::size_t> main = {};  ///< the count, sum, distinct count or first selection
  std::optional<std::size_t> count = {};
  std::optional<std::size_t> centred = {};
  std::optional<std::size_t> squares = {};
  std::vector<std::size_t> list = {};  ///< of several quantiles
  Rational middle = 0;                 ///< of the argument's range
  Rational half = 0;
  Range range = {};
};

/// All that must be measured for an answer, each thing once.
struct Measurements {
  std::vector<Measurement> all = {};
  std::vector<AggregateParts> parts = {};  ///< of each aggregate
  std::optional<std::size_t> naming = {};  ///< the number of units that decides whether a private group is named
};

/// `rows`: the most rows of a unit in a group that count. With private keys the number of units is measured too.
[[nodiscard]] Result<Measurements> find_measurements(const Answer& answer, bool unit_is_row, std::uint64_t rows,
                                                     bool private_keys);

/// How many further bits a weighted sum has.
inline constexpr int kWeightBits = 20;

}  // namespace gauze::query
