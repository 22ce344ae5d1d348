#pragma once
// Statistical checks for the tests. Each alarms on a correct sampler with probability at most 1e-6; the tests state
// what they catch, and distribution_checks_test.cpp proves it with samplers that are broken on purpose.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace gauze::testing {

inline constexpr double kFalseAlarm = 1e-6;

/// Dvoretzky-Kiefer-Wolfowitz, with Massart's constant: the empirical distribution of n draws strays further from the
/// true one with probability at most alpha, whatever the law (also a discrete one).
inline double kolmogorov_bound(std::size_t n, double alpha = kFalseAlarm) {
  return std::sqrt(std::log(2 / alpha) / (2 * static_cast<double>(n)));
}

/// The largest gap between the empirical distribution and cdf(x) = P[X <= x], over all integers x.
inline double worst_cdf_gap(std::vector<std::int64_t> samples, const std::function<double(std::int64_t)>& cdf) {
  std::sort(samples.begin(), samples.end());
  const double n = static_cast<double>(samples.size());
  double worst = 0;
  for (std::size_t i = 0; i < samples.size();) {
    const std::size_t begin = i;
    while (i < samples.size() && samples[i] == samples[begin]) ++i;
    worst = std::max(worst, std::abs(static_cast<double>(i) / n - cdf(samples[begin])));
    worst = std::max(worst, std::abs(static_cast<double>(begin) / n - cdf(samples[begin] - 1)));
  }
  return worst;
}

/// The 1 - 1e-6 quantile of the chi-square law (Wilson, Hilferty), rounded up by 2 %.
inline double chi_square_bound(std::size_t degrees) {
  const double k = static_cast<double>(degrees);
  const double cube_root = 1 - 2 / (9 * k) + 4.7534 * std::sqrt(2 / (9 * k));
  return 1.02 * k * cube_root * cube_root * cube_root;
}

/// Pearson's statistic over the cells whose expected count is at least 10; the others together are one more cell, or,
/// where they are too few for that, must not be many.
struct ChiSquare {
  double statistic = 0;
  std::size_t degrees = 0;
  [[nodiscard]] bool alarms() const { return statistic > chi_square_bound(std::max<std::size_t>(1, degrees)); }
};
inline ChiSquare chi_square(const std::map<std::int64_t, double>& expected_probability,
                            const std::vector<std::int64_t>& samples) {
  std::map<std::int64_t, double> counts;
  for (const std::int64_t sample : samples) counts[sample] += 1;
  const double n = static_cast<double>(samples.size());
  ChiSquare result;
  double rest_expected = n;
  double rest_seen = n;
  for (const auto& [value, probability] : expected_probability) {
    const double expected = probability * n;
    if (expected < 10) continue;
    const double seen = counts.contains(value) ? counts.at(value) : 0;
    result.statistic += (seen - expected) * (seen - expected) / expected;
    result.degrees += 1;
    rest_expected -= expected;
    rest_seen -= seen;
  }
  if (rest_expected >= 10) {
    result.statistic += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
  } else {
    result.degrees -= 1;
    if (rest_seen > 40) result.statistic = HUGE_VAL;  // where fewer than 10 are expected: probability below 1e-11
  }
  return result;
}

}  // namespace gauze::testing
