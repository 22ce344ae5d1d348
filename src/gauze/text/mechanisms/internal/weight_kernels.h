#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gauze::text::internal {

/// What is added up over a row of weights w = exp(-e), e = rate min(k, cap): w, w e, w^2 and w^3.
inline constexpr std::size_t kWeightSums = 4;
using RowSums = std::array<double, kWeightSums>;

/// For statistics, not for drawing: weights in doubles (within 2^-46 relative; rate * cap at most 42). Adds to the columns'
/// sums (of[s] has one place a column) and sets those of `rows` rows of distances, which follow each other.
struct ColumnSums {
  std::array<double*, kWeightSums> of{};
};
void add_weights(const std::uint32_t* granules, std::size_t rows, std::size_t columns, double rate, std::uint32_t cap,
                 const ColumnSums& column_sums, RowSums* row_sums);

}  // namespace gauze::text::internal
