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
HWY_INLINE void widen_one(const T* row, std::size_t size, double factor, double* to, double* sum) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, factor);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto x = hn::Mul(scale, wide(row + i));
    hn::StoreU(x, d, to + i);
    if (sum != nullptr) hn::StoreU(hn::Add(hn::LoadU(d, sum + i), x), d, sum + i);
  }
  for (; i < size; ++i) {
    to[i] = factor * row[i];
    if (sum != nullptr) sum[i] += to[i];
  }
}

template <class T>
HWY_INLINE void widen_panels(const T* row, std::size_t size, const double* scales, double* to,
                             std::size_t panel_stride) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t first = 0; first < size; first += kPanelWidth<double>, to += panel_stride) {
    const std::size_t here = std::min(kPanelWidth<double>, size - first);
    std::size_t i = 0;
    for (; i + lanes <= here; i += lanes) {
      auto x = wide(row + first + i);
      if (scales != nullptr) x = hn::Mul(x, hn::LoadU(d, scales + first + i));
      hn::StoreU(x, d, to + i);
    }
    for (; i < here; ++i) to[i] = scales == nullptr ? row[first + i] : row[first + i] * scales[first + i];
  }
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
void widen_floats(const float* row, std::size_t size, double factor, double* to, double* sum) {
  widen_one(row, size, factor, to, sum);
}
void widen_doubles(const double* row, std::size_t size, double factor, double* to, double* sum) {
  widen_one(row, size, factor, to, sum);
}
void panels_of_floats(const float* row, std::size_t size, const double* scales, double* to,
                      std::size_t panel_stride) {
  widen_panels(row, size, scales, to, panel_stride);
}
void panels_of_doubles(const double* row, std::size_t size, const double* scales, double* to,
                       std::size_t panel_stride) {
  widen_panels(row, size, scales, to, panel_stride);
}
double two_floats(const float* x, const float* y, std::size_t size) { return norm_of_two(x, y, size); }
double two_doubles(const double* x, const double* y, std::size_t size) { return norm_of_two(x, y, size); }
void add_two_floats(const float* x, const float* y, std::size_t size, double factor, double* sum) {
  add_two(x, y, size, factor, sum);
}
void add_two_doubles(const double* x, const double* y, std::size_t size, double factor, double* sum) {
  add_two(x, y, size, factor, sum);
}
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

HWY_EXPORT(widen_floats);
HWY_EXPORT(widen_doubles);
void widen_row(const float* row, std::size_t size, double factor, double* to, double* sum) {
  HWY_DYNAMIC_DISPATCH(widen_floats)(row, size, factor, to, sum);
}
void widen_row(const double* row, std::size_t size, double factor, double* to, double* sum) {
  HWY_DYNAMIC_DISPATCH(widen_doubles)(row, size, factor, to, sum);
}

HWY_EXPORT(panels_of_floats);
HWY_EXPORT(panels_of_doubles);
void widen_into_panels(const float* row, std::size_t size, const double* scales, double* to,
                       std::size_t panel_stride) {
  HWY_DYNAMIC_DISPATCH(panels_of_floats)(row, size, scales, to, panel_stride);
}
void widen_into_panels(const double* row, std::size_t size, const double* scales, double* to,
                       std::size_t panel_stride) {
  HWY_DYNAMIC_DISPATCH(panels_of_doubles)(row, size, scales, to, panel_stride);
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
