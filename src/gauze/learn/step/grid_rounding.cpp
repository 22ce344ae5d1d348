#include "gauze/learn/step/grid_rounding.h"

#include <bit>

namespace gauze::learn {
namespace {

/// Adding it puts the nearest integer into the low bits of the double, two's complement: for numbers within 2^50.
constexpr double kMagic = 0x1.8p52;
constexpr double kMost = 0x1p50;

inline std::uint64_t rounded(double value) {
  value = value < kMost ? value : kMost;  // in this order NaN becomes a number
  value = value > -kMost ? value : -kMost;
  return std::bit_cast<std::uint64_t>(value + kMagic) - std::bit_cast<std::uint64_t>(kMagic);
}

}  // namespace

__attribute__((target_clones("avx2", "default"))) void add_rounded(std::span<const double> sum,
                                                                   std::span<const double> per_unit,
                                                                   std::span<std::uint64_t> units) {
  const double* const values = sum.data();
  std::uint64_t* const out = units.data();
  const std::size_t size = sum.size();
  if (per_unit.size() == 1) {
    const double factor = per_unit.front();
    for (std::size_t i = 0; i < size; ++i) out[i] += rounded(values[i] * factor);
  } else {
    const double* const factors = per_unit.data();
    for (std::size_t i = 0; i < size; ++i) out[i] += rounded(values[i] * factors[i]);
  }
}

}  // namespace gauze::learn
