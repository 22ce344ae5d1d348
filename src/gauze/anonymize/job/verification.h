#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/anonymize/risk/reidentification_risk.h"
#include "gauze/base/progress.h"
#include "gauze/schema/hierarchies/hierarchy_spec.h"
#include "gauze/schema/policy/criteria.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// What is to be found out about a finished file.
struct VerificationRequest {
  std::vector<std::string> quasi = {};
  std::vector<std::string> sensitive = {};
  schema::Criteria criteria =
      {};  ///< what must hold; k = 1 asks nothing. Population models cannot be checked on a file.
  bool k_is_asked = false;
  /// Of sensitive columns, for hierarchical distance.
  std::vector<std::pair<std::string, schema::HierarchySpec>> hierarchies = {};
  /// Rows whose quasi-identifiers are all `*` are suppressed ones; false when that is how the whole file is generalised.
  bool stars_are_suppressed = true;
};

/// What a file satisfies. t, delta and beta compare a class with all rows of the file, suppressed ones included.
struct Verification {
  struct Sensitive {
    std::string column;
    double l_distinct = 0;
    double l_entropy = 0;
    double t_equal = 0;
    double t_ordered = 0;
    std::optional<double> t_hierarchical;
    double delta_disclosure = 0;
    double beta_likeness = 0;
  };
  struct Requirement {
    std::string text;  ///< "k = 5", "occupation:distinct:3"
    bool holds = false;
    std::uint64_t failing_classes = 0;
    std::uint64_t failing_records = 0;
  };
  std::uint64_t rows = 0;
  std::uint64_t suppressed = 0;
  ReidentificationRisk risk;  ///< classes, smallest and largest are here; over rows that are not suppressed
  std::vector<Sensitive> sensitive;
  std::vector<Requirement> requirements;
  [[nodiscard]] bool satisfied() const;
};

/// Looks at the rows of a file as they are: no hierarchy, no search. Exact like the searches.
[[nodiscard]] Result<Verification> verify(table::Source& table, const VerificationRequest& request,
                                          Progress& progress);

}  // namespace gauze::anonymize
