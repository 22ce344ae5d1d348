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

/// Clopper and Pearson's ends, each on its own: whatever the probability is, the lower end lies above it with a chance of at
/// most `risk` (the upper end below it likewise). Proven: an end is given only where the tail of the binomial law, enclosed
/// and rounded up, is at most the risk; it lies within a few billionths of the true one. Else, as with a risk of 0, 0 (or 1).
/// Of more hits than trials there is no end: a mistake of the caller. At most 2^53 trials; none: 0 (or 1).
[[nodiscard]] double clopper_pearson_low(std::uint64_t hits, std::uint64_t trials, double risk);
[[nodiscard]] double clopper_pearson_high(std::uint64_t hits, std::uint64_t trials, double risk);

/// Both ends, each at half of the risk 1 - confidence: both are right with a chance of at least `confidence`.
/// With one side only, put twice the risk: a lower end at 95 % is the lower end of an interval at 90 %.
[[nodiscard]] ShareInterval clopper_pearson(std::uint64_t hits, std::uint64_t trials, double confidence);

/// P[X <= hits] for a binomial X with this many trials and this probability.
[[nodiscard]] double binomial_cdf(std::uint64_t hits, std::uint64_t trials, double probability);
/// P[X >= hits], with its own digits where it is small.
[[nodiscard]] double binomial_tail(std::uint64_t hits, std::uint64_t trials, double probability);

}  // namespace gauze
