#pragma once

namespace gauze {

/// The normal quantile: P[Z <= z] = probability, for a probability strictly between 0 and 1. Exact to a few units in the last place.
[[nodiscard]] double normal_quantile(double probability);

}  // namespace gauze
