#include "gauze/text/mechanisms/internal/weight_kernels.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gauze/text/mechanisms/internal/weight_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gauze::text::internal::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// 2^y for y in [-1000, 0], within 2^-49 relative: the whole part goes into the exponent (by adding 1.5 * 2^52, the low bits
/// of the sum hold it), the Taylor series of degree 12 does for the rest, which is at most 1/2 in size.
template <class D, class V>
HWY_INLINE V power_of_two(D d, V y) {
  const hn::Repartition<std::int64_t, D> whole;
  const auto magic = hn::Set(d, 0x1.8p52);
  const auto shifted = hn::Add(y, magic);
  const auto f = hn::Sub(y, hn::Sub(shifted, magic));
  // (ln 2)^k / k!
  auto p = hn::Set(d, 2.56784359934882055117e-11);
  p = hn::MulAdd(p, f, hn::Set(d, 4.44553827187081162491e-10));
  p = hn::MulAdd(p, f, hn::Set(d, 7.05491162080112332987e-9));
  p = hn::MulAdd(p, f, hn::Set(d, 1.01780860092396997274e-7));
  p = hn::MulAdd(p, f, hn::Set(d, 1.32154867901443094884e-6));
  p = hn::MulAdd(p, f, hn::Set(d, 1.52527338040598402800e-5));
  p = hn::MulAdd(p, f, hn::Set(d, 1.54035303933816099544e-4));
  p = hn::MulAdd(p, f, hn::Set(d, 1.33335581464284434234e-3));
  p = hn::MulAdd(p, f, hn::Set(d, 9.61812910762847716197e-3));
  p = hn::MulAdd(p, f, hn::Set(d, 5.55041086648215799531e-2));
  p = hn::MulAdd(p, f, hn::Set(d, 2.40226506959100712333e-1));
  p = hn::MulAdd(p, f, hn::Set(d, 6.93147180559945309417e-1));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0));
  const auto exponent = hn::ShiftLeft<52>(hn::BitCast(whole, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(whole, p), exponent));
}

/// What is added up for one vector of distances.
template <class V>
struct Terms {
  V weight;
  V product;
  V square;
  V cube;
};

template <class D>
HWY_INLINE auto terms_of(D d, const std::uint32_t* granules, double rate, std::uint32_t cap) {
  const hn::Rebind<std::int32_t, D> narrow;
  // Granules are below 2^31: as signed numbers they are the same.
  const auto k = hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const std::int32_t*>(granules)));
  const auto energy = hn::Mul(hn::Set(d, rate), hn::Min(k, hn::Set(d, static_cast<double>(cap))));
  const auto weight = power_of_two(d, hn::Mul(energy, hn::Set(d, -1.44269504088896340736)));
  const auto square = hn::Mul(weight, weight);
  return Terms<hn::Vec<D>>{weight, hn::Mul(weight, energy), square, hn::Mul(square, weight)};
}

template <class V>
HWY_INLINE void add_to(Terms<V>& sum, const Terms<V>& more) {
  sum.weight = hn::Add(sum.weight, more.weight);
  sum.product = hn::Add(sum.product, more.product);
  sum.square = hn::Add(sum.square, more.square);
  sum.cube = hn::Add(sum.cube, more.cube);
}

template <class D, class V>
HWY_INLINE RowSums row_of(D d, const Terms<V>& sum) {
  return {hn::GetLane(hn::SumOfLanes(d, sum.weight)), hn::GetLane(hn::SumOfLanes(d, sum.product)),
          hn::GetLane(hn::SumOfLanes(d, sum.square)), hn::GetLane(hn::SumOfLanes(d, sum.cube))};
}

/// Two rows at a time (or one), so that the columns' sums are loaded and stored once for both.
void add_weights_of(const std::uint32_t* granules, std::size_t rows, std::size_t columns, double rate,
                    std::uint32_t cap, const ColumnSums& column_sums, RowSums* row_sums) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = columns / lanes * lanes;
  const auto zero = hn::Zero(d);
  const auto add = [&](double* sums, auto value) { hn::StoreU(hn::Add(hn::LoadU(d, sums), value), d, sums); };
  const auto add_columns = [&](std::size_t c, const auto& terms) {
    add(column_sums.of[0] + c, terms.weight);
    add(column_sums.of[1] + c, terms.product);
    add(column_sums.of[2] + c, terms.square);
    add(column_sums.of[3] + c, terms.cube);
  };
  std::size_t r = 0;
  for (; r + 2 <= rows; r += 2) {
    const std::uint32_t* const first = granules + r * columns;
    const std::uint32_t* const second = first + columns;
    Terms<hn::Vec<decltype(d)>> sum_first{zero, zero, zero, zero};
    Terms<hn::Vec<decltype(d)>> sum_second{zero, zero, zero, zero};
    for (std::size_t c = 0; c < whole; c += lanes) {
      auto a = terms_of(d, first + c, rate, cap);
      const auto b = terms_of(d, second + c, rate, cap);
      add_to(sum_first, a);
      add_to(sum_second, b);
      add_to(a, b);
      add_columns(c, a);
    }
    row_sums[r] = row_of(d, sum_first);
    row_sums[r + 1] = row_of(d, sum_second);
  }
  for (; r < rows; ++r) {
    Terms<hn::Vec<decltype(d)>> sum{zero, zero, zero, zero};
    for (std::size_t c = 0; c < whole; c += lanes) {
      const auto a = terms_of(d, granules + r * columns + c, rate, cap);
      add_to(sum, a);
      add_columns(c, a);
    }
    row_sums[r] = row_of(d, sum);
  }
  for (r = 0; r < rows; ++r) {
    for (std::size_t c = whole; c < columns; ++c) {
      const double energy = rate * std::min(granules[r * columns + c], cap);
      const double weight = std::exp(-energy);
      const RowSums values = {weight, weight * energy, weight * weight, weight * weight * weight};
      for (std::size_t s = 0; s < kWeightSums; ++s) {
        row_sums[r][s] += values[s];
        column_sums.of[s][c] += values[s];
      }
    }
  }
}

}  // namespace gauze::text::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::text::internal {

HWY_EXPORT(add_weights_of);

void add_weights(const std::uint32_t* granules, std::size_t rows, std::size_t columns, double rate, std::uint32_t cap,
                 const ColumnSums& column_sums, RowSums* row_sums) {
  HWY_DYNAMIC_DISPATCH(add_weights_of)(granules, rows, columns, rate, cap, column_sums, row_sums);
}

}  // namespace gauze::text::internal
#endif
