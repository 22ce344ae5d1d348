#include "gauze/files/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "gauze/files/internal/io_error.h"
#include "gauze/files/internal/left_behind.h"

namespace gauze {
namespace {

constexpr std::size_t kBufferBytes = 1U << 18;

tl::unexpected<Error> cannot(std::string_view verb, const std::filesystem::path& path, int code) {
  return internal::io_error(verb, fmt::format("'{}'", path.string()), code);
}

/// What is at a place, a link by itself.
struct Present {
  bool is_file = false;  ///< a regular file, which is replaced and gives its permissions
  bool is_null_device = false;
  mode_t mode = 0;
};

Result<Present> look_at(const std::filesystem::path& target) {
  if (!target.has_filename())
    return make_error(ErrorCode::io, "cannot write '{}': it names no file", target.string());
  struct stat found {};
  if (::lstat(target.c_str(), &found) != 0) {
    if (errno != ENOENT) return cannot("write", target, errno);
    return Present{};
  }
  if (S_ISLNK(found.st_mode)) return Present{};
  if (S_ISCHR(found.st_mode) && found.st_rdev == makedev(1, 3)) return Present{.is_null_device = true};
  if (!S_ISREG(found.st_mode)) {
    return make_error(ErrorCode::io, "cannot write '{}': it is {}, not a regular file", target.string(),
                      S_ISDIR(found.st_mode) ? "a folder" : "a device or a pipe");
  }
  if (::access(target.c_str(), W_OK) != 0) return cannot("write", target, errno);
  return Present{.is_file = true, .mode = found.st_mode & 07777};
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
  static_cast<void>(internal::lock_while_living(descriptor));
  return {std::move(name), descriptor};
}

/// "7-0.part": what a temporary name has behind that of its place.
bool is_temporary_ending(std::string_view ending) {
  const std::size_t dash = ending.find('-');
  constexpr std::string_view kPart = ".part";
  if (dash == std::string_view::npos || !ending.ends_with(kPart)) return false;
  const auto are_digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return are_digits(ending.substr(0, dash)) &&
         are_digits(ending.substr(dash + 1, ending.size() - kPart.size() - dash - 1));
}

/// Removes what a process left beside this place that was killed.
void clear_up_beside(const std::filesystem::path& place) {
  const std::string begin = place.filename().string() + ".";
  internal::remove_left_behind(place.has_parent_path() ? place.parent_path() : ".", [&](std::string_view name) {
    return name.starts_with(begin) && is_temporary_ending(name.substr(begin.size()));
  });
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
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& target, FileReaders readers) {
  GAUZE_TRY(const Present present, look_at(target));
  if (present.is_null_device) {
    const int null = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (null < 0) return cannot("write", target, errno);
    return AtomicFile(target, {}, null);
  }
  const bool secret = readers == FileReaders::owner_alone;
  clear_up_beside(target);
  auto [temporary, descriptor] = open_beside(target, secret ? 0600 : present.is_file ? present.mode & 0777 : 0666);
  if (descriptor < 0) return cannot("write", target, errno);
  AtomicFile file(target, std::move(temporary), descriptor);
  // The creation mask does not apply to the permissions of a file that is replaced.
  if (present.is_file && !secret && ::fchmod(descriptor, present.mode) != 0) return cannot("write", target, errno);
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

Result<void> AtomicFile::settle() {
  GAUZE_TRY_VOID(flush());
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) return cannot("write", target_, errno);
  return {};
}

Result<void> AtomicFile::commit() {
  GAUZE_TRY_VOID(settle());
  if (!temporary_.empty()) {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return cannot("write", target_, errno);
  }
  ::close(std::exchange(descriptor_, -1));
  return {};
}

Result<void> write_file(const std::filesystem::path& target, std::string_view bytes, FileReaders readers) {
  GAUZE_TRY(AtomicFile file, AtomicFile::create(target, readers));
  GAUZE_TRY_VOID(file.write(bytes));
  return file.commit();
}

Result<void> check_place(const std::filesystem::path& target) {
  GAUZE_TRY(const Present present, look_at(target));
  if (present.is_null_device) return {};
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0) return cannot("write", target, errno);
  if (!S_ISDIR(found.st_mode)) return cannot("write", target, ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return cannot("write", target, errno);
  return {};
}

Result<void> put_in_place(const std::filesystem::path& made, const std::filesystem::path& target) {
  GAUZE_TRY(const Present present, look_at(target));
  if (present.is_file && ::chmod(made.c_str(), present.mode) != 0) return cannot("write", target, errno);
  if (::rename(made.c_str(), target.c_str()) != 0) return cannot("write", target, errno);
  return {};
}

bool is_null_device(const std::filesystem::path& path) {
  const auto present = look_at(path);
  return present && present->is_null_device;
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
