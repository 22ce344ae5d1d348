#include "gauze/learn/engine/internal/wide_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/learn/engine/internal/wide_rows.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>

#include "gauze/learn/engine/internal/row_product.h"
#include "gauze/learn/engine/internal/row_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace gauze::learn::internal::HWY_NAMESPACE {

using Wide = Tag<double>;

HWY_INLINE Vec<double> wide(const double* from) { return hn::LoadU(Wide(), from); }
HWY_INLINE Vec<double> wide(const float* from) {
  const Wide d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Wide>(), from));
}

template <class T>
HWY_INLINE double norm_of(const T* row, std::size_t size, const double* scales) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  auto first = hn::Zero(d);
  auto second = hn::Zero(d);
  std::size_t i = 0;
  if (scales == nullptr) {
    for (; i + 2 * lanes <= size; i += 2 * lanes) {
      const auto x = wide(row + i);
      const auto y = wide(row + i + lanes);
      first = hn::MulAdd(x, x, first);
      second = hn::MulAdd(y, y, second);
    }
  } else {
    for (; i + lanes <= size; i += lanes) {
      const auto x = hn::Mul(wide(row + i), hn::LoadU(d, scales + i));
      first = hn::MulAdd(x, x, first);
    }
  }
  double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(first, second)));
  for (; i < size; ++i) {
    const double x = scales == nullptr ? row[i] : row[i] * scales[i];
    sum += x * x;
  }
  return sum;
}

template <class T>
HWY_INLINE void add_norms_of(const Run<T>& run, const double* scales, double* norms) {
  for (std::size_t t = 0; t < run.count; ++t) norms[t] += norm_of(run.first + t * run.stride, run.size, scales);
}

template <class T>
HWY_INLINE void widen_one(const T* row, std::size_t size, const double* scales, double* to) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    auto x = wide(row + i);
    if (scales != nullptr) x = hn::Mul(x, hn::LoadU(d, scales + i));
    hn::StoreU(x, d, to + i);
  }
  for (; i < size; ++i) to[i] = scales == nullptr ? row[i] : row[i] * scales[i];
}

template <class T>
HWY_INLINE void widen_all(const Run<T>& run, const double* scales, double* to, std::size_t to_stride) {
  for (std::size_t t = 0; t < run.count; ++t)
    widen_one(run.first + t * run.stride, run.size, scales, to + t * to_stride);
}

template <class T>
HWY_INLINE void widen_panels(const Run<T>& run, const double* scales, double* to, std::size_t panel_stride) {
  constexpr std::size_t kWidth = kPanelWidth<double>;
  for (std::size_t first = 0; first < run.size; first += kWidth, to += panel_stride) {
    const std::size_t here = std::min(kWidth, run.size - first);
    for (std::size_t t = 0; t < run.count; ++t)
      widen_one(run.first + t * run.stride + first, here, scales == nullptr ? nullptr : scales + first,
                to + t * kWidth);
  }
}

template <class T>
HWY_INLINE void widen_blocks(const Run<T>& run, double factor, double* to, std::size_t block_stride, double* tile,
                             double* sum) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, factor);
  for (std::size_t t = 0; t < run.count; ++t) {
    const T* const row = run.first + t * run.stride;
    std::size_t i = 0;
    for (; i + lanes <= run.size; i += lanes) {
      const auto x = hn::Mul(scale, wide(row + i));
      hn::StoreU(x, d, tile + i);
      if (sum != nullptr) hn::StoreU(hn::Add(hn::LoadU(d, sum + i), x), d, sum + i);
    }
    for (; i < run.size; ++i) {
      tile[i] = factor * row[i];
      if (sum != nullptr) sum[i] += tile[i];
    }
    double* block = to + t * kRowBlock;
    for (i = 0; i + kRowBlock <= run.size; i += kRowBlock, block += block_stride)
      for (std::size_t j = 0; j < kRowBlock; ++j) block[j] = tile[i + j];
    for (std::size_t j = 0; i + j < run.size; ++j) block[j] = tile[i + j];
  }
}

