#pragma once

#include <memory>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/release/job/release_plan.h"
#include "gauze/release/modes/histogram_release.h"
#include "gauze/table/table.h"

namespace gauze::release {

/// What is published, before it is written.
struct Release {
  std::shared_ptr<const Domain> domain;  ///< of the columns of the plan, at the levels that hold
  std::vector<int> levels;               ///< of the quasi-identifiers
  ReleasedHistogram histogram;
  std::int64_t cut = 0;  ///< a cell was released iff its noisy value reached this
};

/// The places of the plan's columns (and of the id) in the table: `unknown_column` when one is not there. Looks at the
/// header alone, so that a release can be refused before it is charged.
[[nodiscard]] Result<std::vector<std::size_t>> find_columns(const table::Table& table, const ReleasePlan& plan);

/// Reads the grouped tuples of these columns.
[[nodiscard]] Result<table::TupleCounts> read_units(table::Table& table, const std::vector<std::size_t>& columns,
                                                    Progress& progress);

/// Everything at once: bounds what persons may touch, chooses levels where the plan says so, draws the noise. Cannot fail
/// for a reason that lies in the data.
[[nodiscard]] Result<Release> make_release(SecureRandom& random, const table::TupleCounts& tuples,
                                           const ReleasePlan& plan);
/// The same with a seed: no guarantee.
[[nodiscard]] Result<Release> simulate_release(SeededRandom& random, const table::TupleCounts& tuples,
                                               const ReleasePlan& plan);

}  // namespace gauze::release
