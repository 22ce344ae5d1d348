#include "gauze/statistics/internal/binomial_tail.h"

#include <algorithm>
#include <cmath>

namespace gauze {
namespace {

constexpr mpfr_prec_t kTailPrecision = 160;
constexpr std::uint64_t kMostTrials = std::uint64_t{1} << 53U;
constexpr std::uint64_t kMostTailTerms = 4'000'000;
constexpr double kRoundUp = 1 + 0x1p-49;  // more than the few roundings of one step can take away
constexpr double kNegligible = 0x1p-60;

Interval log_factorial(std::uint64_t n) {
  Interval result(Rational(static_cast<std::int64_t>(n) + 1), kTailPrecision);
  if (n < 2) return Interval(kTailPrecision);
  mpfr_lngamma(result.low_end(), result.low_end(), MPFR_RNDD);  // grows from 2 on
  mpfr_lngamma(result.high_end(), result.high_end(), MPFR_RNDU);
  return result;
}

Interval whole(std::uint64_t n) { return {Rational(static_cast<std::int64_t>(n)), kTailPrecision}; }

/// P[X = hits], where both chances are positive.
Interval one_term(std::uint64_t hits, std::uint64_t trials, const Interval& success, const Interval& failure) {
  Interval log_term = log_factorial(trials) - log_factorial(hits) - log_factorial(trials - hits);
  if (hits > 0) log_term = log_term + whole(hits) * success.log();
  if (hits < trials) log_term = log_term + whole(trials - hits) * failure.log();
  return log_term.exp();
}

}  // namespace

double binomial_tail_bound(std::uint64_t hits, std::uint64_t trials, const Interval& success,
                           const Interval& failure) {
  GAUZE_CHECK(trials <= kMostTrials);
  if (hits == 0) return 1;
  if (hits > trials || success.high() <= 0) return 0;
  if (success.low() <= 0 || failure.low() <= 0) return 1;
  const double odds = (success / failure).high();
  double term = one_term(hits, trials, success, failure).high();
  double sum = term;
  for (std::uint64_t k = hits; k < trials; ++k) {
    const double ratio =
        static_cast<double>(trials - k) / static_cast<double>(k + 1) * odds * kRoundUp;  // of the next term to this
    if (ratio >= 1) return 1;
    // All that follow are at most a geometric series.
    const double rest = term * ratio / (1 - ratio) * kRoundUp * kRoundUp;
    if (rest <= sum * kNegligible || k - hits >= kMostTailTerms) return std::min(1.0, (sum + rest) * kRoundUp);
    term = term * ratio * kRoundUp;
    sum = (sum + term) * kRoundUp;
  }
  return std::min(1.0, sum);
}

}  // namespace gauze
