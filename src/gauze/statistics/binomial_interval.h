#pragma once

#include <cstdint>

namespace gauze {

/// Two ends of an interval for a probability.
struct ShareInterval {
  double low = 0;
  double high = 1;
};

/// Wilson's interval for a probability of which `share` of `trials` was seen, at z standard deviations (1.96: 95 %). Unlike
/// the normal one it has a width where everything, or nothing, was a success. On average it covers what it says; for
/// some probabilities a little less.
[[nodiscard]] ShareInterval wilson_interval(double share, double trials, double z = 1.959963984540054);

/// Clopper and Pearson's interval: whatever the probability is, both ends are right with a chance of at least `confidence`.
/// With one side only, put twice the risk: a lower end at 95 % is the lower end of an interval at 90 %. Ends are rounded
/// outward by a billionth of themselves, more than the arithmetic can be off.
[[nodiscard]] ShareInterval clopper_pearson(std::uint64_t hits, std::uint64_t trials, double confidence);

/// P[X <= hits] for a binomial X with this many trials and this probability.
[[nodiscard]] double binomial_cdf(std::uint64_t hits, std::uint64_t trials, double probability);

}  // namespace gauze
