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
};

/// What a file satisfies.
///
/// Rows of nothing but `*` in all columns say nothing and are in no class. All other rows are, those whose quasi-identifiers
/// are all `*` too: they are one class like any other. A sensitive cell that is `*` is not visible: l, t, delta and beta are
/// those of the visible values of a class, compared with the visible values of the file, and a class without any satisfies
/// them. Rows look alike when the letters of their quasi-identifiers are the same: `M` with a blank behind it is another cell,
/// and so is another way to write "missing".
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
  /// Every row that is in a class looks like so many, itself among them; where missing matches everything, by that reading. 0:
  /// no row is in a class.
  std::uint64_t k = 0;
  std::uint64_t alone = 0;       ///< rows that look like no other
  std::uint64_t suppressed = 0;  ///< rows whose quasi-identifiers are all `*`
  /// Those of them that are a class.
  struct SuppressedClass {
    std::uint64_t rows = 0;
    std::uint64_t blank = 0;  ///< rows of nothing but `*`, which are not in it
    bool satisfied = true;    ///< everything that was asked for
  };
  SuppressedClass suppressed_class;
  ReidentificationRisk risk;               ///< over all classes; their number, smallest and largest are here
  ReidentificationRisk risk_unsuppressed;  ///< without the class of suppressed rows, as ARX counts
  std::vector<Sensitive> sensitive;
  std::vector<Requirement> requirements;
  [[nodiscard]] bool satisfied() const;
};

/// Looks at the rows of a file as they are: no hierarchy, no search. Exact like the searches.
[[nodiscard]] Result<Verification> verify(table::Source& table, const VerificationRequest& request,
                                          Progress& progress);

}  // namespace gauze::anonymize
