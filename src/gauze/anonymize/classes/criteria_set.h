#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gauze/anonymize/classes/records.h"
#include "gauze/anonymize/criteria/class_criterion.h"
#include "gauze/schema/policy/criteria.h"

namespace gauze::anonymize {

/// The criteria of a policy, ready to be asked about the classes of some records.
class CriteriaSet {
 public:
  struct OnColumn {
    std::size_t column = 0;  ///< place in Records::sensitive
    std::unique_ptr<ClassCriterion> criterion;
  };

  /// Every column that a criterion names must be among the sensitive ones of the records, and k-map or presence need
  /// the counts of a population. The records must outlive the set.
  [[nodiscard]] static Result<CriteriaSet> make(const schema::Criteria& criteria, const Records& records);

  [[nodiscard]] std::uint64_t k() const { return k_; }
  [[nodiscard]] const std::vector<OnColumn>& on_columns() const { return on_columns_; }
  [[nodiscard]] bool needs_population() const { return k_map_.has_value() || presence_.has_value(); }
  [[nodiscard]] bool missing_matches_everything() const { return missing_matches_everything_; }

  /// k, k-map and presence.
  [[nodiscard]] bool size_holds(std::uint64_t records, std::uint64_t population) const;
  /// The part of size_holds that any merge keeps: k and k-map.
  [[nodiscard]] bool lasting_size_holds(std::uint64_t records, std::uint64_t population) const {
    return records >= k_ && (!k_map_ || population >= *k_map_);
  }

  /// Whether records that are kept at a node are kept at every node above it.
  [[nodiscard]] bool survives_any_merge() const { return survives_any_merge_; }
  /// Whether a node above one without a failing class has none either.
  [[nodiscard]] bool closed_under_merging() const { return closed_under_merging_; }

 private:
  CriteriaSet() = default;
  std::uint64_t k_ = 1;
  std::optional<std::uint64_t> k_map_;
  std::optional<schema::DeltaPresence> presence_;
  std::vector<OnColumn> on_columns_;
  bool missing_matches_everything_ = false;
  bool survives_any_merge_ = true;
  bool closed_under_merging_ = true;
};

}  // namespace gauze::anonymize
