#pragma once

#include <cstdint>

#include "gauze/base/rational.h"

namespace gauze::anonymize::internal {

__extension__ using Wide = __int128;

/// The exact fraction; the denominator must not be 0.
[[nodiscard]] Rational fraction(Wide numerator, Wide denominator);

/// Whether numerator / denominator <= bound, exactly; both parts are below 2^126, the denominator is positive.
/// `bound_estimate` is bound as the nearest double: it decides what is far from the bound without big numbers.
[[nodiscard]] bool at_most(Wide numerator, Wide denominator, const Rational& bound, double bound_estimate);

}  // namespace gauze::anonymize::internal
