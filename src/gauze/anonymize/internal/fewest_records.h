#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gauze::anonymize::internal {

/// The first number of records for which `possible` says true, as far as it is worth looking.
template <class Possible>
[[nodiscard]] std::uint64_t first_size(Possible possible) {
  constexpr std::uint64_t kMost = 512;
  std::uint64_t size = 1;
  while (size <= kMost && !possible(size)) ++size;
  return size;
}

/// The least sum of max(0, n_i - size p_i) over all whole n_i that add up to `size`, for shares p that add up to 1. Where n_i is
/// rounded down nothing is too much, and the records that are left do least harm where most was cut off.
[[nodiscard]] inline double least_surplus(std::span<const double> shares, double size, std::vector<double>& missing) {
  missing.clear();
  double placed = 0;
  for (const double share : shares) {
    const double whole = std::floor(share * size);
    placed += whole;
    missing.push_back(1 - (share * size - whole));
  }
  const auto left = static_cast<std::ptrdiff_t>(std::clamp(size - placed, 0.0, static_cast<double>(missing.size())));
  if (left < static_cast<std::ptrdiff_t>(missing.size()))
    std::nth_element(missing.begin(), missing.begin() + left, missing.end());
  double sum = 0;
  for (std::ptrdiff_t i = 0; i < left; ++i) sum += missing[static_cast<std::size_t>(i)];
  return sum;
}

}  // namespace gauze::anonymize::internal
