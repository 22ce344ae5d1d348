#pragma once

#include <string>
#include <vector>

#include "gauze/label/warning.h"
#include "gauze/query/plan/group_keys.h"
#include "gauze/query/plan/noise_plan.h"

namespace gauze::query {

/// How a question is to be asked.
struct QueryParameters {
  QueryBudget budget = {};
  std::optional<std::uint64_t> groups_per_unit = {};  ///< instead of the schema's limits
  std::optional<std::uint64_t> rows_per_unit = {};
  std::uint64_t most_groups = 100'000;  ///< that public keys may have
  std::int64_t today = 0;               ///< days since 1970, for CURRENT_DATE
};

/// All that is decided about a question before anything private is read.
///
/// Moving one moves what it refers to; the schema outlives it.
struct QueryPlan {
  const schema::DatabaseSchema* schema = nullptr;
  std::string sql = {};
  Question question = {};
  GroupKeys keys = {};
  schema::ContributionLimits limits = {};  ///< as used: no more groups than there are cells
  Measurements measurements = {};
  NoisePlan noise = {};
  TableDigests public_tables = {};  ///< that were looked at
  std::vector<Warning> warnings = {};

  [[nodiscard]] bool unit_is_row() const { return schema->unit.is_row; }
  /// Whether a unit may be in more groups than are counted.
  [[nodiscard]] bool chooses_groups() const;
};

/// Reads a question, finds what it means, whether it may be asked, and what it costs. Touches nothing private. Errors point
/// into the SQL.
[[nodiscard]] Result<QueryPlan> plan_query(const std::string& sql, const schema::DatabaseSchema& schema,
                                           const QueryParameters& parameters, PublicData& data);

}  // namespace gauze::query
