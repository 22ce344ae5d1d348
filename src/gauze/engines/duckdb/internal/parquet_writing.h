#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/engines/duckdb/internal/duckdb_session.h"
#include "gauze/engines/internal/sql_source.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/row_stream.h"

namespace gauze::engines {

/// So many random numbers of 64 bits sort the rows that are shuffled.
inline constexpr std::size_t kSortKeys = 2;

/// An open file that DuckDB writes, and what messages call it.
struct ParquetFile {
  std::string path;
  std::string name;
};

/// Writes the rows of a source of this very session, rewritten by a function inside DuckDB's query: rows are never gathered,
/// and untouched columns keep their types.
[[nodiscard]] Result<void> write_parquet(SqlSource& source, DuckDbSession& session, const table::Rewrite& rewrite,
                                         const ParquetFile& file, Progress& progress);

/// Writes rows that come from elsewhere. `shuffle` as in table::Rewrite.
[[nodiscard]] Result<void> write_parquet(table::RowStream& rows, DuckDbSession& session,
                                         const std::function<std::uint64_t(std::uint64_t)>& shuffle,
                                         const ParquetFile& file, Progress& progress);

}  // namespace gauze::engines