/// products[i][j] = vectors i of x times vectors j of y, for 2 of one and 4 of the other.
struct GramBlock {
  double products[2][4];
};
HWY_INLINE void multiply_gram_block(const double* const* x, const double* const* y, std::size_t size,
                                    GramBlock& block) {
  const Wide d;
  auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0;
  auto b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  for (std::size_t k = 0; k < size; k += hn::Lanes(d)) {
    const auto first = hn::LoadU(d, x[0] + k);
    const auto second = hn::LoadU(d, x[1] + k);
    auto other = hn::LoadU(d, y[0] + k);
    a0 = hn::MulAdd(first, other, a0);
    b0 = hn::MulAdd(second, other, b0);
    other = hn::LoadU(d, y[1] + k);
    a1 = hn::MulAdd(first, other, a1);
    b1 = hn::MulAdd(second, other, b1);
    other = hn::LoadU(d, y[2] + k);
    a2 = hn::MulAdd(first, other, a2);
    b2 = hn::MulAdd(second, other, b2);
    other = hn::LoadU(d, y[3] + k);
    a3 = hn::MulAdd(first, other, a3);
    b3 = hn::MulAdd(second, other, b3);
  }
  block.products[0][0] = hn::GetLane(hn::SumOfLanes(d, a0));
  block.products[0][1] = hn::GetLane(hn::SumOfLanes(d, a1));
  block.products[0][2] = hn::GetLane(hn::SumOfLanes(d, a2));
  block.products[0][3] = hn::GetLane(hn::SumOfLanes(d, a3));
  block.products[1][0] = hn::GetLane(hn::SumOfLanes(d, b0));
  block.products[1][1] = hn::GetLane(hn::SumOfLanes(d, b1));
  block.products[1][2] = hn::GetLane(hn::SumOfLanes(d, b2));
  block.products[1][3] = hn::GetLane(hn::SumOfLanes(d, b3));
}

double gram_products(const double* a, std::size_t a_size, const double* b, std::size_t b_size, std::size_t count) {
  double sum = 0;
  for (std::size_t t = 0; t < count; t += 2) {
    for (std::size_t s = t; s < count; s += 4) {  // pairs once, for both orders
      const double* a_rows[2];
      const double* b_rows[2];
      const double* a_others[4];
      const double* b_others[4];
      for (std::size_t i = 0; i < 2; ++i) {
        a_rows[i] = a + std::min(t + i, count - 1) * a_size;
        b_rows[i] = b + std::min(t + i, count - 1) * b_size;
      }
      for (std::size_t j = 0; j < 4; ++j) {
        a_others[j] = a + std::min(s + j, count - 1) * a_size;
        b_others[j] = b + std::min(s + j, count - 1) * b_size;
      }
      GramBlock of_a, of_b;
      multiply_gram_block(a_rows, a_others, a_size, of_a);
      multiply_gram_block(b_rows, b_others, b_size, of_b);
      for (std::size_t i = 0; i < 2 && t + i < count; ++i) {
        for (std::size_t j = 0; j < 4 && s + j < count; ++j) {
          if (s + j < t + i) continue;
          const double product = of_a.products[i][j] * of_b.products[i][j];
          sum += s + j == t + i ? product : 2 * product;
        }
      }
    }
  }
  return sum;
}

template <class T>
HWY_INLINE void add_one(const T* row, std::size_t size, double factor, double* sum) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, factor);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(d, sum + i), hn::Mul(scale, wide(row + i))), d, sum + i);
  }
  for (; i < size; ++i) sum[i] += factor * row[i];
}

template <class T>
HWY_INLINE void add_run(const Run<T>& run, double factor, double* sum) {
  for (std::size_t t = 0; t < run.count; ++t) add_one(run.first + t * run.stride, run.size, factor, sum);
}

