#include "gauze/audit/bounds/independent_runs.h"

#include <algorithm>

#include "gauze/base/interval.h"
#include "gauze/statistics/binomial_interval.h"

namespace gauze::audit {
namespace {

constexpr mpfr_prec_t kPrecision = 128;

/// ln((share - delta) / other), rounded down; 0 where it proves nothing.
double log_ratio(const Rational& share, const Rational& delta, const Rational& other) {
  const Rational rest = share - delta;
  if (rest.sign() <= 0 || other.sign() <= 0 || rest <= other) return 0;
  return std::max(0.0, Interval(rest / other, kPrecision).log().low());
}

}  // namespace

IndependentBound proven_bound(const EventCounts& counts, double delta, double risk) {
  IndependentBound bound;
  bound.tpr_lower = clopper_pearson_low(counts.true_positives, counts.positives, risk / 2);
  bound.fpr_upper = clopper_pearson_high(counts.false_positives, counts.negatives, risk / 2);
  const Rational tpr(bound.tpr_lower);
  const Rational fpr(bound.fpr_upper);
  const Rational one(1);
  bound.epsilon_lower = std::max(log_ratio(tpr, delta, fpr), log_ratio(one - fpr, delta, one - tpr));
  return bound;
}

Result<IndependentBound> independent_bound(const EventCounts& counts, double delta, double risk) {
  if (counts.positives == 0 || counts.negatives == 0)
    return invalid_parameter("there must be runs on both inputs, but there are {} and {}", counts.positives,
                             counts.negatives);
  constexpr std::uint64_t kMostRuns = std::uint64_t{1} << 53U;
  if (counts.positives > kMostRuns || counts.negatives > kMostRuns)
    return invalid_parameter("there may be at most 2^53 runs");
  if (counts.true_positives > counts.positives)
    return invalid_parameter("there cannot be more true positives ({}) than positives ({})", counts.true_positives,
                             counts.positives);
  if (counts.false_positives > counts.negatives)
    return invalid_parameter("there cannot be more false positives ({}) than negatives ({})", counts.false_positives,
                             counts.negatives);
  if (!(delta >= 0 && delta < 1)) return invalid_parameter("delta must be at least 0 and below 1, but is {}", delta);
  if (!(risk > 0 && risk < 1)) return invalid_parameter("the risk must lie between 0 and 1, but is {}", risk);
  return proven_bound(counts, delta, risk);
}

double largest_bound(std::uint64_t positives, std::uint64_t negatives, double delta, double risk) {
  return proven_bound({positives, positives, 0, negatives}, delta, risk).epsilon_lower;
}

}  // namespace gauze::audit
