#include "gauze/anonymize/classes/criteria_set.h"

#include <algorithm>

#include "gauze/anonymize/internal/exact_comparison.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

Result<CriteriaSet> CriteriaSet::make(const Criteria& criteria, const Records& records, ReferenceRecords reference) {
  CriteriaSet set;
  set.k_ = criteria.k;
  set.missing_matches_everything_ = criteria.missing_matches_everything;
  if (criteria.k_map) set.k_map_ = criteria.k_map->k;
  set.presence_ = criteria.delta_presence;
  if (set.needs_population() && records.population.empty())
    return invalid_parameter("k-map and delta-presence need a population file");
  if (set.needs_population() && set.missing_matches_everything_)
    return invalid_parameter("population models do not know missing values that match everything");
  if (set.presence_) set.survives_any_merge_ = false;
  auto add = [&](const auto& rules) -> Result<void> {
    for (const auto& rule : rules) {
      const auto column =
          std::find_if(records.sensitive.begin(), records.sensitive.end(),
                       [&](const SensitiveColumn& candidate) { return candidate.name == rule.column; });
      if (column == records.sensitive.end())
        return make_error(ErrorCode::unknown_column,
                          "a criterion names the column {}, which was not read as sensitive", rule.column);
      GAUZE_TRY(auto criterion, make_criterion(rule, *column));
      set.survives_any_merge_ = set.survives_any_merge_ && criterion->survives_any_merge();
      set.closed_under_merging_ = set.closed_under_merging_ && criterion->closed_under_merging();
      set.depends_on_kept_ =
          set.depends_on_kept_ || (reference == ReferenceRecords::kept && criterion->is_relative());
      set.on_columns_.push_back({static_cast<std::size_t>(column - records.sensitive.begin()), std::move(criterion)});
    }
    return {};
  };
  GAUZE_TRY_VOID(add(criteria.l_diversity));
  GAUZE_TRY_VOID(add(criteria.t_closeness));
  GAUZE_TRY_VOID(add(criteria.delta_disclosure));
  GAUZE_TRY_VOID(add(criteria.beta_likeness));
  // The lasting ones first: they are cheap, and a monotone check asks only for them.
  std::stable_partition(set.on_columns_.begin(), set.on_columns_.end(),
                        [](const OnColumn& entry) { return entry.criterion->survives_any_merge(); });
  return set;
}

bool CriteriaSet::size_holds(std::uint64_t records, std::uint64_t population) const {
  if (!lasting_size_holds(records, population)) return false;
  if (!presence_) return true;
  if (population == 0) return false;  // the input has records that the population lacks
  const Rational share =
      internal::fraction(static_cast<internal::Wide>(records), static_cast<internal::Wide>(population));
  return presence_->minimum <= share && share <= presence_->maximum;
}

}  // namespace gauze::anonymize
