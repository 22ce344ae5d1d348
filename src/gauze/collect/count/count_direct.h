#pragma once

#include "gauze/collect/count/report_shape.h"

namespace gauze::collect {

/// Direct encoding (`de`). Payload: the value in index_bytes(size) bytes. Cells: `size`, reports of each value.
/// Out of range: a value that is not below `size`.
std::uint64_t count_direct(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                           std::size_t count, std::span<std::int64_t> cells);

}  // namespace gauze::collect
