#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/label/label.h"
#include "gauze/table/table.h"

namespace gauze::cli {

/// Writes a table and OUT.label.json, the label bound to the bytes of the file. The label comes first, so that nothing
/// leaves without one; a failure before the end leaves what was there. "-" writes the rows to stdout and no label file.
/// A symbolic link is replaced, not followed; permissions are kept. The null device gets nothing and no label.
[[nodiscard]] Result<void> write_labelled_table(table::Table& table, const table::Rewrite& rewrite,
                                                const std::string& output, PrivacyLabel& label, Progress& progress);

/// Rows that were made, not read: the names of their columns, and a function that puts the next row into the cells (false
/// at the end).
struct MadeRows {
  std::vector<std::string> columns;
  std::function<bool(std::vector<std::string_view>& cells)> next;
};

/// The same for rows that were made: CSV with this delimiter, or what the name of the file says (Parquet, JSON lines,
/// compressed).
[[nodiscard]] Result<void> write_labelled_rows(table::Engine& engine, MadeRows& rows, const std::string& delimiter,
                                               const std::string& output, PrivacyLabel& label, Progress& progress);

/// The same for bytes that come piece by piece: what `produce` hands to the sink becomes the file ("-": the standard output,
/// no label file).
using ByteSink = std::function<Result<void>(std::string_view)>;
[[nodiscard]] Result<void> write_labelled_bytes(const std::string& output, PrivacyLabel& label,
                                                const std::function<Result<void>(const ByteSink&)>& produce);

}  // namespace gauze::cli
