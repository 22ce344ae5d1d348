#pragma once

#include <memory>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/duckdb/internal/duckdb_table.h"
#include "gauze/table/declared_source.h"

namespace gauze::engines {

/// Files of Parquet with their declared columns, which their schema must have.
[[nodiscard]] Result<std::unique_ptr<table::DeclaredSource>> open_declared_parquet(
    std::shared_ptr<const void> engine, const EngineSettings& settings, Connection connection,
    std::vector<InputFile> files, const std::vector<table::DeclaredColumn>& columns,
    const table::ReadOptions& options);

}  // namespace gauze::engines
