#pragma once

#include <string>
#include <vector>

#include "gauze/anonymize/classes/records.h"
#include "gauze/base/progress.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// A table read for a search: its distinct tuples, each with its place in the hierarchies.
struct TableRecords {
  Records records;                             ///< its first tuples are those of `tuples`, in the same order
  table::TupleCounts tuples;                   ///< columns: quasi-identifiers, then sensitive ones
  std::vector<std::size_t> quasi_columns;      ///< places in the table, in the order of records.quasi
  std::vector<std::size_t> sensitive_columns;  ///< in the order of records.sensitive
};

/// Reads what the policy needs in one grouped scan: its quasi-identifiers, in the order of their names so that the order
/// of columns changes nothing, and the columns that are sensitive or that a criterion names. Hierarchies are made and
/// checked against the data before anything else runs. A population is opened with `open`, and cleaned by the policy as the table was
/// (CleanedSource).
///
/// No quasi-identifier, an unknown column, a value that a hierarchy does not cover and an empty table are errors.
[[nodiscard]] Result<TableRecords> read_records(table::Source& table, const table::SourceOpener& open,
                                                const schema::Policy& policy, Progress& progress);

}  // namespace gauze::anonymize
