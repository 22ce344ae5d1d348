#pragma once

#include <vector>

#include "gauze/assess/evaluation/level_view.h"

namespace gauze::assess {

/// The epsilons worth trying on a table: eleven on a logarithmic scale, from where utility is nearly gone (a mean total
/// variation distance of about 0.5, or the largest that is reached) to where it no longer grows (within 0.002 of what is left
/// without noise). Fixed ones would lie on one side of all that matters: on a large table the smallest always wins.
///
/// Found by a few simulated releases at probes between 1e-8 and 1e6; depends on the seed alone. As everything of an
/// evaluation it looks at the data: an epsilon chosen from it was chosen on this data.
[[nodiscard]] Result<std::vector<Rational>> find_epsilons(const EvaluationSetting& setting,
                                                          const EvaluationData& data, const ReleasedColumns& columns,
                                                          Progress& progress);

/// A mean distance at an epsilon; distances fall from one probe to the next but for chance.
struct Probe {
  double epsilon = 0;
  double distance = 0;
};
/// Eleven epsilons of two or more digits for such probes (rising, at least one).
[[nodiscard]] std::vector<Rational> span_epsilons(std::vector<Probe> probes);

}  // namespace gauze::assess
