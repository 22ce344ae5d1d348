#include "gauze/base/utf8_checker.h"

#include <cstdint>
#include <cstring>

namespace gauze {

std::optional<std::size_t> Utf8Checker::check(std::string_view block) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t place = 0;
  while (place < block.size()) {
    if (pending_ == 0) {
      for (std::uint64_t word = 0; place + 8 <= block.size(); place += 8) {
        std::memcpy(&word, block.data() + place, 8);
        if ((word & kHighBits) != 0) break;
      }
      if (place == block.size()) break;
    }
    const auto byte = static_cast<unsigned char>(block[place]);
    if (pending_ > 0) {
      if (byte < lowest_ || byte > highest_) return place;
      --pending_;
      lowest_ = 0x80, highest_ = 0xBF;
    } else if (byte >= 0x80) {
      // The table of well-formed sequences, Unicode 15, section 3.9.
      if (byte < 0xC2 || byte > 0xF4) return place;
      pending_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
      if (byte == 0xE0) lowest_ = 0xA0;
      if (byte == 0xED) highest_ = 0x9F;
      if (byte == 0xF0) lowest_ = 0x90;
      if (byte == 0xF4) highest_ = 0x8F;
    }
    ++place;
  }
  return std::nullopt;
}

}  // namespace gauze
