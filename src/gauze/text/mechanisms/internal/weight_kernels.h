#pragma once

#include <cstddef>
#include <cstdint>

namespace gauze::text::internal {

/// For statistics, not for drawing: w = exp(-rate min(k, cap)) in doubles (within 2^-40 relative; rate * cap at most 42) over a row of distances.
/// Adds w and w rate k to the columns' sums and returns the row's.
struct RowSums {
  double weights = 0;
  double energies = 0;
};
[[nodiscard]] RowSums add_weights(const std::uint32_t* granules, std::size_t columns, double rate, std::uint32_t cap,
                                  double* column_weights, double* column_energies);

}  // namespace gauze::text::internal
