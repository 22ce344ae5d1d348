#include "gauze/text/statistics/internal/near_pairs.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/text/statistics/internal/near_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gauze::text::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::size_t find_near_in(const std::uint32_t* granules, std::size_t first, std::size_t columns, const PairTest& row,
                         const ColumnTests& tests, std::size_t contests, std::uint16_t* found) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> whole;  // granules are below 2^31
  const std::size_t lanes = hn::Lanes(d);
  const auto row_near = hn::Set(d, row.near);
  std::size_t count = 0;
  std::size_t c = first;
  for (; c + lanes <= columns; c += lanes) {
    const auto k = hn::ConvertTo(d, hn::LoadU(whole, reinterpret_cast<const std::int32_t*>(granules) + c));
    auto bound = hn::Max(row_near, hn::LoadU(d, tests.near + c));
    for (std::size_t j = 0; j < contests; ++j) {
      const auto forth = hn::Sub(hn::Set(d, row.score[j]), hn::LoadU(d, tests.best[j] + c));
      const auto back = hn::Sub(hn::LoadU(d, tests.score[j] + c), hn::Set(d, row.best[j]));
      bound = hn::Max(bound, hn::Max(forth, back));
    }
    const auto hit = hn::Le(k, bound);
    if (hn::AllFalse(d, hit)) continue;
    std::array<std::uint8_t, 8> bits{};
    hn::StoreMaskBits(d, hit, bits.data());
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if ((bits[lane / 8] >> (lane % 8) & 1) != 0) found[count++] = static_cast<std::uint16_t>(c + lane);
  }
  for (; c < columns; ++c) {
    float bound = std::max(row.near, tests.near[c]);
    for (std::size_t j = 0; j < contests; ++j)
      bound = std::max({bound, row.score[j] - tests.best[j][c], tests.score[j][c] - row.best[j]});
    if (static_cast<float>(granules[c]) <= bound) found[count++] = static_cast<std::uint16_t>(c);
  }
  return count;
}

}  // namespace gauze::text::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::text::internal {

HWY_EXPORT(find_near_in);

std::size_t find_near(const std::uint32_t* granules, std::size_t first, std::size_t columns, const PairTest& row,
                      const ColumnTests& tests, std::size_t contests, std::uint16_t* found) {
  return HWY_DYNAMIC_DISPATCH(find_near_in)(granules, first, columns, row, tests, contests, found);
}

}  // namespace gauze::text::internal
#endif
