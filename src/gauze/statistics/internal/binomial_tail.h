#pragma once

#include <cstdint>

#include "gauze/base/interval.h"

namespace gauze {

/// Never below P[X >= hits] for a binomial X with this many trials and chances of success and failure that lie in the two
/// intervals (they add up to 1). Proven: the first term is enclosed by MPFR, ratios of neighbouring terms fall, sums round up.
/// Close where hits lie above the mean; 1 is always true. At most 2^53 trials.
[[nodiscard]] double binomial_tail_bound(std::uint64_t hits, std::uint64_t trials, const Interval& success,
                                         const Interval& failure);

}  // namespace gauze
