#pragma once

#include <optional>
#include <span>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/table/file_format.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/source.h"
#include "gauze/table/text_form.h"

namespace gauze::table {

/// Where a table is written, and how it looks there.
struct TableTarget {
  std::string path;                       ///< "-" is the standard output; CSV is compressed if it ends in .gz or .zst
  std::optional<FileFormat> format = {};  ///< default: Parquet if the path ends in .parquet, else CSV
  TextForm form = {};                     ///< of CSV; a text its encoding cannot hold is `bad_data`
};

/// The format of the target, to be asked before anything is spent on what it will hold: `unsupported` or
/// `invalid_parameter` when nothing can be written like that.
[[nodiscard]] Result<FileFormat> format_of(const TableTarget& target);

/// Refuses names of columns that the format does not tell apart (Parquet, as it is written here: those that differ in upper and lower
/// case alone; one would get another name). To be asked as early.
[[nodiscard]] Result<void> check_names(FileFormat format, std::span<const std::string> names);

/// Writes tables, each into a file that appears whole or not at all.
class TableWriter {
 public:
  virtual ~TableWriter() = default;

  /// All rows of a source, through a rewrite. In Parquet, columns that are not changed keep the type they have in Parquet.
  [[nodiscard]] virtual Result<void> write(Source& source, const Rewrite& rewrite, const TableTarget& target,
                                           Progress& progress) = 0;
  /// All rows of a stream, as they come. Integers of 128 bits are text in Parquet, which has none.
  [[nodiscard]] virtual Result<void> write(RowStream& rows, const TableTarget& target, Progress& progress) = 0;
};

}  // namespace gauze::table
