#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gauze/anonymize/classes/records.h"
#include "gauze/anonymize/criteria/class_criterion.h"
#include "gauze/schema/policy/criteria.h"

namespace gauze::anonymize {

/// The records whose sensitive values the shares p of t-closeness, delta-disclosure and beta-likeness are taken over.
///
/// kept: those that are not suppressed, for outputs that hide the sensitive values of suppressed rows. What fails against
///       all records is suppressed, then what fails against those that are left, until nothing changes.
/// all : all records, for outputs that show the sensitive values of suppressed rows too.
enum class ReferenceRecords { kept, all };

/// The criteria of a policy, ready to be asked about the classes of some records.
class CriteriaSet {
 public:
  struct OnColumn {
    std::size_t column = 0;  ///< place in Records::sensitive
    std::unique_ptr<ClassCriterion> criterion;
  };

  /// Every column that a criterion names must be among the sensitive ones of the records, and k-map or presence need
  /// the counts of a population. The records must outlive the set.
  [[nodiscard]] static Result<CriteriaSet> make(const schema::Criteria& criteria, const Records& records,
                                                ReferenceRecords reference = ReferenceRecords::kept);

  [[nodiscard]] std::uint64_t k() const { return k_; }
  [[nodiscard]] const std::vector<OnColumn>& on_columns() const { return on_columns_; }
  [[nodiscard]] bool needs_population() const { return k_map_.has_value() || presence_.has_value(); }
  [[nodiscard]] bool missing_matches_everything() const { return missing_matches_everything_; }

  /// Whether suppressing a class may make others fail: the reference is over what is kept, and something looks at it.
  [[nodiscard]] bool depends_on_kept() const { return depends_on_kept_; }

  /// Whether every class of the population must have kept records: delta-presence with a lower bound above 0.
  [[nodiscard]] bool needs_everybody() const { return presence_ && presence_->minimum.sign() > 0; }

  /// k, k-map and presence.
  [[nodiscard]] bool size_holds(std::uint64_t records, std::uint64_t population) const;
  /// The part of size_holds that any merge keeps: k and k-map.
  [[nodiscard]] bool lasting_size_holds(std::uint64_t records, std::uint64_t population) const {
    return records >= k_ && (!k_map_ || population >= *k_map_);
  }

  /// Whether records that are kept at a node are kept at every node above it.
  [[nodiscard]] bool survives_any_merge() const { return survives_any_merge_; }
  /// Whether a node above one without a failing class, or without records of a class of the population where all of them
  /// are needed, is such a node too.
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
  bool depends_on_kept_ = false;
};

}  // namespace gauze::anonymize
