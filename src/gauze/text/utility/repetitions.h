#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gauze/base/rational.h"

namespace gauze::text {

/// A figure that depends on what was drawn, over repetitions of sanitising: its mean and the middle 95 % of the repetitions
/// (what a single sanitising would show; of a few repetitions nearly the smallest and the largest). Quantiles by linear
/// interpolation. It says nothing of how the figure would differ on other texts.
struct RepeatedFigure {
  double mean = 0;
  double low = 0;
  double high = 0;
  double sd = 0;  ///< of the repetitions; 0 for one
};

/// At least one value. The order of values changes no bit.
[[nodiscard]] RepeatedFigure over_repetitions(std::span<const double> values);

/// The seed for all draws at one epsilon: by its value (as a double), not by its place in a list.
[[nodiscard]] std::uint64_t seed_at(std::uint64_t seed, const Rational& epsilon);

/// The seed for one set of texts (below 256) in one repetition. Different sets, repetitions and seeds have independent
/// ones: nothing is sanitised twice with the same draws.
[[nodiscard]] std::uint64_t seed_of(std::uint64_t seed, std::size_t repetition, std::size_t set);

}  // namespace gauze::text
