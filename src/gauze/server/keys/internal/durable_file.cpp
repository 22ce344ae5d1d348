#include "gauze/server/keys/internal/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "gauze/files/atomic_file.h"
#include "gauze/files/file_descriptor.h"

namespace gauze::server::internal {
namespace {

/// Best effort: on media that write elsewhere the old bytes stay until they are reused.
void overwrite(const FileDescriptor& file) {
  struct stat found {};
  if (file.number() < 0 || ::fstat(file.number(), &found) != 0 || !S_ISREG(found.st_mode)) return;
  const std::string zeros(static_cast<std::size_t>(found.st_size), '\0');
  if (::pwrite(file.number(), zeros.data(), zeros.size(), 0) < 0) return;
  static_cast<void>(::fsync(file.number()));
}

}  // namespace

tl::unexpected<Error> cannot(std::string_view verb, std::string_view name, int code) {
  return make_error(ErrorCode::io, "cannot {} {}: {}", verb, name, std::generic_category().message(code));
}

Result<void> sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const FileDescriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.number() < 0 || ::fsync(open.number()) != 0)
    return cannot("write", fmt::format("'{}'", folder.string()), errno);
  return {};
}

Result<void> replace_file(const std::filesystem::path& path, std::string_view bytes) {
  const FileDescriptor old(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  GAUZE_TRY_VOID(write_file(path, bytes, FileReaders::owner_alone));
  GAUZE_TRY_VOID(sync_folder_of(path));
  overwrite(old);
  return {};
}

}  // namespace gauze::server::internal
