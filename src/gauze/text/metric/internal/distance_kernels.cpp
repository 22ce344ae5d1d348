#include "gauze/text/metric/internal/distance_kernels.h"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/text/metric/internal/distance_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gauze::text::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t squared_distance_of(const std::int32_t* a, const std::int32_t* b, std::size_t dimensions) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  auto first = hn::Zero(d);  // two sums, so that one addition need not wait for the other
  auto second = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= dimensions; i += 2 * lanes) {
    const auto here = hn::PromoteTo(d, hn::Sub(hn::LoadU(narrow, a + i), hn::LoadU(narrow, b + i)));
    const auto next = hn::PromoteTo(d, hn::Sub(hn::LoadU(narrow, a + i + lanes), hn::LoadU(narrow, b + i + lanes)));
    first = hn::MulAdd(here, here, first);
    second = hn::MulAdd(next, next, second);
  }
  auto sum = static_cast<std::uint64_t>(hn::GetLane(hn::SumOfLanes(d, hn::Add(first, second))));
  for (; i < dimensions; ++i) {
    const std::int64_t difference = std::int64_t{a[i]} - b[i];
    sum += static_cast<std::uint64_t>(difference * difference);
  }
  return sum;
}

void granules_of(const double* products, std::size_t columns, double row_norm, const double* column_norms,
                 double unit, double cap, std::uint32_t* out) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const auto norm = hn::Set(d, row_norm);
  const auto minus_two = hn::Set(d, -2.0);
  const auto units = hn::Set(d, unit);
  const auto most = hn::Set(d, cap);
  std::size_t c = 0;
  for (; c + lanes <= columns; c += lanes) {
    const auto sum = hn::Add(norm, hn::LoadU(d, column_norms + c));
    const auto squared = hn::MulAdd(minus_two, hn::LoadU(d, products + c), sum);
    const auto granules = hn::Min(hn::Ceil(hn::Mul(hn::Sqrt(squared), units)), most);
    hn::StoreU(hn::DemoteTo(narrow, granules), narrow, reinterpret_cast<std::int32_t*>(out) + c);
  }
  for (; c < columns; ++c) {
    const double squared = row_norm + column_norms[c] - 2 * products[c];
    out[c] = static_cast<std::uint32_t>(std::fmin(std::ceil(std::sqrt(squared) * unit), cap));
  }
}

float smallest_of(const float* products, const float* half_norms, std::size_t columns) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto smallest = hn::Set(d, std::numeric_limits<float>::infinity());
  std::size_t c = 0;
  for (; c + lanes <= columns; c += lanes) {
    smallest = hn::Min(smallest, hn::Sub(hn::LoadU(d, half_norms + c), hn::LoadU(d, products + c)));
  }
  float result = hn::GetLane(hn::MinOfLanes(d, smallest));
  for (; c < columns; ++c) result = std::fmin(result, half_norms[c] - products[c]);
  return result;
}

}  // namespace gauze::text::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::text::internal {

HWY_EXPORT(squared_distance_of);
HWY_EXPORT(granules_of);
HWY_EXPORT(smallest_of);

std::uint64_t squared_distance(const std::int32_t* a, const std::int32_t* b, std::size_t dimensions) {
  return HWY_DYNAMIC_DISPATCH(squared_distance_of)(a, b, dimensions);
}

void granules_of_products(const double* products, std::size_t columns, double row_norm, const double* column_norms,
                          int shift, std::uint32_t cap, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(granules_of)(products, columns, row_norm, column_norms, std::ldexp(1.0, -shift), cap, out);
}

float smallest_score(const float* products, const float* half_norms, std::size_t columns) {
  return HWY_DYNAMIC_DISPATCH(smallest_of)(products, half_norms, columns);
}

}  // namespace gauze::text::internal
#endif
