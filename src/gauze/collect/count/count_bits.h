#pragma once

#include "gauze/collect/count/report_shape.h"

namespace gauze::collect {

/// Unary encoding (`sue`, `oue`) and thresholds (`the`). Payload: a bit a value, value v is bit v mod 8 (1 = lowest) of byte v div
/// 8. Cells: `size`, reports whose bit is set. Out of range: a bit behind the last value is set.
std::uint64_t count_bits(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                         std::size_t count, std::span<std::int64_t> cells);

/// Subset selection (`ss`). The same, and out of range is also what has not exactly `parameter` bits set.
std::uint64_t count_subsets(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                            std::size_t count, std::span<std::int64_t> cells);

}  // namespace gauze::collect
