#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gauze/models/performance.h"

namespace gauze::assess {

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// How far apart the groups of one protected column are treated. A figure is NaN where fewer than two groups have the
/// rates it needs: a group without positives has no true positive rate, and is never taken to have one of 0.
struct FairnessGaps {
  double eod_sum = kUndefined;             ///< gap of true positive rates + gap of false positive rates (the thesis)
  double eod_max = kUndefined;             ///< the larger of the two (Fairlearn, AIF360)
  double eod_mean = kUndefined;            ///< their mean
  double equal_opportunity = kUndefined;   ///< gap of true positive rates
  double demographic_parity = kUndefined;  ///< gap of the shares predicted positive
  double predictive_parity = kUndefined;   ///< gap of precisions
  double tpr_gap = kUndefined;             ///< the two parts of the equalised odds
  double fpr_gap = kUndefined;
};

struct FairnessRules {
  double minimum_group = 30;       ///< smaller groups do not count in gaps; with fewer of an outcome there are none
  bool undefined_is_zero = false;  ///< as published: a rate without a denominator counts as 0, every model counts
};

[[nodiscard]] FairnessGaps fairness_gaps(std::span<const models::GroupRates> groups, const FairnessRules& rules);

}  // namespace gauze::assess
