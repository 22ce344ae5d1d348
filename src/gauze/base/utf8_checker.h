#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gauze {

/// Checks that a stream of bytes is UTF-8 (no overlong forms, no surrogates, nothing beyond U+10FFFF), block by block.
class Utf8Checker {
 public:
  /// The next block. Returns the place in it of the first byte that cannot follow, or nothing when all is well.
  [[nodiscard]] std::optional<std::size_t> check(std::string_view block);
  /// Whether the stream may end here, that is, not inside a character.
  [[nodiscard]] bool complete() const { return pending_ == 0; }

 private:
  unsigned pending_ = 0;         // continuation bytes still to come
  unsigned char lowest_ = 0x80;  // what the next of them must lie between
  unsigned char highest_ = 0xBF;
};

}  // namespace gauze
