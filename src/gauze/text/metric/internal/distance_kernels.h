#pragma once
// The inner loops of distances, compiled for several processors and chosen at run time.

#include <cstddef>
#include <cstdint>

namespace gauze::text::internal {

/// |a - b|^2 of integer rows, exact for rows within the norm bound of WordVectors (differences below 2^27, every
/// partial sum an integer of at most 2^52, which doubles hold).
[[nodiscard]] std::uint64_t squared_distance(const std::int32_t* a, const std::int32_t* b, std::size_t dimensions);

/// out[c] = min(cap, ceil(sqrt(row_norm + column_norms[c] - 2 products[c]) / 2^shift)) for integers held in doubles, exactly,
/// when shift >= 0 and every squared distance is at most 2^52. Why no pair is too near a grid line for this:
///   D = row_norm + column_norm - 2 product is an integer of at most 2^52, computed without rounding. Let m be a whole
///   number with m^2 < D, so D >= m^2 + 1 and m < 2^26. Then sqrt(D) > m + 1 / (2 m + 1) > m + 2^-27, and the double
///   next above m is at most m + 2^-27; so the correctly rounded root is above m too. If D = m^2 the root is exact. So
///   the rounded root is above a multiple m of 2^shift exactly when the true one is; dividing by 2^shift is exact, and
///   ceil() gives what integers give.
void granules_of_products(const double* products, std::size_t columns, double row_norm, const double* column_norms,
                          int shift, std::uint32_t cap, std::uint32_t* out);

/// The smallest of half_norms[c] - products[c].
[[nodiscard]] float smallest_score(const float* products, const float* half_norms, std::size_t columns);

}  // namespace gauze::text::internal
