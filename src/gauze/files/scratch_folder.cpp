#include "gauze/files/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <system_error>

namespace gauze {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPattern = ".gauze-XXXXXX";
/// Between making a folder and locking it no time passes that comes near to this.
constexpr std::time_t kOldSeconds = 60;

FileDescriptor open_folder(const fs::path& folder) {
  return FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool lock(const FileDescriptor& folder) {
  return folder.number() >= 0 && ::flock(folder.number(), LOCK_EX | LOCK_NB) == 0;
}

/// What a process left that was killed: one's own, of some age, and locked by nobody.
void remove_left_behind(const fs::path& where) {
  std::error_code ignored;
  for (fs::directory_iterator entry(where, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.size() != kPattern.size() || !name.starts_with(kPattern.substr(0, kPattern.find('X')))) continue;
    const FileDescriptor folder = open_folder(entry->path());
    struct stat status {};
    if (folder.number() < 0 || ::fstat(folder.number(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    if (status.st_mtime + kOldSeconds > std::time(nullptr) || !lock(folder)) continue;
    std::error_code failure;
    fs::remove_all(entry->path(), failure);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code problem;
  const fs::path where = fs::temp_directory_path(problem);
  if (problem) return make_error(ErrorCode::io, "there is no place for temporary files");
  return make(where);
}

Result<ScratchFolder> ScratchFolder::make(const fs::path& where) {
  remove_left_behind(where);
  std::string path = (where / kPattern).string();
  if (::mkdtemp(path.data()) == nullptr)
    return make_error(ErrorCode::io, "cannot make a folder for temporary files in '{}': {}", where.string(),
                      std::generic_category().message(errno));
  FileDescriptor folder = open_folder(path);
  static_cast<void>(lock(folder));  // where there are no locks nobody removes it
  return ScratchFolder(std::move(path), std::move(folder));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace gauze
