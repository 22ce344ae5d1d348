#pragma once

#include "gauze/label/label.h"
#include "gauze/query/run/query_result.h"

namespace gauze::query {

/// What an answer promises, and what not. Nothing in it depends on private rows.
[[nodiscard]] PrivacyLabel make_query_label(const QueryPlan& plan, const QueryResult& result);

}  // namespace gauze::query
