#pragma once
// Distribution functions in plain doubles, written from the formulas and not from the code under test.

#include <cmath>
#include <cstdint>
#include <map>

namespace gauze::testing {

/// P[X <= x], P[x] proportional to exp(-|x| / t).
inline double discrete_laplace_cdf(double t, std::int64_t x) {
  const double r = std::exp(-1 / t);
  const double d = static_cast<double>(x);
  return x >= 0 ? 1 - std::exp(-(d + 1) / t) / (1 + r) : std::exp(d / t) / (1 + r);
}

/// P[round(sigma Z) <= x] for a standard normal Z.
inline double rounded_gaussian_cdf(double sigma, std::int64_t x) {
  return std::erfc(-(static_cast<double>(x) + 0.5) / sigma / std::sqrt(2.0)) / 2;
}

/// P[X = x] for |x| <= reach, P[x] proportional to exp(-x^2 / (2 sigma^2)), by plain summation.
inline std::map<std::int64_t, double> discrete_gaussian_probabilities(double sigma) {
  const auto reach = static_cast<std::int64_t>(std::ceil(12 * sigma)) + 1;
  std::map<std::int64_t, double> result;
  double total = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    result[x] = std::exp(-static_cast<double>(x) * static_cast<double>(x) / (2 * sigma * sigma));
    total += result[x];
  }
  for (auto& [x, p] : result) p /= total;
  return result;
}

/// P[X = x] of the staircase on the integers: plateaus of width `step` after an inner one of half width `inner`.
inline double staircase_weight(std::int64_t step, std::int64_t inner, double epsilon, std::int64_t x) {
  const std::int64_t magnitude = x < 0 ? -x : x;
  const std::int64_t level = magnitude < inner ? 0 : (magnitude - inner) / step + 1;
  return std::exp(-epsilon * static_cast<double>(level));
}

}  // namespace gauze::testing
