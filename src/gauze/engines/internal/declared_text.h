#pragma once

#include <memory>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/table/declared_source.h"
#include "gauze/table/read_options.h"
#include "gauze/table/row_sink.h"

namespace gauze::engines {

/// A declared source whose rows can also be had one by one.
class DeclaredText : public table::DeclaredSource {
 public:
  /// Hands over every row, in the order of the files; fails as group() does.
  [[nodiscard]] virtual Result<void> read(table::RowSink& rows, Progress& progress, const ByteWitness& witness) = 0;
};

/// Files of CSV or of JSON lines, all of one format, with their declared columns.
[[nodiscard]] Result<std::unique_ptr<DeclaredText>> open_declared_text(
    std::vector<InputFile> files, const std::vector<table::DeclaredColumn>& columns,
    const table::ReadOptions& options);

}  // namespace gauze::engines
