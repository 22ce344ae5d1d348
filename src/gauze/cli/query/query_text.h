#pragma once

#include <string>

#include "gauze/cli/core/output_writer.h"
#include "gauze/query/job/query_json.h"

namespace gauze::cli {

/// The answer as a table: keys, values, intervals.
[[nodiscard]] std::string answer_text(const query::QueryResult& result, Style style);
/// What a question would do and cost.
[[nodiscard]] std::string explanation_text(const query::QueryPlan& plan, const query::Explanation& explanation,
                                           std::uint64_t assumed_rows, Style style);
/// A statement with its clauses on lines of their own, those of subqueries further in.
[[nodiscard]] std::string sql_in_lines(std::string_view sql, std::size_t indent);
/// The line of a statement that an error is about, with carets under it, and what would be allowed.
[[nodiscard]] std::string caret_text(std::string_view sql, const Error& error);

}  // namespace gauze::cli
