#pragma once

#include <vector>

#include "gauze/patterns/audit/hiding_metrics.h"

namespace gauze::patterns::internal {

/// The same as a comparison of all frequent sets, without holding them: fills the shares of every band and the artifactual sets.
///
/// A release that only takes items away has no frequent set that the original has not, so that what is lost is a difference
/// of two counts; sets that hold a listed pattern are counted by inclusion and exclusion over unions of patterns. Where items
/// were put in, or unions are too many, sets drawn at random from all of them give an estimate. What neither can tell within
/// the limits stays unknown.
[[nodiscard]] Result<void> count_losses(const Database& original, const Database& released,
                                        const std::vector<Itemset>& sensitive, const MeasuringLimits& limits,
                                        HidingMetrics& metrics, Progress& progress);

}  // namespace gauze::patterns::internal
