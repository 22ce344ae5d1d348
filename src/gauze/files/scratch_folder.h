#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "gauze/base/error.h"
#include "gauze/files/file_descriptor.h"

namespace gauze {

/// A folder for temporary files that only this user can read, gone with all that is in it when the object ends.
///
/// A process that is killed cannot clear up: its folder is removed when the next one is made in the same place. It is known by
/// its name and by its lock, which the kernel takes back from the dead. Where a file system has no locks, nothing is removed.
class ScratchFolder {
 public:
  /// In the folder for temporary files, or in `where`.
  [[nodiscard]] static Result<ScratchFolder> make();
  [[nodiscard]] static Result<ScratchFolder> make(const std::filesystem::path& where);
  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The path of a file in it.
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  ScratchFolder(std::filesystem::path path, FileDescriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::filesystem::path path_;
  FileDescriptor lock_;
};

}  // namespace gauze
