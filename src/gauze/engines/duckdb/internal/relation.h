#pragma once

#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/duckdb/internal/connection.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/engines/internal/sql_source.h"
#include "gauze/engines/internal/text_table.h"
#include "gauze/table/declared_source.h"

namespace gauze::engines {

/// Files of text that have been read once.
[[nodiscard]] SqlRelation relation_of(TextTable table);
/// With declared columns: those alone, and bytes without a type are read as text one by one.
[[nodiscard]] Result<SqlRelation> open_parquet(Connection& connection, std::vector<InputFile> files,
                                               const std::vector<std::string>& names,
                                               const std::vector<table::DeclaredColumn>& declared = {});

}  // namespace gauze::engines
