#pragma once

#include <memory>

#include "gauze/engines/internal/input_bytes.h"
#include "gauze/engines/internal/sql_source.h"
#include "gauze/table/declared_source.h"

namespace gauze::engines {

/// Files of Parquet with their declared columns, which are all columns of the source.
[[nodiscard]] std::unique_ptr<table::DeclaredSource> declared_parquet(std::unique_ptr<SqlSource> source,
                                                                      InputBytes bytes);

}  // namespace gauze::engines
