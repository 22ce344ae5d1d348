#pragma once

#include "gauze/label/label.h"
#include "gauze/query/run/query_result.h"

namespace gauze::query {

/// What an answer promises, and what not. Nothing in it depends on private rows. `binds_inputs`: the publication commits to the
/// bytes of private tables, too.
[[nodiscard]] PrivacyLabel make_query_label(const QueryPlan& plan, const QueryResult& result, bool binds_inputs);

}  // namespace gauze::query
