#pragma once

#include <filesystem>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/engines/internal/text_table.h"
#include "gauze/table/read_options.h"

namespace gauze::engines {

/// Reads files of JSON lines, one object a line, into sound CSV. The columns are the keys of all lines, in the order in
/// which they first occur; a key that a line does not have, and null, are missing. Numbers keep the digits they are
/// written with. An array or object as a value is `bad_data`.
[[nodiscard]] Result<TextTable> read_json_lines(std::vector<InputFile> files, const table::ReadOptions& options,
                                                const std::filesystem::path& temporary);

}  // namespace gauze::engines
