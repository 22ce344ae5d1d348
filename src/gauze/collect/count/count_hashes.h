#pragma once

#include "gauze/collect/count/report_shape.h"

namespace gauze::collect {

/// The prime of the hashes of local hashing.
inline constexpr std::uint32_t kHashPrime = 2'147'483'647;

/// Local hashing (`blh`, `olh`). Payload: a, b, c of 4 bytes each, y in index_bytes(g) bytes, g = `parameter`. Cells: `size`,
/// reports that support each value: floor(((a + b v + c v^2) mod P) g / P) = y. Out of range: a, b or c not below P, y not below g.
std::uint64_t count_hashes(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                           std::size_t count, std::span<std::int64_t> cells);

}  // namespace gauze::collect
