#pragma once
// Reports that are one number below a bound: direct encoding, the Hadamard response, a side, a cell.

#include <cstddef>
#include <cstdint>
#include <span>

namespace gauze::collect::internal {

/// A little-endian number of so many bytes.
template <std::size_t Bytes>
[[nodiscard]] inline std::uint32_t read_index(const unsigned char* place) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < Bytes; ++i) value |= static_cast<std::uint32_t>(place[i]) << (8 * i);
  return value;
}

[[nodiscard]] inline std::uint32_t read_index(const unsigned char* place, std::size_t bytes) {
  switch (bytes) {
    case 1:
      return read_index<1>(place);
    case 2:
      return read_index<2>(place);
    case 3:
      return read_index<3>(place);
    default:
      return read_index<4>(place);
  }
}

/// A counter of reports that are a number of 1 to 4 bytes: cells[number] grows. Returns how many were not below the bound, which
/// is at most the number of cells.
std::uint64_t count_indices(std::size_t bytes, std::uint32_t bound, const unsigned char* payloads, std::size_t stride,
                            std::size_t count, std::span<std::int64_t> cells);

}  // namespace gauze::collect::internal
