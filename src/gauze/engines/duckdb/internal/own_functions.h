#pragma once
// Functions of Gauze's own that statements call in DuckDB.

#include "gauze/engines/duckdb/internal/connection.h"

namespace gauze::engines {

/// How SqlDialect::fixed_point() and md5_order() are called in DuckDB.
inline constexpr const char* kFixedPoint = "gauze_fixed_point";
inline constexpr const char* kMd5Order = "gauze_md5_order";

/// Make them known to the database of a connection. Once.
[[nodiscard]] Result<void> register_fixed_point(const Connection& connection);
[[nodiscard]] Result<void> register_md5_order(const Connection& connection);

}  // namespace gauze::engines
