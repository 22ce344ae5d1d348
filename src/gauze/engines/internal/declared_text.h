#pragma once

#include <memory>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/table/declared_source.h"
#include "gauze/table/read_options.h"

namespace gauze::engines {

/// Files of CSV or of JSON lines, all of one format, with their declared columns.
[[nodiscard]] Result<std::unique_ptr<table::DeclaredSource>> open_declared_text(
    std::vector<InputFile> files, const std::vector<table::DeclaredColumn>& columns,
    const table::ReadOptions& options);

}  // namespace gauze::engines
