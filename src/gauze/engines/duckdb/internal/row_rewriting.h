#pragma once

#include <cstdint>
#include <vector>

#include "gauze/engines/duckdb/internal/connection.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/table.h"

namespace gauze::engines {

/// The cells of some columns of a chunk, without blanks around them.
[[nodiscard]] table::RowBatch take_batch(const std::vector<duckdb_vector>& columns, std::size_t rows,
                                         const table::MissingTokens& tokens);

/// A result in which every cell stays as it was and every row is kept, to be changed by a rewrite.
[[nodiscard]] table::RewrittenBatch unchanged(const table::Rewrite& rewrite, std::size_t rows);

/// Calls the rewrite and checks that what it returns has the shape of the batch.
void run_rewrite(const table::Rewrite& rewrite, const table::RowBatch& batch, table::RewrittenBatch& result);

/// The columns of the table that are written, in their order.
[[nodiscard]] std::vector<std::size_t> written_columns(const table::Rewrite& rewrite, std::size_t columns);

}  // namespace gauze::engines
