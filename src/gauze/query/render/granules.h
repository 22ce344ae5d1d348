#pragma once

#include <optional>
#include <string>

#include "gauze/query/plan/measurement.h"
#include "gauze/query/plan/relation.h"

namespace gauze::query {

/// How a scan gives a bounded column of reals a second time, as whole granules: clamped as integers, which is quicker than
/// clamping reals twice. Nothing where a bound is no whole number of granules: rounding would not end at the same one then.
[[nodiscard]] std::optional<FixedPointRange> scanned_granules(const schema::TableSchema& table,
                                                              const schema::ColumnSchema& column);
/// How that column is called.
[[nodiscard]] std::string granules_name(const std::string& column);

/// The column in which a relation has an argument as whole granules within `fixed`, if a scan has brought it there: then nothing
/// is left to be clamped. `relation` may become one that carries this column along.
[[nodiscard]] std::optional<ColumnId> granules_column(RelationPtr& relation, const Expression& argument,
                                                      const FixedPointRange& fixed);

}  // namespace gauze::query
