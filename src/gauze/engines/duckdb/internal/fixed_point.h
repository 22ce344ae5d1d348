#pragma once

#include "gauze/engines/duckdb/internal/connection.h"

namespace gauze::engines {

/// How SqlDialect::fixed_point() is called in DuckDB.
inline constexpr const char* kFixedPoint = "gauze_fixed_point";

/// Makes it known to the database of a connection. Once.
[[nodiscard]] Result<void> register_fixed_point(const Connection& connection);

}  // namespace gauze::engines
