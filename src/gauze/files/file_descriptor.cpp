#include "gauze/files/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "gauze/files/internal/io_error.h"

namespace gauze {

using internal::io_error;

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (number_ > STDERR_FILENO) ::close(number_);
}

std::string FileDescriptor::path() const { return fmt::format("/proc/self/fd/{}", number_); }

Result<FileDescriptor> open_for_reading(const std::filesystem::path& path) {
  const std::string name = fmt::format("'{}'", path.string());
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return io_error("read", name, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return io_error("read", name, errno);
  if (S_ISDIR(status.st_mode)) return io_error("read", name, EISDIR);
  return file;
}

Result<FileDescriptor> open_nameless(const std::filesystem::path& folder) {
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.number() >= 0) return file;
  // Some file systems cannot do that: a name for the shortest possible time.
  std::string name = (folder / "gauze-XXXXXX").string();
  file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (file.number() < 0) return io_error("write temporary files in", fmt::format("'{}'", folder.string()), errno);
  ::unlink(name.c_str());
  return file;
}

Result<void> write_all(const FileDescriptor& file, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return io_error("write", name, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::size_t> FileSource::read(std::span<char> block) {
  for (;;) {
    const ssize_t got = sequential_
                            ? ::read(file_.number(), block.data(), block.size())
                            : ::pread(file_.number(), block.data(), block.size(), static_cast<off_t>(offset_));
    // Whoever waits for a pipe is let go by the signal that asks the command to stop.
    if (got < 0 && errno == EINTR && sequential_)
      return make_error(ErrorCode::interrupted, "interrupted while waiting for {}", name_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == ESPIPE && !sequential_) {
      sequential_ = true;
      continue;
    }
    if (got < 0) return io_error("read", name_, errno);
    offset_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
  }
}

Result<std::size_t> FileSource::read_at(std::span<char> block, std::uint64_t offset) const {
  std::size_t have = 0;
  while (have < block.size()) {
    const ssize_t got =
        ::pread(file_.number(), block.data() + have, block.size() - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("read", name_, errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

std::optional<ByteSource::Claim> FileSource::claim(std::size_t size) {
  if (sequential_ || offset_ == 0) return std::nullopt;
  const std::uint64_t from = std::exchange(offset_, offset_ + size);
  return [this, from](std::span<char> block) { return read_at(block, from); };
}

}  // namespace gauze
