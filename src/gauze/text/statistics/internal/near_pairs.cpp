#include "gauze/text/statistics/internal/near_pairs.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/text/statistics/internal/near_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gauze::text::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::size_t find_near_in(const float* squared, std::size_t first, std::size_t columns, float error,
                         const PairTest& row, const ColumnTests& tests, std::size_t contests, std::uint16_t* found) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto errors = hn::Set(d, error);
  const auto row_near = hn::Set(d, row.near);
  const auto zero = hn::Zero(d);
  std::size_t count = 0;
  std::size_t c = first;
  for (; c + lanes <= columns; c += lanes) {
    const auto s = hn::Sub(hn::LoadU(d, squared + c), errors);
    auto hit = hn::Le(s, hn::Max(row_near, hn::LoadU(d, tests.near + c)));
    for (std::size_t j = 0; j < contests; ++j) {
      const auto forth = hn::Sub(hn::Set(d, row.score[j]), hn::LoadU(d, tests.best[j] + c));
      const auto back = hn::Sub(hn::LoadU(d, tests.score[j] + c), hn::Set(d, row.best[j]));
      const auto t = hn::Max(hn::Max(forth, back), zero);
      hit = hn::Or(hit, hn::And(hn::Gt(t, zero), hn::Le(s, hn::Mul(t, t))));
    }
    if (hn::AllFalse(d, hit)) continue;
    std::array<std::uint8_t, 8> bits{};
    hn::StoreMaskBits(d, hit, bits.data());
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if ((bits[lane / 8] >> (lane % 8) & 1) != 0) found[count++] = static_cast<std::uint16_t>(c + lane);
  }
  for (; c < columns; ++c) {
    const float s = squared[c] - error;
    bool hit = s <= std::max(row.near, tests.near[c]);
    for (std::size_t j = 0; j < contests; ++j) {
      const float t = std::max(row.score[j] - tests.best[j][c], tests.score[j][c] - row.best[j]);
      hit = hit || (t > 0 && s <= t * t);
    }
    if (hit) found[count++] = static_cast<std::uint16_t>(c);
  }
  return count;
}

}  // namespace gauze::text::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::text::internal {

HWY_EXPORT(find_near_in);

std::size_t find_near(const float* squared, std::size_t first, std::size_t columns, float error, const PairTest& row,
                      const ColumnTests& tests, std::size_t contests, std::uint16_t* found) {
  return HWY_DYNAMIC_DISPATCH(find_near_in)(squared, first, columns, error, row, tests, contests, found);
}

}  // namespace gauze::text::internal
#endif
