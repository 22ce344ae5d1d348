#include "gauze/assess/measures/fairness.h"

#include <algorithm>
#include <optional>

namespace gauze::assess {
namespace {

/// Largest minus smallest of a rate over the groups that have it.
double gap(std::span<const models::GroupRates> groups, const FairnessRules& rules,
           std::optional<double> models::GroupRates::*rate) {
  double low = 0;
  double high = 0;
  int seen = 0;
  for (const models::GroupRates& group : groups) {
    if (group.size <= 0 || group.size < rules.minimum_group) continue;
    std::optional<double> value = group.*rate;
    if (!value && rules.undefined_is_zero) value = 0;
    if (!value) continue;
    low = seen == 0 ? *value : std::min(low, *value);
    high = seen == 0 ? *value : std::max(high, *value);
    ++seen;
  }
  return seen < 2 ? kUndefined : high - low;
}

}  // namespace

FairnessGaps fairness_gaps(std::span<const models::GroupRates> groups, const FairnessRules& rules) {
  const double tpr = gap(groups, rules, &models::GroupRates::tpr);
  const double fpr = gap(groups, rules, &models::GroupRates::fpr);
  FairnessGaps gaps;
  gaps.eod_sum = tpr + fpr;
  gaps.eod_max = tpr > fpr || fpr > tpr || tpr == fpr ? std::max(tpr, fpr) : kUndefined;
  gaps.eod_mean = (tpr + fpr) / 2;
  gaps.equal_opportunity = tpr;
  gaps.tpr_gap = tpr;
  gaps.fpr_gap = fpr;
  gaps.demographic_parity = gap(groups, rules, &models::GroupRates::selection_rate);
  gaps.predictive_parity = gap(groups, rules, &models::GroupRates::precision);
  return gaps;
}

}  // namespace gauze::assess
