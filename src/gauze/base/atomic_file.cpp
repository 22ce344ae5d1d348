#include "gauze/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace gauze {
namespace {

constexpr std::size_t kBufferBytes = 1U << 18;

tl::unexpected<Error> cannot(std::string_view verb, const std::filesystem::path& path, int code) {
  return make_error(ErrorCode::io, "cannot {} '{}': {}", verb, path.string(), std::generic_category().message(code));
}

/// Where the bytes really go: the end of a chain of links.
std::filesystem::path resolve_links(std::filesystem::path path) {
  std::error_code ignored;
  for (int depth = 0; depth < 40 && std::filesystem::is_symlink(path, ignored); ++depth) {
    const auto next = std::filesystem::read_symlink(path, ignored);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

/// Creates a file of a name that nobody has, in the same folder. The descriptor is negative, and errno set, on
/// failure.
std::pair<std::filesystem::path, int> open_beside(const std::filesystem::path& place, mode_t mode) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name;
  int descriptor = -1;
  for (int attempt = 0; attempt < 1000 && descriptor < 0; ++attempt) {
    name = fmt::format("{}.{}-{}.part", place.string(), ::getpid(), counter++);
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  return {std::move(name), descriptor};
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target, std::filesystem::path temporary, int descriptor)
    : target_(std::move(target)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (descriptor_ < 0) return;
  ::close(std::exchange(descriptor_, -1));
  ::unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& target) {
  if (!target.has_filename())
    return make_error(ErrorCode::io, "cannot write '{}': it names no file", target.string());
  const auto place = resolve_links(target);
  struct stat existing {};
  const bool exists = ::stat(place.c_str(), &existing) == 0;
  if (!exists && errno != ENOENT) return cannot("write", target, errno);
  if (exists && !S_ISREG(existing.st_mode)) {
    return make_error(ErrorCode::io, "cannot write '{}': it is not a regular file", target.string());
  }
  if (exists && ::access(place.c_str(), W_OK) != 0) return cannot("write", target, errno);
  auto [temporary, descriptor] = open_beside(place, exists ? existing.st_mode & 0777 : 0666);
  if (descriptor < 0) return cannot("write", target, errno);
  AtomicFile file(place, std::move(temporary), descriptor);
  // The creation mask does not apply to the permissions of a file that is replaced.
  if (exists && ::fchmod(descriptor, existing.st_mode & 07777) != 0) return cannot("write", target, errno);
  return file;
}

Result<void> AtomicFile::write(std::string_view bytes) {
  buffer_ += bytes;
  return buffer_.size() >= kBufferBytes ? flush() : Result<void>{};
}

Result<void> AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int failure = errno;
      discard();  // a later commit() must not put half a file in place
      return cannot("write", target_, failure);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
  return {};
}

Result<void> AtomicFile::commit() {
  GAUZE_TRY_VOID(flush());
  if (::fsync(descriptor_) != 0) return cannot("write", target_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return cannot("write", target_, errno);
  ::close(std::exchange(descriptor_, -1));
  return {};
}

Result<void> write_file(const std::filesystem::path& target, std::string_view bytes) {
  GAUZE_TRY(AtomicFile file, AtomicFile::create(target));
  GAUZE_TRY_VOID(file.write(bytes));
  return file.commit();
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot("read", path, errno);
  std::string bytes;
  std::string block(kBufferBytes, '\0');
  int failure = 0;
  for (;;) {
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failure = errno;
    if (got <= 0 || bytes.size() > limit) break;
    bytes.append(block, 0, static_cast<std::size_t>(got));
  }
  ::close(descriptor);
  if (failure != 0) return cannot("read", path, failure);
  if (bytes.size() > limit) {
    return make_error(ErrorCode::io, "cannot read '{}': it is larger than {} bytes", path.string(), limit);
  }
  return bytes;
}

}  // namespace gauze
