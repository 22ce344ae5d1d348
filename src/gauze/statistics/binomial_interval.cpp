#include "gauze/statistics/binomial_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gauze/statistics/internal/binomial_tail.h"

namespace gauze {
namespace {

constexpr int kMostTerms = 1'000'000;
constexpr double kTiny = 1e-300;
constexpr mpfr_prec_t kEndPrecision = 160;

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

/// The regularised incomplete beta function: the chance that a Beta(a, b) variable is at most x; y is 1 - x, of which x may
/// have lost the last digits.
double beta_cdf(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double log_x = y < 0.5 ? std::log1p(-y) : std::log(x);
  const double log_y = x < 0.5 ? std::log1p(-x) : std::log(y);
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * log_x + b * log_y);
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, y) / b;
}

/// Where a function that grows from 0 to 1 reaches the level, by bisection of the exponent first and then of the number.
template <class Growing>
double place_of(double level, const Growing& function) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 1'100 && low < high; ++i) {
    const double middle = high > 4 * low ? std::max(low, high / 8) * 2 : low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (function(middle) < level ? low : high) = middle;
  }
  return low;
}

/// Whether so many hits or more have at most this chance where that of one hit is `share` (or 1 - share), exactly.
bool is_certain(std::uint64_t hits, std::uint64_t trials, double share, bool of_failure, double risk) {
  const Interval given(Rational(share), kEndPrecision);
  const Interval other = Interval(Rational(1), kEndPrecision) - given;
  return of_failure ? binomial_tail_bound(hits, trials, other, given) <= risk
                    : binomial_tail_bound(hits, trials, given, other) <= risk;
}

}  // namespace

ShareInterval wilson_interval(double share, double trials, double z) {
  if (!(trials > 0)) return {};
  const double scale = 1 + z * z / trials;
  const double centre = (share + z * z / (2 * trials)) / scale;
  const double half = z * std::sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / scale;
  return {share <= 0 ? 0 : std::max(0.0, centre - half), share >= 1 ? 1 : std::min(1.0, centre + half)};
}

double clopper_pearson_low(std::uint64_t hits, std::uint64_t trials, double risk) {
  GAUZE_CHECK(hits <= trials);
  if (hits == 0 || !(risk > 0)) return 0;
  if (risk >= 1) return 1;
  const auto x = static_cast<double>(hits);
  const auto rest = static_cast<double>(trials - hits) + 1;
  const double guess = place_of(risk, [&](double p) { return beta_cdf(x, rest, p, 1 - p); });
  for (double widening = 0x1p-48; widening < 1; widening *= 8) {
    if (const double end = guess * (1 - widening); is_certain(hits, trials, end, false, risk)) return end;
  }
  return 0;
}

double clopper_pearson_high(std::uint64_t hits, std::uint64_t trials, double risk) {
  GAUZE_CHECK(hits <= trials);
  if (hits == trials || !(risk > 0)) return 1;
  if (risk >= 1) return 0;
  const auto x = static_cast<double>(hits) + 1;
  const auto rest = static_cast<double>(trials - hits);
  // So many hits or fewer: the chance falls as the share grows.
  const double guess = place_of(-risk, [&](double p) { return -beta_cdf(rest, x, 1 - p, p); });
  for (double widening = 0x1p-48; widening < 1; widening *= 8) {
    const double end = std::min(1.0, guess + widening * std::min(guess, 1 - guess));
    if (end < 1 && is_certain(trials - hits, trials, end, true, risk)) return end;
  }
  return 1;
}

ShareInterval clopper_pearson(std::uint64_t hits, std::uint64_t trials, double confidence) {
  const double risk = (1 - confidence) / 2;  // without rounding where the confidence is at least a half
  return {clopper_pearson_low(hits, trials, risk), clopper_pearson_high(hits, trials, risk)};
}

double binomial_cdf(std::uint64_t hits, std::uint64_t trials, double probability) {
  if (hits >= trials) return 1;
  return beta_cdf(static_cast<double>(trials - hits), static_cast<double>(hits) + 1, 1 - probability, probability);
}

double binomial_tail(std::uint64_t hits, std::uint64_t trials, double probability) {
  if (hits == 0) return 1;
  if (hits > trials) return 0;
  return beta_cdf(static_cast<double>(hits), static_cast<double>(trials - hits) + 1, probability, 1 - probability);
}

}  // namespace gauze
