#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace gauze::collect {

/// Overwrites bytes in a way that no compiler leaves out.
void wipe(std::span<unsigned char> bytes);

/// Secret bytes of a fixed number: wiped when they go, whoever still has a copy keeps that.
template <std::size_t N>
class WipedBytes {
 public:
  WipedBytes() = default;
  explicit WipedBytes(std::span<const unsigned char, N> bytes) {
    for (std::size_t i = 0; i < N; ++i) bytes_[i] = bytes[i];
  }
  WipedBytes(const WipedBytes&) = default;
  WipedBytes& operator=(const WipedBytes&) = default;
  ~WipedBytes() { wipe(bytes_); }

  [[nodiscard]] std::span<unsigned char, N> bytes() { return bytes_; }
  [[nodiscard]] std::span<const unsigned char, N> bytes() const { return bytes_; }
  [[nodiscard]] std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), N}; }

 private:
  std::array<unsigned char, N> bytes_{};
};

}  // namespace gauze::collect
