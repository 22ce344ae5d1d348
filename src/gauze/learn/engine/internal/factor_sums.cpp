#include <algorithm>

#include "gauze/learn/engine/internal/factors.h"
#include "gauze/learn/engine/internal/row_product.h"
#include "gauze/learn/engine/internal/wide_rows.h"

namespace gauze::learn::internal {
namespace {

constexpr std::size_t kTermsAtATime = 256;

/// The factors of some terms as doubles, as the products want them.
struct WideFactors {
  std::size_t terms = 0;
  double* left = nullptr;   ///< b, weighted: blocks of kRowBlock numbers, in each term by term
  double* right = nullptr;  ///< a: panels
  double* right2 = nullptr;
};

void add_product(const WideFactors& wide, std::size_t out, const double* panels, std::size_t in, double* sum) {
  multiply_rows({.x = wide.left,
                 .rows = out,
                 .row_stride = 1,
                 .depth_stride = kRowBlock,
                 .block_stride = wide.terms * kRowBlock,
                 .panels = panels,
                 .depth = wide.terms,
                 .columns = in,
                 .add = true,
                 .y = sum,
                 .y_stride = in});
}

}  // namespace

template <class Real>
void add_weighted_gradients(const Factors<Real>& factors, const Units& units, std::span<const double> weights,
                            Scratch& scratch, const FactorSums& sums) {
  constexpr std::size_t kWidth = kPanelWidth<double>;
  const std::size_t out = factors.b.width;
  const std::size_t all = units.rows() * factors.positions;
  const std::size_t most = std::min(all, kTermsAtATime);
  const std::size_t a_panels = rounded_up(factors.a.width, kWidth);
  const std::size_t a2_panels = rounded_up(factors.a2.width, kWidth);
  double* const tile = scratch.row.at_least(out);
  WideFactors wide;
  wide.left = scratch.left.at_least(most * rounded_up(out, kRowBlock));
  wide.right = scratch.right.at_least(most * (a_panels + a2_panels));
  std::size_t u = 0;
  for (std::size_t first = 0; first < all; first += wide.terms) {
    wide.terms = std::min(kTermsAtATime, all - first);
    wide.right2 = wide.right + wide.terms * a_panels;
    const std::size_t stride = wide.terms * kWidth;
    for (std::size_t t = first, end = first; t < first + wide.terms; t = end) {
      while (t >= units.end(u) * factors.positions) ++u;
      end = std::min(units.end(u) * factors.positions, first + wide.terms);
      double* const left = wide.left + (t - first) * kRowBlock;
      double* const right = wide.right + (t - first) * kWidth;
      double* const right2 = wide.right2 + (t - first) * kWidth;
      if (weights[u] == 0) {  // 0 times something infinite would not be 0
        for (std::size_t o = 0; o < out; o += kRowBlock)
          std::fill_n(left + o * wide.terms, (end - t) * kRowBlock, 0.0);
        for (std::size_t p = 0; p < a_panels / kWidth; ++p) std::fill_n(right + p * stride, (end - t) * kWidth, 0.0);
        for (std::size_t p = 0; p < a2_panels / kWidth; ++p)
          std::fill_n(right2 + p * stride, (end - t) * kWidth, 0.0);
        continue;
      }
      factors.b.for_runs(factors.positions, t, end, [&](const Run<Real>& run, std::size_t k) {
        widen_into_blocks(run, weights[u], left + k * kRowBlock, wide.terms * kRowBlock, tile, sums.bias);
      });
      factors.a.for_runs(factors.positions, t, end, [&](const Run<Real>& run, std::size_t k) {
        widen_into_panels(run, nullptr, right + k * kWidth, stride);
      });
      factors.a2.for_runs(factors.positions, t, end, [&](const Run<Real>& run, std::size_t k) {
        widen_into_panels(run, nullptr, right2 + k * kWidth, stride);
      });
    }
    add_product(wide, out, wide.right, factors.a.width, sums.weight);
    if (factors.a2.width > 0) add_product(wide, out, wide.right2, factors.a2.width, sums.weight2);
  }
}

template void add_weighted_gradients(const Factors<float>&, const Units&, std::span<const double>, Scratch&,
                                     const FactorSums&);
template void add_weighted_gradients(const Factors<double>&, const Units&, std::span<const double>, Scratch&,
                                     const FactorSums&);

}  // namespace gauze::learn::internal