template <class T>
HWY_INLINE double norm_of_two(const T* x, const T* y, std::size_t size) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  auto total = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto product = hn::Mul(wide(x + i), wide(y + i));
    total = hn::MulAdd(product, product, total);
  }
  double sum = hn::GetLane(hn::SumOfLanes(d, total));
  for (; i < size; ++i) {
    const double product = static_cast<double>(x[i]) * static_cast<double>(y[i]);
    sum += product * product;
  }
  return sum;
}

template <class T>
HWY_INLINE void add_two(const T* x, const T* y, std::size_t size, double factor, double* sum) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, factor);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto product = hn::Mul(wide(x + i), wide(y + i));
    hn::StoreU(hn::Add(hn::LoadU(d, sum + i), hn::Mul(scale, product)), d, sum + i);
  }
  for (; i < size; ++i) sum[i] += factor * (static_cast<double>(x[i]) * static_cast<double>(y[i]));
}

double products_of(const double* x, const double* y, std::size_t size) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  auto total = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) total = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), total);
  double sum = hn::GetLane(hn::SumOfLanes(d, total));
  for (; i < size; ++i) sum += x[i] * y[i];
  return sum;
}

double norm_of_floats(const float* row, std::size_t size, const double* scales) { return norm_of(row, size, scales); }
double norm_of_doubles(const double* row, std::size_t size, const double* scales) {
  return norm_of(row, size, scales);
}
void add_norms_floats(const Run<float>& run, const double* scales, double* norms) {
  add_norms_of(run, scales, norms);
}
void add_norms_doubles(const Run<double>& run, const double* scales, double* norms) {
  add_norms_of(run, scales, norms);
}
void widen_floats(const Run<float>& run, const double* scales, double* to, std::size_t to_stride) {
  widen_all(run, scales, to, to_stride);
}
void widen_doubles(const Run<double>& run, const double* scales, double* to, std::size_t to_stride) {
  widen_all(run, scales, to, to_stride);
}
void panels_of_floats(const Run<float>& run, const double* scales, double* to, std::size_t panel_stride) {
  widen_panels(run, scales, to, panel_stride);
}
void panels_of_doubles(const Run<double>& run, const double* scales, double* to, std::size_t panel_stride) {
  widen_panels(run, scales, to, panel_stride);
}
void blocks_of_floats(const Run<float>& run, double factor, double* to, std::size_t block_stride, double* tile,
                      double* sum) {
  widen_blocks(run, factor, to, block_stride, tile, sum);
}
void blocks_of_doubles(const Run<double>& run, double factor, double* to, std::size_t block_stride, double* tile,
                       double* sum) {
  widen_blocks(run, factor, to, block_stride, tile, sum);
}
double two_floats(const float* x, const float* y, std::size_t size) { return norm_of_two(x, y, size); }
double two_doubles(const double* x, const double* y, std::size_t size) { return norm_of_two(x, y, size); }
void add_two_floats(const float* x, const float* y, std::size_t size, double factor, double* sum) {
  add_two(x, y, size, factor, sum);
}
void add_two_doubles(const double* x, const double* y, std::size_t size, double factor, double* sum) {
  add_two(x, y, size, factor, sum);
}
void add_run_floats(const Run<float>& run, double factor, double* sum) { add_run(run, factor, sum); }
void add_run_doubles(const Run<double>& run, double factor, double* sum) { add_run(run, factor, sum); }
void add_floats(const float* row, std::size_t size, double factor, double* sum) { add_one(row, size, factor, sum); }
void add_doubles(const double* row, std::size_t size, double factor, double* sum) { add_one(row, size, factor, sum); }

}  // namespace gauze::learn::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::learn::internal {

HWY_EXPORT(norm_of_floats);
HWY_EXPORT(norm_of_doubles);
double squared_norm(const float* row, std::size_t size, const double* scales) {
  return HWY_DYNAMIC_DISPATCH(norm_of_floats)(row, size, scales);
}
double squared_norm(const double* row, std::size_t size, const double* scales) {
  return HWY_DYNAMIC_DISPATCH(norm_of_doubles)(row, size, scales);
}

