#pragma once

namespace gauze::internal {

/// The smallest epsilon, rounded up, that `count` runs of any (epsilon, delta)-DP mechanism have at `total_delta`, by optimal
/// composition (Kairouz, Oh, Viswanath 2015): the losses of randomised response are binomial. Infinite when the deltas
/// alone exceed it.
[[nodiscard]] double optimal_composition_epsilon(double epsilon, double delta, double count, double total_delta);

}  // namespace gauze::internal
