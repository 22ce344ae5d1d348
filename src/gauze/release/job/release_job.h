#pragma once

#include <memory>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/release/job/release_plan.h"
#include "gauze/release/modes/histogram_release.h"
#include "gauze/table/declared_source.h"

namespace gauze::release {

/// What is published, before it is written.
struct Release {
  std::shared_ptr<const schema::Domain> domain;  ///< of the columns of the plan, at the levels that hold
  std::vector<int> levels;                       ///< of the quasi-identifiers
  ReleasedHistogram histogram;
  std::int64_t cut = 0;               ///< a cell was released iff its noisy value reached this
  double expected_phantom_cells = 0;  ///< of a grid: cells x P[Z >= cut]; public
};

/// What a release reads: the columns of the plan, then the id where persons are counted. An id that cannot be read is a
/// missing one.
[[nodiscard]] std::vector<table::DeclaredColumn> declared_columns(const ReleasePlan& plan);

/// Everything at once: bounds what persons may touch, chooses levels where the plan says so, draws the noise. Cannot fail
/// for a reason that lies in the data. Where persons are counted, rows without an id belong to nobody and are left out.
[[nodiscard]] Result<Release> make_release(SecureRandom& random, const table::TupleCounts& tuples,
                                           const ReleasePlan& plan);
/// The same with a seed: no guarantee.
[[nodiscard]] Result<Release> simulate_release(SeededRandom& random, const table::TupleCounts& tuples,
                                               const ReleasePlan& plan);

}  // namespace gauze::release
