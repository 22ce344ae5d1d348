#pragma once

#include "gauze/collect/count/report_shape.h"

namespace gauze::collect {

/// Summation with histogram encoding (`she`). Payload: `size` figures of 32 bits, signed. Cells: `size`, sums of the figures.
/// Out of range, as a whole: a report with a figure beyond `clamp` on either side.
std::uint64_t count_figures(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                            std::size_t count, std::span<std::int64_t> cells);

/// One figure with Laplace noise (`laplace`). Payload: a figure of 32 bits, signed. Cells: 1, the sum.
/// Out of range: beyond `clamp` on either side.
std::uint64_t count_figure(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                           std::size_t count, std::span<std::int64_t> cells);

}  // namespace gauze::collect
