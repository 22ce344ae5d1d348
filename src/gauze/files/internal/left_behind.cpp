#include "gauze/files/internal/left_behind.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <system_error>

#include "gauze/files/file_descriptor.h"

namespace gauze::internal {

void remove_left_behind(const std::filesystem::path& folder,
                        const std::function<bool(std::string_view name)>& is_such) {
  constexpr std::time_t kOldSeconds = 60;
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    if (!is_such(entry->path().filename().string())) continue;
    const FileDescriptor left(::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (left.number() < 0 || ::fstat(left.number(), &status) != 0) continue;
    const bool is_ours = (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) && status.st_uid == ::geteuid();
    if (!is_ours || status.st_mtime + kOldSeconds > std::time(nullptr)) continue;
    if (!lock_while_living(left.number())) continue;
    std::error_code failure;
    std::filesystem::remove_all(entry->path(), failure);
  }
}

bool lock_while_living(int descriptor) { return descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

}  // namespace gauze::internal
