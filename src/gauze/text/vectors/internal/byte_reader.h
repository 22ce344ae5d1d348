#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"

namespace gauze::text::internal {

/// Reads a source piece by piece and knows where it is. Messages begin with the name of the file.
class ByteReader {
 public:
  static constexpr std::size_t kBlock = 1 << 18;
  static constexpr std::size_t kLongestLine = 1 << 24;

  ByteReader(ByteSource& source, std::string name) : source_(source), name_(std::move(name)) {}

  /// The first bytes (up to kBlock), without taking them.
  [[nodiscard]] Result<std::string_view> peek();
  /// The next line without its end; false at the end of the file. The view lives until the next call.
  [[nodiscard]] Result<bool> line(std::string_view& line);
  /// The bytes up to the delimiter, which is taken too. The end of the file before it is an error.
  [[nodiscard]] Result<std::string_view> until(char delimiter, std::size_t longest);
  [[nodiscard]] Result<void> exactly(std::span<char> bytes);
  [[nodiscard]] Result<bool> at_end();
  /// Passes over one byte if it is this one.
  [[nodiscard]] Result<void> skip_if(char byte);
  /// One unread byte, or -1 at the end; fast enough for a parser that takes single bytes.
  [[nodiscard]] int next() {
    if (begin_ == end_ && !more()) return -1;
    return static_cast<unsigned char>(buffer_[begin_++]);
  }
  /// Why next() ended, if it was not the end of the file.
  [[nodiscard]] const Result<void>& failure() const { return failure_; }

  [[nodiscard]] std::uint64_t byte() const { return consumed_ + begin_; }
  [[nodiscard]] std::uint64_t line_number() const { return lines_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  template <class... Args>
  [[nodiscard]] tl::unexpected<Error> bad_line(fmt::format_string<Args...> format, Args&&... args) const {
    return make_error(ErrorCode::bad_data, "{}, line {}: {}", name_, lines_,
                      fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  [[nodiscard]] tl::unexpected<Error> bad_byte(fmt::format_string<Args...> format, Args&&... args) const {
    return make_error(ErrorCode::bad_data, "{}, byte {}: {}", name_, byte(),
                      fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  /// Reads more behind what is unread; false at the end of the file or on failure_.
  bool more();
  [[nodiscard]] Result<bool> extend();

  ByteSource& source_;
  std::string name_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t consumed_ = 0;  // bytes before the buffer
  std::uint64_t lines_ = 0;
  bool ended_ = false;
  Result<void> failure_;
};

}  // namespace gauze::text::internal
