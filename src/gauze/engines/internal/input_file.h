#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"
#include "gauze/files/compression.h"
#include "gauze/files/file_descriptor.h"
#include "gauze/table/encoding.h"
#include "gauze/table/file_format.h"

namespace gauze::engines {

/// One opened file whose bytes can be read again and again; a pipe is kept in a nameless temporary file.
class InputFile {
 public:
  /// "-" is the standard input. `encoding` as in ReadOptions.
  [[nodiscard]] static Result<InputFile> open(const std::string& path, const std::filesystem::path& temporary,
                                              const std::optional<std::string>& encoding);

  /// By its name alone, never by its bytes: format and compression by the last extensions (`.jsonl`, `.ndjson`, `.json`,
  /// `.parquet`, `.pq`, else CSV; `.gz`, `.zst` behind them), UTF-8 unless another encoding is given. Bytes that are no
  /// text are marked, as BadBytes::mark says. Reads nothing; UTF-16, in which one record can shift all others, is refused.
  [[nodiscard]] static Result<InputFile> open_declared(const std::string& path,
                                                       const std::filesystem::path& temporary,
                                                       const std::optional<std::string>& encoding);

  /// What messages call it: the path in quotes, or "the standard input".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const FileDescriptor& descriptor() const { return descriptor_; }
  [[nodiscard]] FileDescriptor take_descriptor() { return std::move(descriptor_); }
  [[nodiscard]] table::FileFormat format() const { return format_; }
  [[nodiscard]] table::Encoding encoding() const { return encoding_; }
  /// Whether the bytes of the file itself are UTF-8 text without a mark, as far as its beginning shows.
  [[nodiscard]] bool is_plain() const {
    return compression_ == Compression::none && encoding_ == table::Encoding::utf8;
  }
  /// The first mebibyte of the text (or its first line, if that is longer), and whether that is all of it.
  [[nodiscard]] const std::string& beginning() const { return beginning_; }
  [[nodiscard]] bool beginning_is_all() const { return whole_; }
  /// Of the file itself, which may be compressed.
  [[nodiscard]] std::uint64_t byte_count() const;

  /// The text from its beginning, as UTF-8. A witness is shown the bytes of the file itself as they are read; whoever reads to the
  /// end of the text has shown it all of them.
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> text(const ByteWitness& witness = {}) const;
  /// The first line with content, with its end, as UTF-8 and without a byte order mark; nothing behind it is looked at,
  /// but for the one byte that tells CR from CR LF. Empty when there is no such line.
  [[nodiscard]] Result<std::string> first_line(std::size_t longest) const;

 private:
  InputFile() = default;
  [[nodiscard]] Result<void> open_bytes(const std::string& path, const std::filesystem::path& temporary);
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> bytes(const ByteWitness& witness = {}) const;
  [[nodiscard]] Result<void> find_encoding(const std::optional<std::string>& given);
  [[nodiscard]] Result<void> read_beginning();
  [[nodiscard]] Result<void> find_format(const std::string& path);

  std::string name_;
  FileDescriptor descriptor_;
  Compression compression_ = Compression::none;
  table::Encoding encoding_ = table::Encoding::utf8;
  table::BadBytes bad_bytes_ = table::BadBytes::refuse;
  table::FileFormat format_ = table::FileFormat::csv;
  std::string beginning_;
  bool whole_ = false;
};

}  // namespace gauze::engines
