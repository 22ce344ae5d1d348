#pragma once

#include <vector>

#include "gauze/collect/count/report_shape.h"

namespace gauze::collect {

/// The Hadamard response (`hr`). Payload: y in index_bytes(K) bytes, K = `parameter`, a power of two above `size`. Cells: K,
/// reports of each y. Out of range: y that is not below K.
std::uint64_t count_hadamard(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                             std::size_t count, std::span<std::int64_t> cells);

/// How many of the reports in the cells of count_hadamard() support each of `size` values: those whose y has an even number of
/// ones in common with v + 1. One fast transform, O(K log K). The number of cells is a power of two above `size`.
[[nodiscard]] std::vector<std::int64_t> hadamard_supports(std::span<const std::int64_t> cells, std::uint32_t size);

}  // namespace gauze::collect
