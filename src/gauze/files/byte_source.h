#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "gauze/base/error.h"

namespace gauze {

/// Bytes that come one block after the other: a file, what a decompressor or a decoder makes of one, a text.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills the block, which is not empty, from its front and returns how many bytes it got; 0 only at the end.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> block) = 0;
};

/// Reads until the block is full or the source ends.
[[nodiscard]] Result<std::size_t> read_fully(ByteSource& source, std::span<char> block);

/// A text in memory.
class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : rest_(text) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> block) override {
    const std::size_t size = std::min(block.size(), rest_.size());
    std::memcpy(block.data(), rest_.data(), size);
    rest_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view rest_;
};

}  // namespace gauze
