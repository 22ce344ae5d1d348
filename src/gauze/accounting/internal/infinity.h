#pragma once

#include <limits>

namespace gauze::internal {

/// A loss or an epsilon without bound.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace gauze::internal
