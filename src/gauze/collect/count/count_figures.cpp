#include "gauze/collect/count/count_figures.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/collect/count/count_figures.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace gauze::collect::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline std::int32_t figure_at(const unsigned char* place) {
  std::int32_t figure = 0;
  std::memcpy(&figure, place, sizeof figure);
  return figure;
}

/// Whether all figures are within the bound, which is not negative.
bool within(const unsigned char* payload, std::size_t size, std::int32_t bound) {
  std::size_t i = 0;
  bool good = true;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::int32_t> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  const std::size_t lanes = hn::Lanes(d);
  auto largest = hn::Zero(d);
  auto smallest = hn::Zero(d);
  for (; i + lanes <= size; i += lanes) {
    const auto figures = hn::BitCast(d, hn::LoadU(bytes, payload + 4 * i));
    largest = hn::Max(largest, figures);
    smallest = hn::Min(smallest, figures);
  }
  good = hn::AllFalse(d, hn::Or(hn::Gt(largest, hn::Set(d, bound)), hn::Lt(smallest, hn::Set(d, -bound))));
#endif
  for (; i < size; ++i) {
    const std::int32_t figure = figure_at(payload + 4 * i);
    good = good && figure >= -bound && figure <= bound;
  }
  return good;
}

void add_figures(const unsigned char* payload, std::size_t size, std::int64_t* cells) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::int64_t> d;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  const hn::Repartition<std::uint8_t, decltype(narrow)> bytes;
  const std::size_t lanes = hn::Lanes(d);
  for (; i + lanes <= size; i += lanes) {
    const auto figures = hn::PromoteTo(d, hn::BitCast(narrow, hn::LoadU(bytes, payload + 4 * i)));
    hn::StoreU(hn::Add(hn::LoadU(d, cells + i), figures), d, cells + i);
  }
#endif
  for (; i < size; ++i) cells[i] += figure_at(payload + 4 * i);
}

std::uint64_t sum_figures(std::size_t size, std::int64_t clamp, const unsigned char* payloads, std::size_t stride,
                          std::size_t count, std::int64_t* cells) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto bound = static_cast<std::int32_t>(std::clamp<std::int64_t>(clamp, 0, kMost));
  std::uint64_t rejected = 0;
  for (std::size_t i = 0; i < count; ++i, payloads += stride) {
    if (within(payloads, size, bound))
      add_figures(payloads, size, cells);
    else
      ++rejected;
  }
  return rejected;
}

}  // namespace gauze::collect::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::collect {

HWY_EXPORT(sum_figures);

std::uint64_t count_figures(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                            std::size_t count, std::span<std::int64_t> cells) {
  return HWY_DYNAMIC_DISPATCH(sum_figures)(shape.size, shape.clamp, payloads, stride, count, cells.data());
}

std::uint64_t count_figure(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                           std::size_t count, std::span<std::int64_t> cells) {
  std::uint64_t rejected = 0;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i, payloads += stride) {
    std::int32_t figure = 0;
    std::memcpy(&figure, payloads, sizeof figure);
    if (figure < -shape.clamp || figure > shape.clamp)
      ++rejected;
    else
      sum += figure;
  }
  cells[0] += sum;
  return rejected;
}

}  // namespace gauze::collect
#endif
