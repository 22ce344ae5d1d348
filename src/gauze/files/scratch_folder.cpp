#include "gauze/files/scratch_folder.h"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <filesystem>

namespace gauze {

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code problem;
  std::string path = (std::filesystem::temp_directory_path(problem) / "gauze-XXXXXX").string();
  if (problem || ::mkdtemp(path.data()) == nullptr)
    return make_error(ErrorCode::io, "there is no place for temporary files");
  return ScratchFolder(std::move(path));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace gauze
