#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::models {

/// One column a feature, one code a tuple: what a trained model is asked about.
using CodeColumns = std::span<const std::vector<std::uint32_t>>;

/// Distinct tuples of categorical values with the weight of each outcome: what a grouped table is to a classifier.
///
/// Tuples may repeat and weights may be zero: a tuple means the same as two of half its weight. Every column has one code
/// a tuple and every code is below its feature's cardinality; other shapes are bugs of the caller (GAUZE_CHECK).
struct Examples {
  std::vector<std::uint32_t> cardinalities;       ///< how many values each feature can take
  std::vector<std::vector<std::uint32_t>> codes;  ///< codes[feature][tuple]
  std::vector<double> positive;                   ///< weight of the positive outcome by tuple, finite and >= 0
  std::vector<double> negative;                   ///< weight of the negative outcome by tuple, finite and >= 0

  [[nodiscard]] std::size_t size() const { return positive.size(); }
};

/// Refuses weights that are negative or not finite, and a total that is not finite. Noisy counts are clamped at zero by
/// whoever has them: what a negative count should mean to a model is not decided here.
[[nodiscard]] Result<void> check_weights(std::span<const double> positive, std::span<const double> negative);

}  // namespace gauze::models
