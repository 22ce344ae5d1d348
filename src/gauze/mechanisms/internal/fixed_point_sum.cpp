#include "gauze/mechanisms/internal/fixed_point_sum.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/mechanisms/internal/fixed_point_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gauze::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Adding 1.5 * 2^52 to a number below 2^51 in size leaves its nearest integer in the low bits of the result.
constexpr double kShifter = 0x1.8p52;

std::int64_t block_sum(const double* values, std::size_t count, const FixedPoint& how) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto scale = hn::Set(d, how.scale);
  const auto lower = hn::Set(d, how.lower);
  const auto upper = hn::Set(d, how.upper);
  const auto if_nan = hn::Set(d, how.if_nan);
  const auto shifter = hn::Set(d, kShifter);
  const auto shifter_bits = hn::BitCast(di, shifter);

  const auto convert = [&](auto v) HWY_ATTR {
    v = hn::Mul(v, scale);
    v = hn::IfThenElse(hn::IsNaN(v), if_nan, v);
    v = hn::Min(hn::Max(v, lower), upper);
    return hn::Sub(hn::BitCast(di, hn::Add(v, shifter)), shifter_bits);
  };

  const std::size_t lanes = hn::Lanes(d);
  auto first = hn::Zero(di);
  auto second = hn::Zero(di);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    first = hn::Add(first, convert(hn::LoadU(d, values + i)));
    second = hn::Add(second, convert(hn::LoadU(d, values + i + lanes)));
  }
  std::int64_t sum = hn::GetLane(hn::SumOfLanes(di, hn::Add(first, second)));
  for (; i < count; ++i) sum += hn::GetLane(convert(hn::Set(d, values[i])));
  return sum;
}

}  // namespace gauze::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::internal {

HWY_EXPORT(block_sum);

std::int64_t fixed_point_block_sum(std::span<const double> values, const FixedPoint& how) {
  return HWY_DYNAMIC_DISPATCH(block_sum)(values.data(), values.size(), how);
}

}  // namespace gauze::internal
#endif
