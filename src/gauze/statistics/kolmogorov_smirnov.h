#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace gauze {

/// The largest gap between the empirical distribution of the values and a law, given by cdf(x) = P[X <= x] and, for laws
/// with jumps, below(x) = P[X < x]; without it the law is continuous. The values need not be sorted; at least one.
[[nodiscard]] double kolmogorov_gap(std::span<const double> values, const std::function<double(double)>& cdf,
                                    const std::function<double(double)>& below = {});

/// At most this is the chance that the gap of n draws from the law itself is as large: Massart's bound, 2 exp(-2 n gap^2).
/// Valid for every n and every law, and close for continuous ones.
[[nodiscard]] double kolmogorov_p_value(double gap, std::size_t n);

/// The largest gap between the empirical distributions of two samples, neither empty.
[[nodiscard]] double two_sample_gap(std::span<const double> first, std::span<const double> second);

/// About the chance of so large a gap when both samples are of one continuous law (Smirnov's limit); conservative for laws
/// with jumps.
[[nodiscard]] double two_sample_p_value(double gap, std::size_t first, std::size_t second);

}  // namespace gauze
