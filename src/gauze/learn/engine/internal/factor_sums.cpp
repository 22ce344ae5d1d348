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

/// Row t of a block of terms: kRowBlock numbers of b after the other go to blocks that lie `terms` rows apart.
void put_into_blocks(const double* row, std::size_t size, std::size_t terms, double* to) {
  std::size_t j = 0;
  for (; j + kRowBlock <= size; j += kRowBlock, to += terms * kRowBlock) std::copy_n(row + j, kRowBlock, to);
  std::copy_n(row + j, size - j, to);
}

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
  double* const row = scratch.row.at_least(rounded_up(out, kRowBlock));
  WideFactors wide;
  wide.left = scratch.left.at_least(most * rounded_up(out, kRowBlock));
  wide.right = scratch.right.at_least(most * (a_panels + a2_panels));
  std::size_t u = 0;
  for (std::size_t first = 0; first < all; first += wide.terms) {
    wide.terms = std::min(kTermsAtATime, all - first);
    wide.right2 = wide.right + wide.terms * a_panels;
    const std::size_t stride = wide.terms * kWidth;
    for (std::size_t t = 0; t < wide.terms; ++t) {
      const std::size_t row_index = (first + t) / factors.positions;
      const std::size_t position = (first + t) % factors.positions;
      while (row_index >= units.end(u)) ++u;
      double* const right = wide.right + t * kWidth;
      double* const right2 = wide.right2 + t * kWidth;
      if (weights[u] == 0) {  // 0 times something infinite would not be 0
        std::fill_n(row, out, 0.0);
        for (std::size_t p = 0; p < a_panels / kWidth; ++p) std::fill_n(right + p * stride, kWidth, 0.0);
        for (std::size_t p = 0; p < a2_panels / kWidth; ++p) std::fill_n(right2 + p * stride, kWidth, 0.0);
      } else {
        widen_row(factors.b.at(row_index, position), out, weights[u], row, sums.bias);
        widen_into_panels(factors.a.at(row_index, position), factors.a.width, nullptr, right, stride);
        if (factors.a2.width > 0)
          widen_into_panels(factors.a2.at(row_index, position), factors.a2.width, nullptr, right2, stride);
      }
      put_into_blocks(row, out, wide.terms, wide.left + t * kRowBlock);
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
