#include "gauze/mechanisms/selection/named_count.h"

#include <algorithm>
#include <cmath>

namespace gauze {
namespace {

/// Doubles decide: a probability this much below the limit still counts as above, so that rounding widens intervals.
constexpr double kSlack = 1 - 1e-9;

/// The largest step in [0, most] at which a property holds that holds at 0 and ends once.
template <class Holds>
double last_step(double most, const Holds& holds) {
  double good = 0;
  double bad = 1;
  while (bad < most && holds(bad)) {
    good = bad;
    bad *= 2;
  }
  bad = std::min(bad, most);
  if (bad <= good || holds(bad)) return bad;
  while (bad - good > std::max(1.0, good * 1e-12)) {
    const double middle = std::floor((good + bad) / 2);
    if (middle <= good) break;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

double NamedCount::log_tail(double m) const {
  if (options_.noise == Noise::discrete_laplace) {
    const double log_q = -1 / options_.spread;
    const double q = std::exp(log_q);
    if (m >= 1) return log_q * m - std::log1p(q);
    return std::log1p(-std::exp(log_q * (1 - m)) / (1 + q));
  }
  const double x = (m - 0.5) / (options_.spread * std::sqrt(2.0));
  if (x < 25) return std::log(0.5 * std::erfc(x));
  return -x * x - std::log(2 * x * std::sqrt(M_PI)) - 1 / (2 * x * x);  // the first terms of the asymptotic series
}

NamedCount::Interval NamedCount::interval(double noisy) const {
  const double limit = std::log(options_.miss / 2 * kSlack);
  const double below = std::max(0.0, noisy - options_.least);
  // Noise further out than this has less than the limit's probability by far.
  const double farthest = std::ceil(options_.spread * 64) + 64 + below;
  // P[n + Z >= noisy | named] and P[n + Z <= noisy | named], at n = noisy -+ steps
  const double down = last_step(
      below, [&](double steps) { return log_tail(steps) - log_tail(options_.threshold - noisy + steps) > limit; });
  const double up = last_step(farthest, [&](double steps) {
    const double named = log_tail(options_.threshold - noisy - steps);
    return std::log(std::max(0.0, -std::expm1(log_tail(1 - steps) - named))) > limit;
  });
  return {.low = noisy - down, .high = noisy + up};
}

}  // namespace gauze
