#pragma once

#include "gauze/base/progress.h"
#include "gauze/publish/labelled_output.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/source.h"
#include "gauze/table/text_form.h"

namespace gauze::cli {

/// Writes all rows of a source through a rewrite into an output: CSV of this form, or what the name of the output says.
[[nodiscard]] Result<void> write_table(table::Source& source, const table::Rewrite& rewrite,
                                       const table::TextForm& form, publish::LabelledOutput& output,
                                       Progress& progress);

/// The same for rows that come from elsewhere.
[[nodiscard]] Result<void> write_rows(table::RowStream& rows, const table::TextForm& form,
                                      publish::LabelledOutput& output, Progress& progress);

}  // namespace gauze::cli
