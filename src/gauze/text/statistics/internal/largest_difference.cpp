#include "gauze/text/statistics/internal/largest_difference.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/text/statistics/internal/largest_difference.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gauze::text::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void largest_differences_of(const double* a, const double* b, std::size_t count, LargestDifferences& result) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  auto most = hn::Set(d, -std::numeric_limits<double>::infinity());
  auto least = hn::Set(d, std::numeric_limits<double>::infinity());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto difference = hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    most = hn::Max(most, difference);
    least = hn::Min(least, difference);
  }
  result.forth = hn::GetLane(hn::MaxOfLanes(d, most));
  result.back = -hn::GetLane(hn::MinOfLanes(d, least));
  for (; i < count; ++i) {
    result.forth = std::max(result.forth, a[i] - b[i]);
    result.back = std::max(result.back, b[i] - a[i]);
  }
}

}  // namespace gauze::text::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::text::internal {

HWY_EXPORT(largest_differences_of);

LargestDifferences largest_differences(const double* a, const double* b, std::size_t count) {
  LargestDifferences result;
  HWY_DYNAMIC_DISPATCH(largest_differences_of)(a, b, count, result);
  return result;
}

}  // namespace gauze::text::internal
#endif
