#include "gauze/statistics/binomial_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gauze {
namespace {

constexpr int kMostTerms = 1'000'000;
constexpr double kTiny = 1e-300;
constexpr double kOutward = 1e-9;

/// The continued fraction of the incomplete beta function (Lentz), for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double h = d;
  const auto step = [&](double numerator) {
    d = 1 + numerator * d;
    c = 1 + numerator / c;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    if (std::abs(c) < kTiny) c = kTiny;
    h *= d * c;
  };
  for (int m = 1; m < kMostTerms; ++m) {
    const double k = m;
    step(k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)));
    const double before = h;
    step(-(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)));
    if (std::abs(h / before - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return h;
}

/// The regularised incomplete beta function: the chance that a Beta(a, b) variable is at most x.
double beta_cdf(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/// Where beta_cdf reaches the level, by bisection: between the two results lies the answer.
double beta_quantile(double a, double b, double level) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (beta_cdf(a, b, middle) < level ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

ShareInterval wilson_interval(double share, double trials, double z) {
  if (!(trials > 0)) return {};
  const double scale = 1 + z * z / trials;
  const double centre = (share + z * z / (2 * trials)) / scale;
  const double half = z * std::sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / scale;
  return {share <= 0 ? 0 : std::max(0.0, centre - half), share >= 1 ? 1 : std::min(1.0, centre + half)};
}

ShareInterval clopper_pearson(std::uint64_t hits, std::uint64_t trials, double confidence) {
  if (trials == 0) return {};
  const double risk = (1 - confidence) / 2;
  const auto x = static_cast<double>(hits);
  const auto n = static_cast<double>(trials);
  ShareInterval interval;
  if (hits > 0) interval.low = beta_quantile(x, n - x + 1, risk) * (1 - kOutward);
  if (hits < trials) interval.high = 1 - beta_quantile(n - x, x + 1, risk) * (1 - kOutward);
  return interval;
}

double binomial_cdf(std::uint64_t hits, std::uint64_t trials, double probability) {
  if (hits >= trials) return 1;
  return beta_cdf(static_cast<double>(trials - hits), static_cast<double>(hits) + 1, 1 - probability);
}

}  // namespace gauze
