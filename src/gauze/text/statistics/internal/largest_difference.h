#pragma once

#include <cstddef>

namespace gauze::text::internal {

struct LargestDifferences {
  double forth = 0;  ///< largest a[i] - b[i]
  double back = 0;   ///< largest b[i] - a[i]
};
/// Over two rows of `count` > 0 numbers.
[[nodiscard]] LargestDifferences largest_differences(const double* a, const double* b, std::size_t count);

}  // namespace gauze::text::internal
