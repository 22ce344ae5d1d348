#pragma once

#include <string>

#include "gauze/base/progress.h"
#include "gauze/label/label.h"
#include "gauze/table/table.h"

namespace gauze::cli {

/// Writes a table and OUT.label.json, the label bound to the bytes of the file. The label comes first, so that nothing
/// leaves without one; a failure before the end leaves what was there. "-" writes the rows to stdout and no label file.
/// A symbolic link is followed, permissions are kept; a folder or a device is refused.
[[nodiscard]] Result<void> write_labelled_table(table::Table& table, const table::Rewrite& rewrite,
                                                const std::string& output, PrivacyLabel& label, Progress& progress);

}  // namespace gauze::cli
