#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/engines/internal/text_table.h"
#include "gauze/table/read_options.h"

namespace gauze::engines {

/// All files that a source names: a file, a glob, or "-". They must be of one format.
[[nodiscard]] Result<std::vector<InputFile>> open_named_files(const std::string& source,
                                                              const table::ReadOptions& options,
                                                              const std::filesystem::path& temporary);

/// The same for a declared source, by names alone.
[[nodiscard]] Result<std::vector<InputFile>> open_declared_files(const std::string& source,
                                                                 const table::ReadOptions& options,
                                                                 const std::filesystem::path& temporary);

/// Files of CSV or of JSON lines, all of one format, as sound CSV.
[[nodiscard]] Result<TextTable> read_text_files(std::vector<InputFile> files, const table::ReadOptions& options,
                                                const std::filesystem::path& temporary);

}  // namespace gauze::engines
