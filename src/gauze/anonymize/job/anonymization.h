#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/anonymize/job/suppressed_rows.h"
#include "gauze/anonymize/job/table_records.h"
#include "gauze/anonymize/risk/reidentification_risk.h"
#include "gauze/anonymize/search/recoding.h"
#include "gauze/base/progress.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::anonymize {

/// An anonymised table before it is written, with everything that can be said about it.
struct Anonymization {
  schema::SearchKind search = schema::SearchKind::optimal;
  std::optional<Levels> levels;  ///< in the order of records.quasi; only of the optimal search
  Recoding recoding;
  MetricValues metrics;
  double value = 0;  ///< of the metric that was asked for
  std::uint64_t nodes_checked = 0;
  std::uint64_t nodes_total = 0;
  bool optimal = false;
  double lower_bound = 0;     ///< no solution of the optimal search has a smaller value; else as `value`
  double search_seconds = 0;  ///< processor time of the search alone
  std::vector<std::string>
      lost;  ///< quasi-identifiers of which nothing is left: one text in all rows that are not suppressed
  ReidentificationRisk input_risk;
  ReidentificationRisk output_risk;
};

/// Runs the search that the policy asks for. The largest number of suppressed records is floor(share x N), exactly. Closeness
/// of a class is measured against the rows whose sensitive values the output will show.
[[nodiscard]] Result<Anonymization> anonymize(const TableRecords& table, const schema::Policy& policy,
                                              SuppressedRows suppressed, Progress& progress);

}  // namespace gauze::anonymize
