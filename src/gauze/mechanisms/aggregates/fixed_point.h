#pragma once

namespace gauze {

/// How a number becomes an integer: multiplied with `scale` (a power of two), NaN replaced, clamped, rounded to the
/// nearest. Bounds and the replacement are in units and at most 2^50 in size.
struct FixedPoint {
  double scale = 1;
  double lower = 0;
  double upper = 0;
  double if_nan = 0;
};

}  // namespace gauze
