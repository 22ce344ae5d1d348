#pragma once

#include <cmath>

namespace gauze::anonymize::internal {

/// c log2 c, continued by 0: what entropies of counts are sums of.
[[nodiscard]] inline double c_log_c(double c) { return c > 0 ? c * std::log2(c) : 0; }

}  // namespace gauze::anonymize::internal