HWY_EXPORT(add_norms_floats);
HWY_EXPORT(add_norms_doubles);
void add_squared_norms_of(const Run<float>& run, const double* scales, double* norms) {
  HWY_DYNAMIC_DISPATCH(add_norms_floats)(run, scales, norms);
}
void add_squared_norms_of(const Run<double>& run, const double* scales, double* norms) {
  HWY_DYNAMIC_DISPATCH(add_norms_doubles)(run, scales, norms);
}

HWY_EXPORT(widen_floats);
HWY_EXPORT(widen_doubles);
void widen(const Run<float>& run, const double* scales, double* to, std::size_t to_stride) {
  HWY_DYNAMIC_DISPATCH(widen_floats)(run, scales, to, to_stride);
}
void widen(const Run<double>& run, const double* scales, double* to, std::size_t to_stride) {
  HWY_DYNAMIC_DISPATCH(widen_doubles)(run, scales, to, to_stride);
}

HWY_EXPORT(panels_of_floats);
HWY_EXPORT(panels_of_doubles);
void widen_into_panels(const Run<float>& run, const double* scales, double* to, std::size_t panel_stride) {
  HWY_DYNAMIC_DISPATCH(panels_of_floats)(run, scales, to, panel_stride);
}
void widen_into_panels(const Run<double>& run, const double* scales, double* to, std::size_t panel_stride) {
  HWY_DYNAMIC_DISPATCH(panels_of_doubles)(run, scales, to, panel_stride);
}

HWY_EXPORT(blocks_of_floats);
HWY_EXPORT(blocks_of_doubles);
void widen_into_blocks(const Run<float>& run, double factor, double* to, std::size_t block_stride, double* tile,
                       double* sum) {
  HWY_DYNAMIC_DISPATCH(blocks_of_floats)(run, factor, to, block_stride, tile, sum);
}
void widen_into_blocks(const Run<double>& run, double factor, double* to, std::size_t block_stride, double* tile,
                       double* sum) {
  HWY_DYNAMIC_DISPATCH(blocks_of_doubles)(run, factor, to, block_stride, tile, sum);
}

HWY_EXPORT(gram_products);
double sum_of_gram_products(const double* a, std::size_t a_size, const double* b, std::size_t b_size,
                            std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(gram_products)(a, a_size, b, b_size, count);
}

HWY_EXPORT(add_run_floats);
HWY_EXPORT(add_run_doubles);
void add_rows(const Run<float>& run, double factor, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_run_floats)(run, factor, sum);
}
void add_rows(const Run<double>& run, double factor, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_run_doubles)(run, factor, sum);
}

HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);
void add_row(const float* row, std::size_t size, double factor, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_floats)(row, size, factor, sum);
}
void add_row(const double* row, std::size_t size, double factor, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_doubles)(row, size, factor, sum);
}

HWY_EXPORT(two_floats);
HWY_EXPORT(two_doubles);
double squared_norm_of_products(const float* x, const float* y, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(two_floats)(x, y, size);
}
double squared_norm_of_products(const double* x, const double* y, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(two_doubles)(x, y, size);
}

HWY_EXPORT(add_two_floats);
HWY_EXPORT(add_two_doubles);
void add_products(const float* x, const float* y, std::size_t size, double factor, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_two_floats)(x, y, size, factor, sum);
}
void add_products(const double* x, const double* y, std::size_t size, double factor, double* sum) {
  HWY_DYNAMIC_DISPATCH(add_two_doubles)(x, y, size, factor, sum);
}

HWY_EXPORT(products_of);
double sum_of_products(const double* x, const double* y, std::size_t size) {
  return HWY_DYNAMIC_DISPATCH(products_of)(x, y, size);
}

}  // namespace gauze::learn::internal
#endif
