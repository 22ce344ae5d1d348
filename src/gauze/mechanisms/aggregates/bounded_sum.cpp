#include "gauze/mechanisms/aggregates/bounded_sum.h"

#include <algorithm>
#include <cmath>

#include "gauze/mechanisms/internal/fixed_point_sum.h"
#include "gauze/mechanisms/noise/laplace.h"

namespace gauze {
namespace {

/// Bounds of at most 2^42 granules keep 12 digits; a narrow range far from zero gets a finer granule, down to 2^50.
constexpr int kUsualBits = 42;
constexpr int kMostBits = 50;
constexpr int kBitsOfRange = 20;

Result<void> check(const BoundedSum::Options& options) {
  if (!std::isfinite(options.lower) || !std::isfinite(options.upper)) {
    return invalid_parameter("a sum needs finite lower and upper bounds on its numbers");
  }
  if (options.lower >= options.upper) {
    return invalid_parameter("the lower bound must be below the upper bound, but they are {} and {}", options.lower,
                             options.upper);
  }
  const double largest = std::max(std::abs(options.lower), std::abs(options.upper));
  if (largest > 1e90 || largest < 1e-90) {
    return invalid_parameter("the larger of the two bounds must lie between 1e-90 and 1e90, but is {}", largest);
  }
  if (options.max_rows_per_unit < 1 || options.max_rows_per_unit > std::int64_t{1} << 40) {
    return invalid_parameter("the rows a unit may own must lie between 1 and 2^40, but are {}",
                             options.max_rows_per_unit);
  }
  return check_one_unit(options.neighbours);
}

/// The exponent of the smallest power of two that is at least x.
int ceil_log2(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return fraction == 0.5 ? exponent - 1 : exponent;
}

}  // namespace

BoundedSum::BoundedSum(const Options& options, Grid grid, FixedPoint how)
    : options_(options), grid_(grid), how_(how) {}

Result<BoundedSum> BoundedSum::make(const Options& options) {
  GAUZE_TRY_VOID(check(options));
  const int size = ceil_log2(std::max(std::abs(options.lower), std::abs(options.upper)));
  const int range = ceil_log2(options.upper - options.lower);
  const Grid grid(std::min(size - kUsualBits, range - kBitsOfRange));
  const double scale = std::ldexp(1.0, -grid.exponent());
  const double lower = std::ceil(options.lower * scale);
  const double upper = std::floor(options.upper * scale);
  if (size - grid.exponent() > kMostBits || lower >= upper) {
    return invalid_parameter("the bounds {} and {} are too close together for their size; subtract an offset first",
                             options.lower, options.upper);
  }
  const double if_nan = std::isnan(options.nan_as) ? lower : std::clamp(options.nan_as * scale, lower, upper);
  return BoundedSum(options, grid, {.scale = scale, .lower = lower, .upper = upper, .if_nan = if_nan});
}

void BoundedSum::add(std::span<const double> values) {
  while (!values.empty()) {
    const auto block = values.first(std::min(values.size(), internal::kFixedPointBlock));
    units_ += internal::fixed_point_block_sum(block, how_);
    values = values.subspan(block.size());
  }
}

Result<void> BoundedSum::merge(const BoundedSum& other) {
  if (other.grid_.exponent() != grid_.exponent() || other.how_.lower != how_.lower ||
      other.how_.upper != how_.upper || other.how_.if_nan != how_.if_nan ||
      other.options_.neighbours != options_.neighbours ||
      other.options_.max_rows_per_unit != options_.max_rows_per_unit) {
    return invalid_parameter("only sums with the same options can be merged");
  }
  units_ += other.units_;
  return {};
}

Rational BoundedSum::sensitivity() const {
  const Rational rows(options_.max_rows_per_unit);
  const Rational low = lower();
  const Rational high = upper();
  if (options_.neighbours == Neighbours::replace_one && options_.max_rows_per_unit == 1) return high - low;
  // One unit adds between rows * min(low, 0) and rows * max(high, 0).
  const Rational highest = std::max(high, Rational(0)) * rows;
  const Rational lowest = std::min(low, Rational(0)) * rows;
  return options_.neighbours == Neighbours::replace_one ? highest - lowest : std::max(highest, -lowest);
}

Result<GridValue> BoundedSum::release(SecureRandom& random, const Rational& epsilon) const {
  GAUZE_TRY(const auto noise, LaplaceMechanism::make({.epsilon = epsilon, .l1_sensitivity = sensitivity()}));
  return noise.release(random, exact().to_rational());
}

Result<GridValue> BoundedSum::simulate(SeededRandom& random, const Rational& epsilon) const {
  GAUZE_TRY(const auto noise, LaplaceMechanism::make({.epsilon = epsilon, .l1_sensitivity = sensitivity()}));
  return noise.simulate(random, exact().to_rational());
}

}  // namespace gauze
