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

/// 2^y for y in [-1000, 0], within 2^-41 relative: the whole part goes into the exponent (by adding 1.5 * 2^52, the low bits
/// of the sum hold it), the Taylor series of degree 10 does for the rest, which is at most 1/2 in size.
template <class D, class V>
HWY_INLINE V power_of_two(D d, V y) {
  const hn::Repartition<std::int64_t, D> whole;
  const auto magic = hn::Set(d, 0x1.8p52);
  const auto shifted = hn::Add(y, magic);
  const auto f = hn::Sub(y, hn::Sub(shifted, magic));
  // (ln 2)^k / k!
  auto p = hn::Set(d, 7.05491162080112332987e-9);
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

void add_weights_of(const std::uint32_t* granules, std::size_t columns, double rate, std::uint32_t cap,
                    double* column_weights, double* column_energies, double* row_weights, double* row_energies) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<std::int32_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const auto rates = hn::Set(d, rate);
  const auto to_bits = hn::Set(d, -1.44269504088896340736);
  const auto most = hn::Set(d, static_cast<double>(cap));
  auto weights = hn::Zero(d);
  auto energies = hn::Zero(d);
  std::size_t c = 0;
  for (; c + lanes <= columns; c += lanes) {
    // Granules are below 2^31: as signed numbers they are the same.
    const auto k = hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const std::int32_t*>(granules) + c));
    const auto energy = hn::Mul(rates, hn::Min(k, most));
    const auto weight = power_of_two(d, hn::Mul(energy, to_bits));
    const auto product = hn::Mul(weight, energy);
    weights = hn::Add(weights, weight);
    energies = hn::Add(energies, product);
    hn::StoreU(hn::Add(hn::LoadU(d, column_weights + c), weight), d, column_weights + c);
    hn::StoreU(hn::Add(hn::LoadU(d, column_energies + c), product), d, column_energies + c);
  }
  *row_weights = hn::GetLane(hn::SumOfLanes(d, weights));
  *row_energies = hn::GetLane(hn::SumOfLanes(d, energies));
  for (; c < columns; ++c) {
    const double energy = rate * std::min(granules[c], cap);
    const double weight = std::exp(-energy);
    *row_weights += weight;
    *row_energies += weight * energy;
    column_weights[c] += weight;
    column_energies[c] += weight * energy;
  }
}

}  // namespace gauze::text::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gauze::text::internal {

HWY_EXPORT(add_weights_of);

RowSums add_weights(const std::uint32_t* granules, std::size_t columns, double rate, std::uint32_t cap,
                    double* column_weights, double* column_energies) {
  RowSums sums;
  HWY_DYNAMIC_DISPATCH(add_weights_of)
  (granules, columns, rate, cap, column_weights, column_energies, &sums.weights, &sums.energies);
  return sums;
}

}  // namespace gauze::text::internal
#endif
