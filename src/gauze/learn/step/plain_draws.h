#pragma once

#include <cmath>
#include <numbers>

#include "gauze/random/random_words.h"

namespace gauze::learn {

// Draws in floating point, for what protects nobody: first weights, intervals, methods as published. Noise of a guarantee comes from
// gauze/mechanisms.

/// Above 0 and below 1.
[[nodiscard]] inline double uniform_draw(RandomWords& random) {
  return (static_cast<double>(random.next() >> 11U) + 0.5) * 0x1p-53;
}

[[nodiscard]] inline double laplace_draw(double scale, RandomWords& random) {
  const double u = uniform_draw(random) - 0.5;
  return (u < 0 ? 1 : -1) * scale * std::log1p(-2 * std::abs(u));
}

[[nodiscard]] inline double normal_draw(RandomWords& random) {
  const double radius = std::sqrt(-2 * std::log(uniform_draw(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform_draw(random));
}

}  // namespace gauze::learn
