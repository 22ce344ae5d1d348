#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/label/label.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/source.h"

namespace gauze::cli {

/// Writes a table, as CSV with this delimiter or as the name of the output says, and OUT.label.json, the label bound to
/// the bytes of the file. The label comes first, so that nothing leaves without one; a failure before the end leaves what
/// was there. "-" writes the rows to stdout and no label file. A symbolic link is replaced, not followed; permissions are
/// kept. The null device gets nothing and no label.
[[nodiscard]] Result<void> write_labelled_table(table::Source& table, const table::Rewrite& rewrite,
                                                const std::string& delimiter, const std::string& output,
                                                PrivacyLabel& label, Progress& progress);

/// The same for rows that come from elsewhere.
[[nodiscard]] Result<void> write_labelled_rows(table::RowStream& rows, const std::string& delimiter,
                                               const std::string& output, PrivacyLabel& label, Progress& progress);

/// The same for bytes that come piece by piece: what `produce` hands to the sink becomes the file ("-": the standard output,
/// no label file).
using ByteSink = std::function<Result<void>(std::string_view)>;
[[nodiscard]] Result<void> write_labelled_bytes(const std::string& output, PrivacyLabel& label,
                                                const std::function<Result<void>(const ByteSink&)>& produce);

}  // namespace gauze::cli
