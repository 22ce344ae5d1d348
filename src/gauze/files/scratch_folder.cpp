#include "gauze/files/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <cerrno>
#include <system_error>

#include "gauze/files/internal/left_behind.h"

namespace gauze {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPattern = ".gauze-XXXXXX";

bool is_scratch_name(std::string_view name) {
  return name.size() == kPattern.size() && name.starts_with(kPattern.substr(0, kPattern.find('X')));
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code problem;
  const fs::path where = fs::temp_directory_path(problem);
  if (problem) return make_error(ErrorCode::io, "there is no place for temporary files");
  return make(where);
}

Result<ScratchFolder> ScratchFolder::make(const fs::path& where) {
  internal::remove_left_behind(where, is_scratch_name);
  std::string path = (where / kPattern).string();
  if (::mkdtemp(path.data()) == nullptr)
    return make_error(ErrorCode::io, "cannot make a folder for temporary files in '{}': {}", where.string(),
                      std::generic_category().message(errno));
  FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  static_cast<void>(internal::lock_while_living(folder.number()));
  return ScratchFolder(std::move(path), std::move(folder));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace gauze
