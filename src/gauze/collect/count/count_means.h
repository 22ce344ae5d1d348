#pragma once

#include "gauze/collect/count/report_shape.h"

namespace gauze::collect {

/// How many cells the grid of the piecewise mechanism has.
inline constexpr std::size_t kGridCells = 65'536;

/// Duchi's mechanism (`duchi`). Payload: 1 byte, 1 = high, 0 = low. Cells: 2, low and high.
std::uint64_t count_sides(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                          std::size_t count, std::span<std::int64_t> cells);

/// The piecewise mechanism (`piecewise`). Payload: a cell in 2 bytes, each of which is one. Cells: kGridCells.
std::uint64_t count_cells(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                          std::size_t count, std::span<std::int64_t> cells);

/// The hybrid of the two (`hybrid`). Payload: 1 byte, 1 = piecewise, and 2 bytes: its cell, or else 1 = high, 0 = low.
/// Cells: kGridCells of the piecewise branch, then low and high of the other.
std::uint64_t count_branches(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                             std::size_t count, std::span<std::int64_t> cells);

}  // namespace gauze::collect
