#pragma once
// Products of matrices whose rows are records, or positions of records.

#include <cstddef>

#include "gauze/learn/engine/internal/buffer.h"

namespace gauze::learn::internal {

/// Columns that lie together in a packed matrix: 128 bytes, whatever the processor.
template <class Real>
inline constexpr std::size_t kPanelWidth = 128 / sizeof(Real);
/// Rows that are multiplied at a time.
inline constexpr std::size_t kRowBlock = 6;

[[nodiscard]] constexpr std::size_t rounded_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

/// Element (k, j) of a matrix, from[k * depth_stride + j * column_stride], into panels: see PackedMatrix.
template <class Real>
void pack_panels(const Real* from, std::size_t depth, std::size_t columns, std::size_t depth_stride,
                 std::size_t column_stride, Real* panels);

/// A matrix of `depth` rows and `columns` columns as panels of columns, the last one filled up: panel by panel, in each row by row.
template <class Real>
struct PackedMatrix {
  PackedMatrix() = default;
  PackedMatrix(std::size_t depth_size, std::size_t column_count)
      : depth(depth_size), columns(column_count), panels(rounded_up(columns, kPanelWidth<Real>) * depth) {}
  void pack(const Real* from, std::size_t depth_stride, std::size_t column_stride) {
    pack_panels(from, depth, columns, depth_stride, column_stride, panels.get());
  }

  std::size_t depth = 0;
  std::size_t columns = 0;
  Buffer<Real> panels;
};

/// y = start + x B. Row r of x begins at x + (r / kRowBlock) * block_stride + (r % kRowBlock) * row_stride, and its numbers lie
/// depth_stride apart.
template <class Real>
struct RowProduct {
  const Real* x = nullptr;
  std::size_t rows = 0;
  std::size_t row_stride = 0;
  std::size_t depth_stride = 1;
  std::size_t block_stride = 0;  ///< 0: kRowBlock * row_stride
  const Real* panels = nullptr;  ///< of a packed matrix
  std::size_t depth = 0;
  std::size_t columns = 0;
  const Real* bias = nullptr;  ///< where every row starts, filled up to whole panels; none: 0
  bool add = false;            ///< rows start with what is in y, and there is no bias
  Real* y = nullptr;
  std::size_t y_stride = 0;
};

/// Place invariance: every element is made by the same chain of products and additions over the depth, in its own order, wherever its
/// row is and however many there are. Reads and writes nothing but the rows and columns that are there, but for the filled up panels.
void multiply_rows(const RowProduct<float>& product);
void multiply_rows(const RowProduct<double>& product);

/// y = x B + bias for `rows` rows one after the other.
template <class Real>
void multiply_rows(const Real* x, std::size_t rows, std::size_t row_stride, const PackedMatrix<Real>& matrix,
                   const Real* bias, Real* y) {
  multiply_rows(RowProduct<Real>{.x = x,
                                 .rows = rows,
                                 .row_stride = row_stride,
                                 .panels = matrix.panels.get(),
                                 .depth = matrix.depth,
                                 .columns = matrix.columns,
                                 .bias = bias,
                                 .y = y,
                                 .y_stride = matrix.columns});
}

}  // namespace gauze::learn::internal
