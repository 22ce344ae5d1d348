#include "gauze/query/plan/measurement.h"

#include <algorithm>

#include "gauze/mechanisms/aggregates/bounded_sum.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

using Measured = Measurement::Kind;

constexpr std::int64_t kMostUnits = std::int64_t{1} << 50;
constexpr std::int64_t kMostValueCandidates = 4'096;
constexpr std::uint64_t kGridCandidates = 1'024;

/// Bounds in whole steps of a granule, inwards, if they are small enough for exact sums.
std::optional<FixedPointRange> whole_range(const Range& range, const Rational& granule) {
  const Rational low = (range.low / granule).ceil();
  const Rational high = (range.high / granule).floor();
  const Rational most(kMostUnits);
  if (low < -most || high > most || low > high) return std::nullopt;
  return FixedPointRange{.granule = granule, .low = *low.to_int64(), .high = *high.to_int64()};
}

Result<FixedPointRange> real_range(const Rational& low, const Rational& high, TextSpan span) {
  const auto sum = BoundedSum::make({.lower = low.to_double(), .upper = high.to_double()});
  if (!sum)
    return refused_at(ErrorCode::invalid_parameter, span,
                      "the bounds of this cannot be summed: " + sum.error().message);
  const Rational granule = Rational::power_of_two(sum->exact().exponent);
  return FixedPointRange{.granule = granule,
                         .low = *(sum->lower() / granule).to_int64(),
                         .high = *(sum->upper() / granule).to_int64(),
                         .from_real = true};
}

std::int64_t size_of(const FixedPointRange& range) { return std::max(range.high, -range.low); }

class Finder {
 public:
  Finder(const Answer& answer, bool unit_is_row, std::uint64_t rows)
      : answer_(answer), unit_is_row_(unit_is_row), rows_(static_cast<std::int64_t>(rows)) {}

  [[nodiscard]] Result<Measurements> find(bool private_keys) {
    for (const Aggregate& aggregate : answer_.aggregates) {
      GAUZE_TRY(AggregateParts parts, parts_of(aggregate));
      found_.parts.push_back(std::move(parts));
    }
    if (private_keys) found_.naming = naming_count();
    return std::move(found_);
  }

 private:
  /// The number of units of a group; that of rows is the same where each unit has one.
  std::size_t naming_count() {
    for (std::size_t i = 0; i < found_.all.size(); ++i)
      if (found_.all[i].kind == Measured::rows && rows_ == 1) return i;
    return units();
  }

  std::size_t put(Measurement measurement) {
    const auto same = [&](const Measurement& other) {
      const auto text = [](const ExpressionPtr& one) { return one ? fingerprint(*one) : std::string(); };
      return other.kind == measurement.kind && text(other.argument) == text(measurement.argument) &&
             text(other.filter) == text(measurement.filter) && other.fraction == measurement.fraction &&
             other.descending == measurement.descending;
    };
    const auto known = std::find_if(found_.all.begin(), found_.all.end(), same);
    if (known != found_.all.end()) return static_cast<std::size_t>(known - found_.all.begin());
    const std::string base(word_of(kMeasurementWords, measurement.kind));
    measurement.name = base;
    for (int number = 2; std::any_of(found_.all.begin(), found_.all.end(),
                                     [&](const Measurement& other) { return other.name == measurement.name; });
         ++number)
      measurement.name = fmt::format("{}_{}", base, number);
    found_.all.push_back(std::move(measurement));
    return found_.all.size() - 1;
  }

  /// A sum over rows of numbers of at most `size` granules each.
  Measurement weighted(Measured kind, const Rational& granule, std::int64_t size, const ExpressionPtr& argument,
                       const ExpressionPtr& filter) const {
    Measurement measurement{.kind = kind, .argument = argument, .filter = filter, .granule = granule};
    measurement.sensitivity = Rational(rows_) * Rational(size);
    if (!unit_is_row_) {
      measurement.is_weighted = true;
      measurement.granule *= Rational::power_of_two(-kWeightBits);
      measurement.sensitivity *= Rational::power_of_two(kWeightBits);
    }
    return measurement;
  }

  std::size_t units() {
    if (unit_is_row_) return rows();
    return put({.kind = Measured::units, .granule = 1, .sensitivity = 1});
  }
  std::size_t rows() { return put({.kind = Measured::rows, .granule = 1, .sensitivity = Rational(rows_)}); }

  /// Rows that count for an argument.
  std::size_t count(const ExpressionPtr& argument, const ExpressionPtr& filter) {
    const bool always = !argument || !argument->shape.nullable;
    if (always && !filter) return rows();
    return put(weighted(Measured::count, 1, 1, always ? nullptr : argument, filter));
  }

