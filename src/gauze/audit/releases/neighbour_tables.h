#pragma once

#include <string>
#include <vector>

#include "gauze/audit/releases/table_rows.h"
#include "gauze/release/job/release_plan.h"

namespace gauze::audit {

/// Two tables that differ by one unit, as a release reads them: the columns of the plan, then the id where persons are counted.
struct NeighbourTables {
  std::string what = {};  ///< in words: "a row in a class of its own"
  TableRows left = {};
  TableRows right = {};
  TableRows differing = {};  ///< the rows of the unit in which they differ, of either side
};

/// Holds two tables against the relation of the plan: `invalid_parameter` unless they differ by exactly one unit. Persons are told by their
/// ids; rows without one are nobody's, and may differ.
[[nodiscard]] Result<NeighbourTables> check_neighbours(TableRows left, TableRows right,
                                                       const release::ReleasePlan& plan);

/// The worst pairs that can be thought of, made from a table: one unit more (or in the place of another) in the largest class, in a
/// class of its own, at k and at the threshold, outside the domain, with everything missing, and alone.
[[nodiscard]] std::vector<NeighbourTables> make_neighbours(const TableRows& table, const release::ReleasePlan& plan);

}  // namespace gauze::audit
