#pragma once

#include <map>

#include "gauze/query/plan/expression.h"

namespace gauze::query {

/// What a conjunction with constants says of the columns in it: their shapes in the rows that it keeps.
[[nodiscard]] std::map<ColumnId, Shape> narrowed_by(const Expression& condition);

}  // namespace gauze::query
