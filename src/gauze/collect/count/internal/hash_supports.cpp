#include "gauze/collect/count/internal/hash_supports.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/collect/count/internal/hash_supports.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "gauze/collect/count/count_hashes.h"

HWY_BEFORE_NAMESPACE();
namespace gauze::collect::internal::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

/// Value by value, by the same differences as below.
void add_all(std::span<const HashedReport> reports, std::span<std::int64_t> cells) {
  const auto sum = [](std::uint32_t x, std::uint32_t y) { return x + y >= kHashPrime ? x + y - kHashPrime : x + y; };
  for (const HashedReport& report : reports) {
    std::uint32_t t = report.a;
    std::uint32_t difference = sum(report.b, report.c);
    const std::uint32_t growth = sum(report.c, report.c);
    for (std::int64_t& cell : cells) {
      cell += t < report.width ? 1 : 0;
      t = sum(t, difference);
      difference = sum(difference, growth);
    }
  }
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<std::uint32_t>;
using Wide = hn::Repartition<std::uint64_t, Tag>;
using Signed = hn::RebindToSigned<Tag>;
using Short = hn::Repartition<std::int16_t, Tag>;
using Vec = hn::Vec<Tag>;
using WideVec = hn::Vec<Wide>;

// Values are taken two vectors a step. From one step to the next t(v) = (a + b v + c v^2) mod P grows by a difference, which
// itself grows by a constant: no multiplication in the loop. All are below P < 2^31, so that a sum fits into 32 bits and
// min(x, x - P) reduces it: x - P wraps around when x is smaller.
constexpr std::size_t kMostLanes = HWY_MAX_BYTES / 4;
constexpr std::size_t kValuesAtATime = 4'096;   // their counters stay in the nearest cache
constexpr std::size_t kReportsAtATime = 1'024;  // a counter has 16 bits

HWY_INLINE Vec reduced(Vec x) { return hn::Min(x, hn::Sub(x, hn::Set(Tag(), kHashPrime))); }

/// Small factors of b and c, for the values of one vector: of the lanes of even number, then of those of odd number.
struct Factors {
  HWY_ALIGN std::array<std::uint64_t, kMostLanes / 2> of_b[2];
  HWY_ALIGN std::array<std::uint64_t, kMostLanes / 2> of_c[2];
};

/// (a + factor b + factor c) mod P; the factors are below 2^13.
HWY_INLINE Vec combined(std::uint32_t a, std::uint32_t b, std::uint32_t c, const Factors& factors) {
  const Tag d;
  const Wide wide;
  const WideVec prime = hn::Set(wide, kHashPrime);
  const auto half = [&](int odd) HWY_ATTR {
    const Vec of_b = hn::BitCast(d, hn::Load(wide, factors.of_b[odd].data()));
    const Vec of_c = hn::BitCast(d, hn::Load(wide, factors.of_c[odd].data()));
    WideVec x = hn::Add(hn::MulEven(hn::Set(d, b), of_b), hn::MulEven(hn::Set(d, c), of_c));
    x = hn::Add(x, hn::Set(wide, a));
    return hn::Add(hn::And(x, prime), hn::ShiftRight<31>(x));  // 2^31 = 1 mod P; below P + 2^13
  };
  return reduced(hn::BitCast(d, hn::Or(half(0), hn::ShiftLeft<32>(half(1)))));
}

struct StepLanes {
  Factors value[2];                                 // of t(v): v, v^2
  Factors difference[2];                            // of t(v + step) - t(v): step, 2 v step + step^2
  std::array<std::uint16_t, 2 * kMostLanes> order;  // which value of a step a counter is of
};

void prepare(StepLanes& lanes) {
  const Tag d;
  const Signed s;
  const std::size_t n = hn::Lanes(d);
  const std::size_t step = 2 * n;
  for (std::size_t v = 0; v < step; ++v) {
    const std::size_t vector = v / n;
    const std::size_t lane = v % n;
    lanes.value[vector].of_b[lane % 2][lane / 2] = v;
    lanes.value[vector].of_c[lane % 2][lane / 2] = v * v;
    lanes.difference[vector].of_b[lane % 2][lane / 2] = step;
    lanes.difference[vector].of_c[lane % 2][lane / 2] = 2 * v * step + step * step;
  }
  // Two vectors become one of half as wide lanes in an order that is the processor's.
  const auto first = hn::Iota(s, 0);
  const auto second = hn::Iota(s, static_cast<std::int32_t>(n));
  HWY_ALIGN std::array<std::int16_t, 2 * kMostLanes> order;
  hn::Store(hn::ReorderDemote2To(Short(), first, second), Short(), order.data());
  for (std::size_t i = 0; i < step; ++i) lanes.order[i] = static_cast<std::uint16_t>(order[i]);
}

/// counters[...] += 1 for the supported ones of the values 0, 1, ..., steps * step - 1.
HWY_INLINE void add_report(const HashedReport& report, const StepLanes& lanes, std::size_t steps,
                           std::int16_t* counters) {
  const Tag d;
  const Signed s;
  const Short narrow;
  const std::size_t step = 2 * hn::Lanes(d);
  const Vec width = hn::Set(d, report.width);
  // The difference of differences: 2 c step^2.
  const auto twice = static_cast<std::uint32_t>(2 * step * step * std::uint64_t{report.c} % kHashPrime);
  const Vec growth = hn::Set(d, twice);
  Vec t0 = combined(report.a, report.b, report.c, lanes.value[0]);
  Vec t1 = combined(report.a, report.b, report.c, lanes.value[1]);
  Vec d0 = combined(0, report.b, report.c, lanes.difference[0]);
  Vec d1 = combined(0, report.b, report.c, lanes.difference[1]);
  for (std::size_t i = 0; i < steps; ++i, counters += step) {
    // Negative where t < width: both are below 2^31. Narrowing saturates, and so keeps the sign.
    const auto sign = hn::ShiftRight<15>(
        hn::ReorderDemote2To(narrow, hn::BitCast(s, hn::Sub(t0, width)), hn::BitCast(s, hn::Sub(t1, width))));
    hn::Store(hn::Sub(hn::Load(narrow, counters), sign), narrow, counters);
    t0 = reduced(hn::Add(t0, d0));
    t1 = reduced(hn::Add(t1, d1));
    d0 = reduced(hn::Add(d0, growth));
    d1 = reduced(hn::Add(d1, growth));
  }
}

/// The same report for values counted from `first` on.
HashedReport seen_from(const HashedReport& report, std::uint64_t first) {
  const std::uint64_t p = kHashPrime;
  const std::uint64_t along = (report.b + report.c * first) % p;  // c first < 2^55
  return {.a = static_cast<std::uint32_t>((report.a + along * first) % p),
          .b = static_cast<std::uint32_t>((along + report.c * first) % p),
          .c = report.c,
          .width = report.width};
}

void add_all(std::span<const HashedReport> reports, std::span<std::int64_t> cells) {
  StepLanes lanes;
  prepare(lanes);
  const std::size_t step = 2 * hn::Lanes(Tag());
  HWY_ALIGN std::array<std::int16_t, kValuesAtATime + 2 * kMostLanes> counters;
  for (; !reports.empty(); reports = reports.subspan(std::min(reports.size(), kReportsAtATime))) {
    const auto batch = reports.first(std::min(reports.size(), kReportsAtATime));
    for (std::size_t first = 0; first < cells.size(); first += kValuesAtATime) {
      const auto some = cells.subspan(first, std::min(cells.size() - first, kValuesAtATime));
      const std::size_t steps = (some.size() + step - 1) / step;
      std::fill_n(counters.begin(), steps * step, std::int16_t{0});
      for (const HashedReport& report : batch)
        add_report(first == 0 ? report : seen_from(report, first), lanes, steps, counters.data());
      for (std::size_t i = 0; i < steps * step; ++i) {
        const std::size_t v = i / step * step + lanes.order[i % step];
        if (v < some.size()) some[v] += counters[i];
      }
    }
  }
}

#endif

}  // namespace gauze::collect::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::collect::internal {

HWY_EXPORT(add_all);

void add_supports(std::span<const HashedReport> reports, std::span<std::int64_t> cells) {
  HWY_DYNAMIC_DISPATCH(add_all)(reports, cells);
}

}  // namespace gauze::collect::internal
#endif
