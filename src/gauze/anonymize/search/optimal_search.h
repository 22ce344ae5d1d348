#pragma once

#include <cstdint>

#include "gauze/anonymize/classes/lattice.h"
#include "gauze/anonymize/search/search_options.h"
#include "gauze/base/progress.h"

namespace gauze::anonymize {

/// The best choice of one level a quasi-identifier.
struct OptimalNode {
  Levels levels;
  double value = 0;  ///< of the metric
  NodeOutcome outcome;
  std::uint64_t nodes_checked = 0;
  std::uint64_t nodes_total = 0;
  bool optimal = false;    ///< proved: every other node is infeasible or not better
  double lower_bound = 0;  ///< no node has a smaller value; equals `value` when optimal
};

/// Finds the node of the whole lattice with the smallest value of the metric among those that suppress at most the
/// limit.
///
/// Proof of optimality: a node is left out only when a node above it shows that more than the limit is suppressed there (of
/// classes that fail, no parts can keep more than ClassCriterion::most_kept_in_parts; of classes below k, none), or when a lower bound of its score exceeds the best found: at least what a node above it suppresses
/// for good is suppressed below too, and suppression never lowers a term. Equal nodes are decided by their number, so the
/// answer does not depend on the number of threads. No node at all: `infeasible`.
[[nodiscard]] Result<OptimalNode> find_optimal_node(const Records& records, const CriteriaSet& criteria,
                                                    const SearchOptions& options, Progress& progress);

}  // namespace gauze::anonymize
