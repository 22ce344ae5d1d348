#include "gauze/mechanisms/aggregates/bounded_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gauze/mechanisms/internal/fixed_point_sum.h"
#include "gauze/mechanisms/noise/geometric.h"

namespace gauze {
namespace {

/// The bounds of distances from the middle.
BoundedSum::Options centred(const BoundedSum::Options& options, double middle) {
  BoundedSum::Options result = options;
  const double half = std::max(options.upper - middle, middle - options.lower);
  result.lower = -half;
  result.upper = half;
  result.nan_as = std::isnan(options.nan_as) ? result.lower : options.nan_as - middle;
  return result;
}

/// Calls body with pieces of the values, each mapped by `map`: a function of one number, so the order cannot matter.
template <class Map, class Body>
void for_mapped_blocks(std::span<const double> values, Map map, Body body) {
  std::vector<double> block;
  while (!values.empty()) {
    const auto piece = values.first(std::min(values.size(), internal::kFixedPointBlock));
    block.resize(piece.size());
    std::transform(piece.begin(), piece.end(), block.begin(), map);
    body(std::span<const double>(block));
    values = values.subspan(piece.size());
  }
}

/// The parts are centred, so their own bounds do not tell [0, 10] from [100, 110].
Result<void> check_same_bounds(const BoundedSum::Options& a, const BoundedSum::Options& b) {
  if (a.lower != b.lower || a.upper != b.upper) {
    return invalid_parameter("only statistics with the same bounds can be merged");
  }
  return {};
}

double middle_of(const BoundedSum::Options& options) { return options.lower / 2 + options.upper / 2; }

/// How epsilon is divided: equal parts for the sums and, unless it is public, the count.
Rational part_of(const Rational& epsilon, int sums, const PrivateCount& count) {
  return epsilon / Rational(sums + (count.sensitivity().sign() > 0 ? 1 : 0));
}

}  // namespace

Result<PrivateCount> PrivateCount::make(const Options& options) {
  if (options.max_rows_per_unit < 1 || options.max_rows_per_unit > std::int64_t{1} << 40) {
    return invalid_parameter("the rows a unit may own must lie between 1 and 2^40, but are {}",
                             options.max_rows_per_unit);
  }
  GAUZE_TRY_VOID(check_one_unit(options.neighbours));
  return PrivateCount(options);
}

Result<void> PrivateCount::merge(const PrivateCount& other) {
  if (other.options_.neighbours != options_.neighbours ||
      other.options_.max_rows_per_unit != options_.max_rows_per_unit) {
    return invalid_parameter("only counts with the same options can be merged");
  }
  rows_ += other.rows_;
  return {};
}

Rational PrivateCount::sensitivity() const {
  if (options_.neighbours == Neighbours::replace_one && options_.max_rows_per_unit == 1) return Rational(0);
  return Rational(options_.max_rows_per_unit);
}

template <class Random, class Draw>
Result<GridValue> PrivateCount::noisy(Random& random, const Rational& epsilon, Draw draw) const {
  if (sensitivity().sign() == 0) return GridValue{rows_, 0};
  GAUZE_TRY(const auto noise, GeometricMechanism::make({.epsilon = epsilon, .l1_sensitivity = sensitivity()}));
  return draw(noise, random);
}

Result<GridValue> PrivateCount::release(SecureRandom& random, const Rational& epsilon) const {
  return noisy(random, epsilon, [this](const auto& noise, auto& r) { return noise.release(r, to_rational(rows_)); });
}

Result<GridValue> PrivateCount::simulate(SeededRandom& random, const Rational& epsilon) const {
  return noisy(random, epsilon, [this](const auto& noise, auto& r) { return noise.simulate(r, to_rational(rows_)); });
}

BoundedMean::BoundedMean(const BoundedSum::Options& options, BoundedSum sum, PrivateCount count)
    : options_(options), middle_(middle_of(options)), sum_(std::move(sum)), count_(count) {}

Result<BoundedMean> BoundedMean::make(const BoundedSum::Options& options) {
  GAUZE_TRY_VOID(BoundedSum::make(options).map([](const auto&) {}));
  GAUZE_TRY(BoundedSum sum, BoundedSum::make(centred(options, middle_of(options))));
  GAUZE_TRY(PrivateCount count,
            PrivateCount::make({.neighbours = options.neighbours, .max_rows_per_unit = options.max_rows_per_unit}));
  return BoundedMean(options, std::move(sum), count);
}

void BoundedMean::add(std::span<const double> values) {
  const auto distance = [this](double x) { return x - middle_; };
  for_mapped_blocks(values, distance, [this](std::span<const double> block) { sum_.add(block); });
  count_.add(static_cast<std::int64_t>(values.size()));
}

Result<void> BoundedMean::merge(const BoundedMean& other) {
  GAUZE_TRY_VOID(check_same_bounds(options_, other.options_));
  GAUZE_TRY_VOID(sum_.merge(other.sum_));
  return count_.merge(other.count_);
}

template <class Draw>
Result<double> BoundedMean::noisy(const Rational& epsilon, Draw draw) const {
  const Rational part = part_of(epsilon, 1, count_);
  GAUZE_TRY(const GridValue sum, draw(sum_, part));
  GAUZE_TRY(const GridValue count, draw(count_, part));
  const double mean = middle_ + sum.to_double() / std::max(1.0, count.to_double());
  return std::clamp(mean, options_.lower, options_.upper);
}

Result<double> BoundedMean::release(SecureRandom& random, const Rational& epsilon) const {
  return noisy(epsilon, [&](const auto& part, const Rational& share) { return part.release(random, share); });
}

Result<double> BoundedMean::simulate(SeededRandom& random, const Rational& epsilon) const {
  return noisy(epsilon, [&](const auto& part, const Rational& share) { return part.simulate(random, share); });
}

BoundedVariance::BoundedVariance(const BoundedSum::Options& options, BoundedSum sum, BoundedSum squares,
                                 PrivateCount count)
    : options_(options),
      middle_(middle_of(options)),
      sum_(std::move(sum)),
      squares_(std::move(squares)),
      count_(count) {}

Result<BoundedVariance> BoundedVariance::make(const BoundedSum::Options& options) {
  GAUZE_TRY_VOID(BoundedSum::make(options).map([](const auto&) {}));
  const BoundedSum::Options distances = centred(options, middle_of(options));
  BoundedSum::Options squared = distances;
  squared.lower = 0;
  squared.upper = distances.upper * distances.upper;
  squared.nan_as = distances.nan_as * distances.nan_as;
  GAUZE_TRY(BoundedSum sum, BoundedSum::make(distances));
  GAUZE_TRY(BoundedSum squares, BoundedSum::make(squared));
  GAUZE_TRY(PrivateCount count,
            PrivateCount::make({.neighbours = options.neighbours, .max_rows_per_unit = options.max_rows_per_unit}));
  return BoundedVariance(options, std::move(sum), std::move(squares), count);
}

void BoundedVariance::add(std::span<const double> values) {
  const auto distance = [this](double x) { return x - middle_; };
  const auto square = [this](double x) { return (x - middle_) * (x - middle_); };
  for_mapped_blocks(values, distance, [this](std::span<const double> block) { sum_.add(block); });
  for_mapped_blocks(values, square, [this](std::span<const double> block) { squares_.add(block); });
  count_.add(static_cast<std::int64_t>(values.size()));
}

Result<void> BoundedVariance::merge(const BoundedVariance& other) {
  GAUZE_TRY_VOID(check_same_bounds(options_, other.options_));
  GAUZE_TRY_VOID(sum_.merge(other.sum_));
  GAUZE_TRY_VOID(squares_.merge(other.squares_));
  return count_.merge(other.count_);
}

template <class Draw>
Result<double> BoundedVariance::noisy(const Rational& epsilon, Draw draw) const {
  const Rational part = part_of(epsilon, 2, count_);
  GAUZE_TRY(const GridValue squares, draw(squares_, part));
  GAUZE_TRY(const GridValue sum, draw(sum_, part));
  GAUZE_TRY(const GridValue count, draw(count_, part));
  const double n = std::max(1.0, count.to_double());
  const double mean = sum.to_double() / n;
  const double half = (options_.upper - options_.lower) / 2;
  return std::clamp(squares.to_double() / n - mean * mean, 0.0, half * half);
}

Result<double> BoundedVariance::release(SecureRandom& random, const Rational& epsilon) const {
  return noisy(epsilon, [&](const auto& part, const Rational& share) { return part.release(random, share); });
}

Result<double> BoundedVariance::simulate(SeededRandom& random, const Rational& epsilon) const {
  return noisy(epsilon, [&](const auto& part, const Rational& share) { return part.simulate(random, share); });
}

}  // namespace gauze
