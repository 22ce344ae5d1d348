#pragma once

#include <string>
#include <vector>

#include "gauze/base/error.h"

namespace gauze {

/// The files that a source names: a path that exists as it is written, else the files a glob matches, in byte order of
/// their names. "-" is itself.
[[nodiscard]] Result<std::vector<std::string>> find_files(const std::string& source);

}  // namespace gauze
