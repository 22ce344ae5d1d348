#include "gauze/accounting/internal/sampled_gaussian.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gauze::internal {

double sampled_gaussian_renyi(double ratio, double rate, double order) {
  // E[(1 - q + q exp((2x - 1) / (2 s^2)))^a] over x ~ N(0, s^2), in units z = x / s. The integrand is analytic for
  // |Im z| < pi s, so a step of s / 3 (at most 1/4) leaves an error below exp(-2 pi^2 3) relative to its size.
  const double step = std::min(0.25, ratio / 3);
  const double log_keep = std::log1p(-rate);
  const double log_rate = std::log(rate);
  const auto log_integrand = [&](double z) {
    const double exponent = z / ratio - 1 / (2 * ratio * ratio) + log_rate;
    const double high = std::max(exponent, log_keep);
    const double log_mixture = high + std::log1p(std::exp(std::min(exponent, log_keep) - high));
    return order * log_mixture - z * z / 2;
  };
  // The mass lies around 0 (nobody sampled) and around order / ratio (the limit of certain sampling), 14 standard
  // deviations to either side; the rest is below exp(-98) of it.
  constexpr double kReach = 14;
  const double far = order / ratio;
  const auto cells = static_cast<long>(std::ceil((std::min(far, 2 * kReach) + 2 * kReach) / step));
  const long gap = far > 2 * kReach ? static_cast<long>((far - 2 * kReach) / step) : 0;
  const auto middle = static_cast<long>(2 * kReach / step);
  const auto at = [&](long i) { return -kReach + static_cast<double>(i > middle ? i + gap : i) * step; };
  const double peak = std::max(log_integrand(0), log_integrand(far));
  double sum = 0;
  for (long i = 0; i <= cells; ++i) sum += std::exp(log_integrand(at(i)) - peak);
  const double log_moment = peak + std::log(sum * step / std::sqrt(2 * std::numbers::pi));
  const double rounding = 1e-14 * (1 + std::abs(log_moment));
  return std::max(0.0, log_moment + rounding) / (order - 1);
}

}  // namespace gauze::internal