  [[nodiscard]] const Aggregate* sum_of_same(const Aggregate& aggregate) const {
    for (const Aggregate& other : answer_.aggregates) {
      if (other.kind != Aggregate::Kind::sum || per_unit_of(other) != nullptr) continue;
      const auto text = [](const ExpressionPtr& one) { return one ? fingerprint(*one) : std::string(); };
      if (text(other.argument) == text(aggregate.argument) && text(other.filter) == text(aggregate.filter))
        return &other;
    }
    return nullptr;
  }

  [[nodiscard]] const schema::ValueRange* per_unit_of(const Aggregate& aggregate) const {
    if (unit_is_row_ || aggregate.argument->operation != Operation::column) return nullptr;
    const RelationColumn* column = answer_.input->find(aggregate.argument->column);
    return column != nullptr && column->declared != nullptr && column->declared->per_unit
               ? &*column->declared->per_unit
               : nullptr;
  }

  Result<std::size_t> sum(const Aggregate& aggregate) {
    GAUZE_TRY(const FixedPointRange fixed, fixed_point_range(aggregate.argument->shape, aggregate.argument->span));
    Measurement measurement =
        weighted(Measured::sum, fixed.granule, size_of(fixed), aggregate.argument, aggregate.filter);
    if (const schema::ValueRange* clip = per_unit_of(aggregate)) {
      measurement.is_weighted = false;
      measurement.granule = fixed.granule;
      measurement.is_clipped = true;
      const Rational most(kMostUnits);
      const Rational low = std::max((clip->low / fixed.granule).ceil(), -most);
      const Rational high = std::min((clip->high / fixed.granule).floor(), most);
      measurement.clip_low = *low.to_int64();
      measurement.clip_high = *high.to_int64();
      // A unit without rows adds 0.
      measurement.sensitivity = std::max(std::max(high, -low), Rational());
    }
    measurement.fixed = fixed;
    return put(std::move(measurement));
  }

  Result<std::size_t> centred(const Aggregate& aggregate) {
    GAUZE_TRY(const FixedPointRange fixed, fixed_point_range(aggregate.argument->shape, aggregate.argument->span));
    Measurement measurement = weighted(Measured::centred_sum, fixed.granule * Rational(1, 2), fixed.high - fixed.low,
                                       aggregate.argument, aggregate.filter);
    measurement.fixed = fixed;
    return put(std::move(measurement));
  }

  Result<std::size_t> squares(const Aggregate& aggregate) {
    GAUZE_TRY(const FixedPointRange fixed, fixed_point_range(aggregate.argument->shape, aggregate.argument->span));
    const Rational width = Rational(fixed.high) - Rational(fixed.low);
    const Rational square = width * width;
    const Rational unit = fixed.granule * fixed.granule * Rational(1, 4);
    FixedPointRange squares{.granule = 1, .low = 0, .high = 0};
    if (square <= Rational(kMostUnits)) {
      squares.high = *square.to_int64();
    } else {
      GAUZE_TRY(squares, real_range(0, square, aggregate.argument->span));
    }
    Measurement measurement = weighted(Measured::centred_squares, unit * squares.granule, squares.high,
                                       aggregate.argument, aggregate.filter);
    measurement.fixed = fixed;
    measurement.squares = squares;
    return put(std::move(measurement));
  }

