#pragma once

#include <string>
#include <vector>

#include "gauze/query/plan/query_plan.h"
#include "gauze/query/render/expression_sql.h"

namespace gauze::query {

/// The whole number of granules of an expression, clamped; NULL for NULL.
[[nodiscard]] std::string fixed_point_sql(const SqlWriter& writer, const ExpressionPtr& argument,
                                          const FixedPointRange& fixed);

/// The statements of a question. Each returns the keys first, as they are carried (decimals as integers).
struct QueryStatements {
  /// keys, number of units, one column for each measurement that is a sum
  std::string sums = {};
  std::vector<std::size_t> sum_places = {};  ///< the measurements of its columns
  struct Further {
    std::size_t measurement = 0;
    std::string sql = {};  ///< keys, count of values; or keys, candidate, weight
  };
  std::vector<Further> distinct = {};
  std::vector<Further> selections = {};
};

/// `key`: 32 hexadecimal digits that decide which groups of a unit count where it is in too many.
[[nodiscard]] QueryStatements write_statements(const QueryPlan& plan, const SqlWriter& writer,
                                               const std::string& key);

}  // namespace gauze::query
