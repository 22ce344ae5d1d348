#include "gauze/engines/internal/input_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace gauze::engines {
namespace {

bool is_same_time(const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

Result<struct stat> status_of(const FileDescriptor& file, const std::string& name) {
  struct stat status {};
  if (::fstat(file.number(), &status) != 0)
    return make_error(ErrorCode::io, "cannot read {}: {}", name, std::generic_category().message(errno));
  return status;
}

}  // namespace

Result<InputBytes> InputBytes::of(const std::vector<InputFile>& files) {
  InputBytes bytes;
  for (const InputFile& file : files) {
    File kept;
    kept.descriptor = FileDescriptor(::fcntl(file.descriptor().number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    kept.name = file.name();
    if (kept.descriptor.number() < 0)
      return make_error(ErrorCode::io, "cannot read {}: {}", kept.name, std::generic_category().message(errno));
    GAUZE_TRY(kept.opened, status_of(kept.descriptor, kept.name));
    bytes.files_.push_back(std::move(kept));
  }
  return bytes;
}

Result<void> InputBytes::hand_over(const ByteWitness& witness) const {
  std::string block(std::size_t{1} << 18, '\0');
  for (const File& file : files_) {
    FileSource source(file.descriptor, file.name);
    for (;;) {
      GAUZE_TRY(const std::size_t got, source.read(block));
      if (got == 0) break;
      witness(std::string_view(block).substr(0, got));
    }
  }
  return check_unchanged();
}

Result<void> InputBytes::check_unchanged() const {
  for (const File& file : files_) {
    GAUZE_TRY(const struct stat now, status_of(file.descriptor, file.name));
    if (now.st_size != file.opened.st_size || !is_same_time(now.st_mtim, file.opened.st_mtim) ||
        !is_same_time(now.st_ctim, file.opened.st_ctim))
      return make_error(ErrorCode::io, "{} was changed while it was read", file.name);
  }
  return {};
}

}  // namespace gauze::engines
