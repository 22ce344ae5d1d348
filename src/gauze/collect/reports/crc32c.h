#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gauze::collect {

/// CRC-32C (Castagnoli) of bytes, by the instruction of the processor if it has one.
[[nodiscard]] std::uint32_t crc32c(std::span<const unsigned char> bytes);

namespace internal {
/// The same by tables, on any processor.
[[nodiscard]] std::uint32_t crc32c_by_tables(std::span<const unsigned char> bytes);
}  // namespace internal

}  // namespace gauze::collect
