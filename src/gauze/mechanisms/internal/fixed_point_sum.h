#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gauze/mechanisms/aggregates/fixed_point.h"

namespace gauze::internal {

/// The integers' sum over at most kFixedPointBlock numbers: fits 63 bits. Vectorised for the machine at hand; every
/// lane does the same exact operations, so the result does not depend on the machine or the order.
inline constexpr std::size_t kFixedPointBlock = 4096;
[[nodiscard]] std::int64_t fixed_point_block_sum(std::span<const double> values, const FixedPoint& how);

}  // namespace gauze::internal
