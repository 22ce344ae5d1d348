#pragma once

#include "gauze/base/progress.h"
#include "gauze/publish/labelled_output.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/source.h"
#include "gauze/table/text_form.h"

namespace gauze::publish {

/// Writes all rows of a source through a rewrite into an output: CSV of this form, or what the name of the output says. The
/// standard output gets its first byte when all rows have been made: nothing is shown of what fails half way.
[[nodiscard]] Result<void> write_table(table::Source& source, const table::Rewrite& rewrite,
                                       const table::TextForm& form, LabelledOutput& output, Progress& progress);

/// The same for rows that come from elsewhere.
[[nodiscard]] Result<void> write_rows(table::RowStream& rows, const table::TextForm& form, LabelledOutput& output,
                                      Progress& progress);

}  // namespace gauze::publish
