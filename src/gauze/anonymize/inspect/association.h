#pragma once

#include "gauze/table/dictionary.h"

namespace gauze::anonymize {

/// Mutual information of the two columns of a grouped table, plug-in estimate in nats. Missing counts as a value.
[[nodiscard]] double mutual_information(const table::TupleCounts& pairs);

/// Cramer's V of the two columns: 0 unrelated, 1 one follows from the other. 0 when a column has a single value.
[[nodiscard]] double cramers_v(const table::TupleCounts& pairs);

/// The same less what chance alone would give (Bergsma 2013): a column in which nearly every row has a value of its own
/// has a large V with anything, and that says nothing.
[[nodiscard]] double cramers_v_without_chance(const table::TupleCounts& pairs);

}  // namespace gauze::anonymize
