#pragma once

#include <filesystem>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze::server::internal {

/// "cannot read 'x': No such file or directory".
[[nodiscard]] tl::unexpected<Error> cannot(std::string_view verb, std::string_view name, int code);

/// Has what was made, renamed or removed in the folder of a path on the disk.
[[nodiscard]] Result<void> sync_folder_of(const std::filesystem::path& path);

/// Puts a file in its place, readable by its owner alone, and has file and folder on the disk. The bytes of the one that it replaces are
/// overwritten, as far as file system and medium do that in place.
[[nodiscard]] Result<void> replace_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace gauze::server::internal
