#pragma once

#include <string>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/query/run/query_result.h"

namespace gauze::query {

/// The answer for programs, as `gauze query --json` prints it but for ledger and label.
[[nodiscard]] Json to_json(const QueryPlan& plan, const QueryResult& result);

/// How each measurement is drawn.
[[nodiscard]] Json measurements_json(const QueryPlan& plan);
/// The price: {"epsilon","delta","rho"}.
[[nodiscard]] Json price_json(const QueryPlan& plan);

/// The answer as CSV: keys, then NAME, NAME_low, NAME_high.
[[nodiscard]] std::string to_csv(const QueryResult& result);

/// What a question would do, without reading anything private.
struct Explanation {
  std::vector<std::string> plan = {};        ///< a tree, line by line
  std::vector<std::string> statements = {};  ///< for the engine
  struct HalfWidth {
    std::string name;
    double width = 0;
  };
  std::vector<HalfWidth> half_widths = {};  ///< of intervals, for a group of so many rows
  std::optional<double> keep_10 = {};       ///< the chance that a group of so many units is named
  std::optional<double> keep_100 = {};
  std::optional<double> keep_1000 = {};
};
[[nodiscard]] Result<Explanation> explain(const QueryPlan& plan, std::uint64_t assumed_rows);
[[nodiscard]] Json to_json(const QueryPlan& plan, const Explanation& explanation);

/// Standard deviation of the noise on a measurement, in the units of its column; 0 for selections.
[[nodiscard]] double noise_deviation(const QueryPlan& plan, std::size_t measurement);

}  // namespace gauze::query
