#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/files/byte_source.h"

namespace gauze::collect::internal {

/// A source in large pieces. While one is worked on the next can be read; what was not decided in one begins the next.
class SourceWindow {
 public:
  /// The most that one window may hand on to the next.
  static constexpr std::size_t kMostCarried = 65'536;

  /// What is read at a time does not show in what comes out: the caller chooses it for his caches.
  SourceWindow(std::unique_ptr<ByteSource> source, std::size_t window_bytes);

  [[nodiscard]] std::span<const unsigned char> bytes() const { return bytes_; }
  /// Whether nothing comes behind the bytes.
  [[nodiscard]] bool is_end() const { return is_end_; }

  /// Reads what the next call of advance() will show; may run beside whoever looks at bytes().
  [[nodiscard]] Result<void> read_ahead();
  /// Goes on with what was read ahead, before it the bytes from `taken` on.
  void advance(std::size_t taken);

 private:
  std::unique_ptr<ByteSource> source_;
  std::array<std::vector<char>, 2> buffers_;
  std::size_t current_ = 0;
  std::span<const unsigned char> bytes_;
  bool is_end_ = false;
  std::size_t ahead_ = 0;  // bytes in the other buffer
  bool ahead_is_end_ = false;
};

}  // namespace gauze::collect::internal