  Result<std::size_t> selection(const Aggregate& aggregate, Measured kind, const Rational& fraction) {
    Measurement measurement{
        .kind = kind, .argument = aggregate.argument, .filter = aggregate.filter, .fraction = fraction};
    measurement.descending = aggregate.descending;
    if (kind != Measured::mode) {
      const Shape& shape = aggregate.argument->shape;
      if (shape.type == Type::date) {
        measurement.fixed = {.granule = 1, .low = *shape.range.low.to_int64(), .high = *shape.range.high.to_int64()};
      } else {
        GAUZE_TRY(measurement.fixed, fixed_point_range(shape, aggregate.argument->span));
      }
    } else if (const auto count = aggregate.argument->shape.count(); *count > Rational(100'000)) {
      return refused_at(ErrorCode::invalid_parameter, aggregate.argument->span,
                        "MODE chooses among at most 100,000 values");
    }
    return put(std::move(measurement));
  }

  Result<AggregateParts> parts_of(const Aggregate& aggregate) {
    using Asked = Aggregate::Kind;
    AggregateParts parts{.kind = aggregate.kind};
    if (aggregate.argument) {
      parts.range = aggregate.argument->shape.range;
      parts.middle = (parts.range.low + parts.range.high) * Rational(1, 2);
      parts.half = (parts.range.high - parts.range.low) * Rational(1, 2);
    }
    switch (aggregate.kind) {
      case Asked::count_rows:
      case Asked::count:
        parts.main = count(aggregate.argument, aggregate.filter);
        break;
      case Asked::count_units:
        parts.main = units();
        break;
      case Asked::count_distinct: {
        Measurement measurement{
            .kind = Measured::distinct, .argument = aggregate.argument, .filter = aggregate.filter};
        measurement.sensitivity = Rational(rows_);
        parts.main = put(std::move(measurement));
        break;
      }
      case Asked::sum: {
        GAUZE_TRY(parts.main, sum(aggregate));
        break;
      }
      case Asked::average: {
        if (sum_of_same(aggregate) != nullptr) {
          GAUZE_TRY(parts.main, sum(aggregate));
        } else {
          GAUZE_TRY(parts.centred, centred(aggregate));
        }
        parts.count = count(aggregate.argument, aggregate.filter);
        break;
      }
      case Asked::var_pop:
      case Asked::var_samp:
      case Asked::stddev_pop:
      case Asked::stddev_samp: {
        GAUZE_TRY(parts.centred, centred(aggregate));
        GAUZE_TRY(parts.squares, squares(aggregate));
        parts.count = count(aggregate.argument, aggregate.filter);
        break;
      }
      case Asked::minimum:
      case Asked::maximum: {
        GAUZE_TRY(parts.main,
                  selection(aggregate, aggregate.kind == Asked::minimum ? Measured::minimum : Measured::maximum, 0));
        break;
      }
      case Asked::mode: {
        GAUZE_TRY(parts.main, selection(aggregate, Measured::mode, 0));
        break;
      }
      case Asked::quantile:
        for (const Rational& fraction : aggregate.fractions) {
          GAUZE_TRY(const std::size_t one, selection(aggregate, Measured::quantile,
                                                     aggregate.descending ? Rational(1) - fraction : fraction));
          parts.list.push_back(one);
        }
        parts.main = parts.list.front();
        break;
    }
    return parts;
  }

  const Answer& answer_;
  bool unit_is_row_;
  std::int64_t rows_;
  Measurements found_;
};

}  // namespace

Result<FixedPointRange> fixed_point_range(const Shape& shape, TextSpan span) {
  if (shape.range.is_empty()) return FixedPointRange{};
  if (shape.range.low == shape.range.high) {  // one point: nothing a row does changes it but its being there
    if (const auto whole = whole_range(
            shape.range, shape.type == Type::decimal ? Rational(1) / power_of_ten(shape.scale) : Rational(1));
        whole && shape.type != Type::real)
      return *whole;
    const Rational size = shape.range.largest_size();
    if (size.sign() == 0) return FixedPointRange{.granule = 1, .low = 0, .high = 0, .from_real = true};
    return real_range(shape.range.low - size * Rational(1, 1024), shape.range.high + size * Rational(1, 1024), span);
  }
  if (shape.type != Type::real) {
    const Rational granule = shape.type == Type::decimal ? Rational(1) / power_of_ten(shape.scale) : Rational(1);
    if (const auto whole = whole_range(shape.range, granule)) return *whole;
  }
  return real_range(shape.range.low, shape.range.high, span);
}

Candidates candidates_of(const Measurement& measurement) {
  Candidates candidates{.low = measurement.fixed.low, .high = measurement.fixed.high};
  if (measurement.kind == Measured::mode) return candidates;  // filled in by whoever lists the values
  const Rational width = Rational(candidates.high) - Rational(candidates.low) + Rational(1);
  candidates.is_value_each = !measurement.fixed.from_real && width <= Rational(kMostValueCandidates);
  candidates.count = candidates.is_value_each ? static_cast<std::uint64_t>(*width.to_int64()) : kGridCandidates;
  return candidates;
}

Rational candidate_edge(const Candidates& candidates, std::uint64_t index) {
  if (candidates.is_value_each) return Rational(candidates.low) + Rational(static_cast<std::int64_t>(index));
  const Rational width = Rational(candidates.high) - Rational(candidates.low);
  return Rational(candidates.low) + width * Rational(static_cast<std::int64_t>(index) + 1) /
                                        Rational(static_cast<std::int64_t>(candidates.count));
}

Result<Measurements> find_measurements(const Answer& answer, bool unit_is_row, std::uint64_t rows,
                                       bool private_keys) {
  return Finder(answer, unit_is_row, rows).find(private_keys);
}

}  // namespace gauze::query
