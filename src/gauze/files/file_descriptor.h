#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"

namespace gauze {

/// An open file, closed at the end of its life.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  [[nodiscard]] int number() const { return number_; }
  /// A path to the open file, whatever it is called and even if it has no name any more. A path of digits cannot be
  /// taken for a glob, for a compressed file or for SQL.
  [[nodiscard]] std::string path() const;

 private:
  int number_ = -1;
};

/// Opens a file for reading; a folder is refused.
[[nodiscard]] Result<FileDescriptor> open_for_reading(const std::filesystem::path& path);

/// A new file without a name, readable and writable, in the folder: it is gone when the process is, however it ends.
[[nodiscard]] Result<FileDescriptor> open_nameless(const std::filesystem::path& folder);

/// Writes all of the bytes.
[[nodiscard]] Result<void> write_all(const FileDescriptor& file, std::string_view bytes, const std::string& name);

/// The bytes of a regular file from its beginning; several may read the same descriptor. For anything else (a pipe), the
/// bytes that come, once.
class FileSource : public ByteSource {
 public:
  FileSource(const FileDescriptor& file, std::string name) : file_(file), name_(std::move(name)) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override;
  /// Once something was read, which tells files from pipes.
  [[nodiscard]] std::optional<Claim> claim(std::size_t size) override;

 private:
  [[nodiscard]] Result<std::size_t> read_at(std::span<char> block, std::uint64_t offset) const;

  const FileDescriptor& file_;
  std::string name_;
  std::uint64_t offset_ = 0;
  bool sequential_ = false;
};

}  // namespace gauze
