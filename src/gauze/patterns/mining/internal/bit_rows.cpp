#include "gauze/patterns/mining/internal/bit_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/patterns/mining/internal/bit_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gauze::patterns::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t intersect(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out, std::size_t words) {
  const hn::CappedTag<std::uint64_t, kWordsAligned> d;
  const std::size_t lanes = hn::Lanes(d);
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < words; i += lanes) {
    const auto both = hn::And(hn::Load(d, a + i), hn::Load(d, b + i));
    hn::Store(both, d, out + i);
    sum = hn::Add(sum, hn::PopulationCount(both));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

IntersectCount find_intersect() { return &intersect; }

}  // namespace gauze::patterns::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::patterns::internal {

HWY_EXPORT(find_intersect);

IntersectCount intersect_count() { return HWY_DYNAMIC_DISPATCH(find_intersect)(); }

}  // namespace gauze::patterns::internal
#endif
