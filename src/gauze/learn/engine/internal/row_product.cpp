#include "gauze/learn/engine/internal/row_product.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/learn/engine/internal/row_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

HWY_BEFORE_NAMESPACE();
namespace gauze::learn::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kRowsAtATime = 16 * kRowBlock;  // their numbers stay in the nearest caches while panels pass by

/// Where the rows of a block are, and where they start and end. Rows that are not there are those of the last one: they are written
/// first, and written over.
template <class T>
struct Block {
  const T* x[kRowBlock];
  const T* from[kRowBlock];
  T* to[kRowBlock];
};

/// kRowBlock rows by one or two vectors of columns.
template <bool kTwo, class T>
HWY_INLINE void multiply_block(const Block<T>& block, std::size_t depth, std::size_t depth_stride, const T* b) {
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t second = kTwo ? lanes : 0;
  const T* const x0 = block.x[0];
  const T* const x1 = block.x[1];
  const T* const x2 = block.x[2];
  const T* const x3 = block.x[3];
  const T* const x4 = block.x[4];
  const T* const x5 = block.x[5];
  auto a0 = hn::LoadU(d, block.from[0]), b0 = hn::LoadU(d, block.from[0] + second);
  auto a1 = hn::LoadU(d, block.from[1]), b1 = hn::LoadU(d, block.from[1] + second);
  auto a2 = hn::LoadU(d, block.from[2]), b2 = hn::LoadU(d, block.from[2] + second);
  auto a3 = hn::LoadU(d, block.from[3]), b3 = hn::LoadU(d, block.from[3] + second);
  auto a4 = hn::LoadU(d, block.from[4]), b4 = hn::LoadU(d, block.from[4] + second);
  auto a5 = hn::LoadU(d, block.from[5]), b5 = hn::LoadU(d, block.from[5] + second);
  for (std::size_t k = 0, i = 0; k < depth; ++k, i += depth_stride, b += kPanelWidth<T>) {
    const auto left = hn::LoadU(d, b);
    const auto right = hn::LoadU(d, b + second);
    auto x = hn::Set(d, x0[i]);
    a0 = hn::MulAdd(x, left, a0);
    if constexpr (kTwo) b0 = hn::MulAdd(x, right, b0);
    x = hn::Set(d, x1[i]);
    a1 = hn::MulAdd(x, left, a1);
    if constexpr (kTwo) b1 = hn::MulAdd(x, right, b1);
    x = hn::Set(d, x2[i]);
    a2 = hn::MulAdd(x, left, a2);
    if constexpr (kTwo) b2 = hn::MulAdd(x, right, b2);
    x = hn::Set(d, x3[i]);
    a3 = hn::MulAdd(x, left, a3);
    if constexpr (kTwo) b3 = hn::MulAdd(x, right, b3);
    x = hn::Set(d, x4[i]);
    a4 = hn::MulAdd(x, left, a4);
    if constexpr (kTwo) b4 = hn::MulAdd(x, right, b4);
    x = hn::Set(d, x5[i]);
    a5 = hn::MulAdd(x, left, a5);
    if constexpr (kTwo) b5 = hn::MulAdd(x, right, b5);
  }
  hn::StoreU(a5, d, block.to[5]);
  if constexpr (kTwo) hn::StoreU(b5, d, block.to[5] + second);
  hn::StoreU(a4, d, block.to[4]);
  if constexpr (kTwo) hn::StoreU(b4, d, block.to[4] + second);
  hn::StoreU(a3, d, block.to[3]);
  if constexpr (kTwo) hn::StoreU(b3, d, block.to[3] + second);
  hn::StoreU(a2, d, block.to[2]);
  if constexpr (kTwo) hn::StoreU(b2, d, block.to[2] + second);
  hn::StoreU(a1, d, block.to[1]);
  if constexpr (kTwo) hn::StoreU(b1, d, block.to[1] + second);
  hn::StoreU(a0, d, block.to[0]);
  if constexpr (kTwo) hn::StoreU(b0, d, block.to[0] + second);
}

