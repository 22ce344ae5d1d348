#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze {

/// Who may read a new file: whoever the creation mask and the file that is replaced allow, or its owner alone, for keys
/// and whatever else undoes a release.
enum class FileReaders { usual, owner_alone };

/// A file that appears whole or not at all: written beside its place under a temporary name, flushed to the disk and
/// renamed by commit(). Without commit() nothing is left behind. A symbolic link at its place is replaced, never followed:
/// somebody else may have put it there. The null device takes the bytes and keeps nothing.
class AtomicFile {
 public:
  /// Creates the temporary file; fails with `io` when the folder is missing or cannot be written, or when the target
  /// is something other than a regular file.
  [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& target,
                                                 FileReaders readers = FileReaders::usual);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  [[nodiscard]] Result<void> write(std::string_view bytes);
  /// The open temporary file, for writers that take no bytes but open a path: /proc/self/fd/N.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Has all bytes on the disk; what commit() does after that is a rename.
  [[nodiscard]] Result<void> settle();
  /// Puts the file in its place, replacing what was there; its permissions are kept.
  [[nodiscard]] Result<void> commit();

 private:
  AtomicFile(std::filesystem::path target, std::filesystem::path temporary, int descriptor);
  [[nodiscard]] Result<void> flush();
  void discard();

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  std::string buffer_;
  int descriptor_ = -1;
};

/// Writes one whole file atomically.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& target, std::string_view bytes,
                                      FileReaders readers = FileReaders::usual);

/// Whether an AtomicFile can be made there, to be asked before anything is spent on what it will hold: `io` if not.
[[nodiscard]] Result<void> check_place(const std::filesystem::path& target);

/// Puts a finished file of the same file system at the place of another, with the permissions of the one it replaces.
[[nodiscard]] Result<void> put_in_place(const std::filesystem::path& made, const std::filesystem::path& target);

/// Whether the path is the null device.
[[nodiscard]] bool is_null_device(const std::filesystem::path& path);

/// Reads one whole file of at most `limit` bytes.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit = 1U << 30);

}  // namespace gauze
