#pragma once
// Numbers in the rows of the store: big-endian in keys, so that rows lie in their order; little-endian in values.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gauze::server::internal {

inline void append_little(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255U);
}

inline void append_big(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = bytes; i > 0; --i) out += static_cast<char>(value >> (8 * (i - 1)) & 255U);
}

/// Of all the bytes, at most 8.
[[nodiscard]] inline std::uint64_t read_little(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

[[nodiscard]] inline std::uint64_t read_big(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8U | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace gauze::server::internal
