#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/label/privacy_cost.h"
#include "gauze/label/warning.h"
#include "gauze/release/modes/histogram_release.h"
#include "gauze/release/modes/level_selection.h"
#include "gauze/release/modes/release_budget.h"
#include "gauze/schema/cleaning/cell_cleaning.h"
#include "gauze/schema/domain/domain_column.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::release {

/// A release that was decided on, before any data is read.
///
/// Everything that can be refused is refused here: what is left cannot fail for a reason that lies in the data.
struct ReleasePlan {
  schema::PolicyRelease release;  ///< as in the policy, levels completed
  std::uint64_t k = 1;
  UnitBounds bounds;
  ReleaseBudget budget;
  Rational delta_per_class;  ///< of `stability`
  std::vector<std::string>
      columns;                     ///< of the histogram: quasi-identifiers, then (records) sensitive ones and target
  std::vector<std::string> quasi;  ///< the first of them
  std::vector<int> levels;         ///< of `columns`; ignored for quasi-identifiers in mode select
  std::vector<Rational> weights;   ///< of quasi-identifiers
  std::vector<std::shared_ptr<const schema::DomainColumn>>
      domains;  ///< of `columns`; null: the values that occur (stability)
  std::vector<std::shared_ptr<const schema::CellCleaning>>
      cleaning;                   ///< of `columns`, before their domains; null: cells stay as they are
  std::vector<Warning> warnings;  ///< criteria that are not applied; a domain that noise would fill

  /// Refuses (exit 2) what cannot be released: no quasi-identifier, a column without a public domain, a level that does
  /// not exist, a delta that is missing or that means nothing; and (`not_private`) hierarchies or rules of cleaning that came from
  /// data.
  [[nodiscard]] static Result<ReleasePlan> make(const schema::Policy& policy, const ReleaseTarget& target);

  /// What chooses the levels, in mode select.
  [[nodiscard]] Result<LevelSelection> level_selection() const;
  /// What releases a histogram over a domain of so many cells.
  [[nodiscard]] Result<HistogramRelease> histogram_release(std::uint64_t cells) const;

  [[nodiscard]] bool cleans() const;
  [[nodiscard]] bool counts_persons() const { return release.unit.has_value(); }
  [[nodiscard]] bool is_stability() const { return release.mode == schema::ReleaseMode::stability; }
  /// What the release costs, whatever the data: with its rho where noise is Gaussian and the release zCDP as a whole.
  [[nodiscard]] PrivacyCost cost() const;
  /// "one row", "one patient": whom it protects, the name that a ledger compares.
  [[nodiscard]] std::string unit_name() const;
};

}  // namespace gauze::release
