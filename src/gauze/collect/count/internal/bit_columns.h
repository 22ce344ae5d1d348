#pragma once
// Sums of columns of bits: reports are rows.

#include <cstddef>
#include <cstdint>
#include <span>

namespace gauze::collect::internal {

/// cells[v] grows by the number of rows whose bit v mod 8 of byte v div 8 is set, for every cell. Rows have `bytes` bytes; bits
/// behind the last cell are not counted.
void add_bit_rows(std::span<const unsigned char* const> rows, std::size_t bytes, std::span<std::int64_t> cells);

/// How many bits are set.
[[nodiscard]] std::uint64_t count_ones(const unsigned char* row, std::size_t bytes);

}  // namespace gauze::collect::internal
