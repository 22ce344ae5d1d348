#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/query/run/noisy_table.h"

namespace gauze::query {

/// One number or key of an answer.
struct OutputCell {
  CellValue value = {};
  std::vector<CellValue> list = {};  ///< of several quantiles
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::optional<double> rank_error = {};  ///< of order statistics and MODE
};

struct OutputColumn {
  std::string name = {};
  bool is_key = false;
  bool is_list = false;
  Type type = Type::text;
};

/// An answer as it is shown: noisy, sorted, with intervals.
struct QueryResult {
  std::vector<OutputColumn> columns = {};
  std::vector<std::vector<OutputCell>> rows = {};
  bool is_consistent = false;
  std::string assumption = {};      ///< what is taken for granted about the files
  TableDigests public_tables = {};  ///< that were read
};

/// What a plan's result looks like, known before anything is read.
[[nodiscard]] std::vector<OutputColumn> output_columns(const QueryPlan& plan);

/// Everything above the aggregation: HAVING, expressions, ORDER BY, LIMIT, intervals; counts that are whole and not negative if
/// `consistent`. Works on noisy numbers, in a database of its own without any file.
[[nodiscard]] Result<QueryResult> finish_answer(const QueryPlan& plan, const NoisyTable& table, bool consistent,
                                                const EngineLimits& limits);

/// Reads, draws and finishes: the answer of a plan. The tables are those that `tables_of` names, opened and not loaded; the
/// bytes of private ones are shown to `witnesses`. `io` where a public table is not what it was when the plan was made.
[[nodiscard]] Result<QueryResult> run_query(const QueryPlan& plan, SchemaTables& tables, Chance& chance,
                                            bool consistent, const EngineLimits& limits, Progress& progress,
                                            const engines::SqlDatabase::Witnesses& witnesses = {});

}  // namespace gauze::query
