#pragma once

#include <string>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/engines/internal/csv_writing.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/source.h"

namespace gauze::engines {

/// Writes all rows of a source whose changes the rewrite knows (Rewrite::knows_changes), as write_csv writes them. What a tuple becomes is
/// laid out once; a row is the number of that and its other cells until it is written, so that shuffling moves little.
[[nodiscard]] Result<void> write_changed_csv(table::Source& source, const table::Rewrite& rewrite,
                                             const std::string& target, const CsvWriting& writing,
                                             Progress& progress);

}  // namespace gauze::engines