/// One block of rows by the columns from `column` on, at most two vectors of them.
template <class T>
HWY_INLINE void multiply_columns(const RowProduct<T>& p, std::size_t row, std::size_t column, const T* b) {
  const std::size_t lanes = hn::Lanes(hn::CappedTag<T, 64 / sizeof(T)>());
  const std::size_t last = std::min(kRowBlock, p.rows - row) - 1;
  const std::size_t here = std::min(2 * lanes, p.columns - column);
  const bool whole = here == lanes || here == 2 * lanes;
  const std::size_t block_stride = p.block_stride == 0 ? kRowBlock * p.row_stride : p.block_stride;
  const T* const x = p.x + row / kRowBlock * block_stride;
  T* const y = p.y + row * p.y_stride + column;
  HWY_ALIGN static constexpr std::array<T, kPanelWidth<T>> kZeros{};
  HWY_ALIGN T tile[kRowBlock][kPanelWidth<T>];  // where less than whole vectors are there
  Block<T> block;
  for (std::size_t r = 0; r < kRowBlock; ++r) {
    const std::size_t place = std::min(r, last);
    block.x[r] = x + place * p.row_stride;
    block.to[r] = whole ? y + place * p.y_stride : tile[place];
    block.from[r] = p.add ? block.to[r] : p.bias != nullptr ? p.bias + column : kZeros.data();
    if (!whole && p.add && r == place) {
      for (std::size_t j = 0; j < kPanelWidth<T>; ++j) tile[r][j] = j < here ? y[r * p.y_stride + j] : T{0};
    }
  }
  if (here > lanes) {
    multiply_block<true, T>(block, p.depth, p.depth_stride, b);
  } else {
    multiply_block<false, T>(block, p.depth, p.depth_stride, b);
  }
  if (whole) return;
  for (std::size_t r = 0; r <= last; ++r) {
    for (std::size_t j = 0; j < here; ++j) y[r * p.y_stride + j] = tile[r][j];
  }
}

template <class T>
HWY_INLINE void multiply(const RowProduct<T>& p) {
  const std::size_t step = 2 * hn::Lanes(hn::CappedTag<T, 64 / sizeof(T)>());
  for (std::size_t first = 0; first < p.rows; first += kRowsAtATime) {
    const std::size_t end = std::min(p.rows, first + kRowsAtATime);
    for (std::size_t column = 0; column < p.columns; column += step) {
      const T* const b = p.panels + column / kPanelWidth<T> * kPanelWidth<T> * p.depth + column % kPanelWidth<T>;
      for (std::size_t row = first; row < end; row += kRowBlock) multiply_columns(p, row, column, b);
    }
  }
}

void multiply_floats(const RowProduct<float>& product) { multiply(product); }
void multiply_doubles(const RowProduct<double>& product) { multiply(product); }

}  // namespace gauze::learn::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::learn::internal {

HWY_EXPORT(multiply_floats);
HWY_EXPORT(multiply_doubles);

void multiply_rows(const RowProduct<float>& product) { HWY_DYNAMIC_DISPATCH(multiply_floats)(product); }
void multiply_rows(const RowProduct<double>& product) { HWY_DYNAMIC_DISPATCH(multiply_doubles)(product); }

template <class Real>
void pack_panels(const Real* from, std::size_t depth, std::size_t columns, std::size_t depth_stride,
                 std::size_t column_stride, Real* panels) {
  constexpr std::size_t kWidth = kPanelWidth<Real>;
  for (std::size_t first = 0; first < columns; first += kWidth, panels += kWidth * depth) {
    const std::size_t here = std::min(kWidth, columns - first);
    const Real* const start = from + first * column_stride;
    if (column_stride == 1) {
      for (std::size_t k = 0; k < depth; ++k) std::copy_n(start + k * depth_stride, here, panels + k * kWidth);
    } else {
      for (std::size_t j = 0; j < here; ++j) {
        const Real* const column = start + j * column_stride;
        for (std::size_t k = 0; k < depth; ++k) panels[k * kWidth + j] = column[k * depth_stride];
      }
    }
  }
}

template void pack_panels(const float*, std::size_t, std::size_t, std::size_t, std::size_t, float*);
template void pack_panels(const double*, std::size_t, std::size_t, std::size_t, std::size_t, double*);

}  // namespace gauze::learn::internal
#endif
