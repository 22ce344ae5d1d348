#include "gauze/mechanisms/noise/additive_mechanism.h"

#include <array>
#include <cmath>
#include <limits>

namespace gauze {

AdditiveMechanism::AdditiveMechanism(Parts parts)
    : name_(parts.name),
      norm_(parts.norm),
      grid_(parts.grid),
      sensitivity_units_(std::move(parts.sensitivity_units)),
      dimension_(parts.dimension),
      law_(std::move(parts.law)) {}

GridValue AdditiveMechanism::add(RandomWords& random, Int128 units) const {
  GridValue draw;
  add(random, units, {&draw, 1});
  return draw;
}

void AdditiveMechanism::add(RandomWords& random, Int128 units, std::span<GridValue> draws) const {
  for (GridValue& draw : draws) {
    NoiseObserver::report({.mechanism = name_,
                           .norm = norm_,
                           .declared_sensitivity = sensitivity_units_,
                           .values = {&units, 1},
                           .exponent = grid_.exponent(),
                           .law = law_.get()});
    std::array<std::int64_t, 1> noise{};
    law_->sample(random, noise);
    draw = {units + noise[0], grid_.exponent()};
  }
}

Result<std::vector<GridValue>> AdditiveMechanism::add(RandomWords& random, std::span<const double> values) const {
  if (values.size() != static_cast<std::size_t>(dimension_)) {
    return invalid_parameter("the mechanism was made for {} coordinates, but was given {}", dimension_,
                             values.size());
  }
  std::vector<Int128> units(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) units[i] = grid_.round(values[i]);
  NoiseObserver::report({.mechanism = name_,
                         .norm = norm_,
                         .declared_sensitivity = sensitivity_units_,
                         .values = units,
                         .exponent = grid_.exponent(),
                         .law = law_.get()});
  std::vector<std::int64_t> noise(values.size());
  law_->sample(random, noise);
  std::vector<GridValue> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i] = {units[i] + noise[i], grid_.exponent()};
  return result;
}

double AdditiveMechanism::variance() const {
  // A power of two: exact, unless it leaves the range of doubles.
  const double variance = std::ldexp(law_->variance(), 2 * grid_.exponent());
  return variance > 0 ? variance : std::numeric_limits<double>::denorm_min();
}

GridValue AdditiveMechanism::noise_interval(const Rational& level) const {
  return {law_->interval_radius(level), grid_.exponent()};
}

}  // namespace gauze
