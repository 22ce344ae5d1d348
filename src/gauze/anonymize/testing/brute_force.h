#pragma once

#include <optional>

#include "gauze/anonymize/classes/criteria_set.h"
#include "gauze/anonymize/testing/random_records.h"
#include "gauze/schema/policy/criteria.h"

namespace gauze::anonymize::testing {

/// The answer of a search found the slow way, straight from the definitions and from the rows: no grouping in advance, no
/// bounds, no pruning, and a second implementation of every criterion and metric.
struct BruteForceNode {
  Levels levels;
  double value = 0;
  std::uint64_t suppressed = 0;
  std::uint64_t classes = 0;
};

struct Question {
  schema::Criteria criteria;
  schema::Metric metric = schema::Metric::loss;
  std::uint64_t limit = 0;
  ReferenceRecords reference = ReferenceRecords::kept;
};

/// One node by the definitions; nothing when it suppresses more than the limit.
[[nodiscard]] std::optional<BruteForceNode> evaluate_plainly(const PlainTable& table, const Question& question,
                                                             const Levels& levels);
/// The best value over the whole lattice.
[[nodiscard]] std::optional<BruteForceNode> search_plainly(const PlainTable& table, const Question& question);

/// Whether a class of these rows satisfies the criteria, with p over the reference rows, in long doubles: only for cases
/// that are not on the edge, and for exact ones listed apart.
[[nodiscard]] bool class_holds_plainly(const schema::Criteria& criteria, const PlainTable& table,
                                       const std::vector<std::size_t>& rows,
                                       const std::vector<std::size_t>& reference);

}  // namespace gauze::anonymize::testing
