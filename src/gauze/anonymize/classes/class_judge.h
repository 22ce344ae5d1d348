#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/anonymize/classes/criteria_set.h"
#include "gauze/anonymize/classes/records.h"

namespace gauze::anonymize {

/// Some records of one tuple.
struct TupleShare {
  std::uint32_t tuple = 0;
  std::uint32_t records = 0;
};

/// Asks classes that are put together from tuples whether they satisfy the criteria; for searches that make classes of
/// their own. Population models and missing values that match everything are not known here.
/// Thread safety: const members may be called concurrently.
class ClassJudge {
 public:
  ClassJudge(const Records& records, const CriteriaSet& criteria);

  /// Against the distribution of all records.
  [[nodiscard]] bool holds(std::span<const TupleShare> members) const { return holds(members, everyone_); }

  /// Which classes are kept: those that fail against all records are suppressed, and so are those that fail then against
  /// what is left, until nothing changes. Records in no class count as suppressed.
  [[nodiscard]] std::vector<bool> kept(const std::vector<std::vector<TupleShare>>& classes) const;

 private:
  [[nodiscard]] bool holds(std::span<const TupleShare> members,
                           const std::vector<ReferenceDistribution>& references) const;
  const Records& records_;
  const CriteriaSet& criteria_;
  std::vector<ReferenceDistribution> everyone_;  // of each sensitive column
};

}  // namespace gauze::anonymize
