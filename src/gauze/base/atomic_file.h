#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze {

/// A file that appears whole or not at all: written beside its place under a temporary name, flushed to the disk and
/// renamed by commit(). Without commit() nothing is left behind.
class AtomicFile {
 public:
  /// Creates the temporary file; fails with `io` when the folder is missing or cannot be written, or when the target
  /// is something other than a regular file.
  [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& target);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  [[nodiscard]] Result<void> write(std::string_view bytes);
  /// The open temporary file, for writers that take no bytes but open a path: /proc/self/fd/N.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Puts the file in its place, replacing what was there. A symbolic link is followed, permissions are kept.
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
[[nodiscard]] Result<void> write_file(const std::filesystem::path& target, std::string_view bytes);

/// Reads one whole file of at most `limit` bytes.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit = 1U << 30);

}  // namespace gauze
