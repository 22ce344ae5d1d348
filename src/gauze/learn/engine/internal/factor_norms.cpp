#include <algorithm>
#include <cmath>

#include "gauze/learn/engine/internal/factors.h"
#include "gauze/learn/engine/internal/row_product.h"
#include "gauze/learn/engine/internal/wide_rows.h"

namespace gauze::learn::internal {
namespace {

/// The terms of one unit: positions of rows, counted over the rows.
template <class Real>
struct UnitTerms {
  const Factors<Real>& factors;
  const double* scales;
  std::size_t begin;
  std::size_t end;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// Vectors of the unit as doubles, `stride` apart.
template <class Real>
void widen_terms(const Vectors<Real>& vectors, const UnitTerms<Real>& unit, const double* scales, double* to,
                 std::size_t stride) {
  vectors.for_runs(unit.factors.positions, unit.begin, unit.end,
                   [&](const Run<Real>& run, std::size_t t) { widen(run, scales, to + t * stride, stride); });
}

/// |sum of b_t a_t^T|^2 as the sum over t, s of (a_t a_s)(b_t b_s).
template <class Real>
double squared_by_grams(const UnitTerms<Real>& unit, Scratch& scratch) {
  const auto& factors = unit.factors;
  const std::size_t terms = unit.size();
  const std::size_t in = rounded_up(factors.in(), kPanelWidth<double>);
  const std::size_t out = rounded_up(factors.b.width, kPanelWidth<double>);
  double* const left = scratch.left.at_least(terms * in);
  double* const right = scratch.right.at_least(terms * out);
  for (std::size_t t = 0; t < terms; ++t) {
    std::fill(left + t * in + factors.in(), left + (t + 1) * in, 0.0);
    std::fill(right + t * out + factors.b.width, right + (t + 1) * out, 0.0);
  }
  widen_terms(factors.a, unit, unit.scales, left, in);
  widen_terms(factors.a2, unit, nullptr, left + factors.a.width, in);
  widen_terms(factors.b, unit, nullptr, right, out);
  return sum_of_gram_products(left, in, right, out, terms);
}

/// The same with the gradient written out, a panel of columns after the other.
template <class Real>
double squared_by_gradient(const UnitTerms<Real>& unit, Scratch& scratch) {
  constexpr std::size_t kWidth = kPanelWidth<double>;
  const auto& factors = unit.factors;
  const std::size_t terms = unit.size();
  const std::size_t out = factors.b.width;
  const std::size_t a_panels = rounded_up(factors.a.width, kWidth);
  double* const left = scratch.left.at_least(terms * out);
  double* const right = scratch.right.at_least(terms * (a_panels + rounded_up(factors.a2.width, kWidth)));
  double* const gradient = scratch.gradient.at_least(out * kWidth);
  widen_terms(factors.b, unit, nullptr, left, out);
  const auto widen_panels = [&](const Vectors<Real>& vectors, const double* scales, double* to) {
    vectors.for_runs(factors.positions, unit.begin, unit.end, [&](const Run<Real>& run, std::size_t t) {
      widen_into_panels(run, scales, to + t * kWidth, terms * kWidth);
    });
  };
  widen_panels(factors.a, unit.scales, right);
  widen_panels(factors.a2, nullptr, right + terms * a_panels);
  double sum = 0;
  const auto add_columns = [&](std::size_t width, const double* panels) {
    for (std::size_t first = 0; first < width; first += kWidth, panels += terms * kWidth) {
      const std::size_t columns = std::min(kWidth, width - first);
      multiply_rows({.x = left,
                     .rows = out,
                     .row_stride = 1,
                     .depth_stride = out,
                     .panels = panels,
                     .depth = terms,
                     .columns = columns,
                     .y = gradient,
                     .y_stride = columns});
      sum += sum_of_products(gradient, gradient, out * columns);
    }
  };
  add_columns(factors.a.width, right);
  add_columns(factors.a2.width, right + terms * a_panels);
  return sum;
}

template <class Real>
double squared_bias(const UnitTerms<Real>& unit, Scratch& scratch) {
  const auto& b = unit.factors.b;
  double* const sum = scratch.row.at_least(b.width);
  std::fill_n(sum, b.width, 0.0);
  b.for_runs(unit.factors.positions, unit.begin, unit.end,
             [&](const Run<Real>& run, std::size_t) { add_rows(run, 1.0, sum); });
  return sum_of_products(sum, sum, b.width);
}

}  // namespace

template <class Real>
void add_squared_norms(const Factors<Real>& factors, const Units& units, NormMode mode, const double* scales,
                       Scratch& scratch, std::span<double> squared) {
  const std::size_t positions = factors.positions;
  const std::size_t terms = units.rows() * positions;
  const std::size_t in = factors.in();
  const std::size_t out = factors.b.width;
  double* const a_norms = scratch.a_norms.at_least(terms);
  double* const b_norms = scratch.b_norms.at_least(terms);
  std::fill_n(a_norms, terms, 0.0);
  std::fill_n(b_norms, terms, 0.0);
  const auto add_norms = [&](const Vectors<Real>& vectors, const double* by, double* norms) {
    vectors.for_runs(positions, 0, terms,
                     [&](const Run<Real>& run, std::size_t t) { add_squared_norms_of(run, by, norms + t); });
  };
  add_norms(factors.a, scales, a_norms);
  add_norms(factors.a2, nullptr, a_norms);
  add_norms(factors.b, nullptr, b_norms);
  for (std::size_t u = 0; u < units.size(); ++u) {
    const UnitTerms<Real> unit{factors, scales, units.begin(u) * positions, units.end(u) * positions};
    const std::size_t first = unit.begin;
    if (unit.size() == 0) continue;
    if (unit.size() == 1) {
      squared[u] += mode == NormMode::ghost ? a_norms[first] * b_norms[first] : squared_by_gradient(unit, scratch);
      if (factors.has_bias) squared[u] += b_norms[first];
      continue;
    }
    const bool by_grams = mode == NormMode::ghost && unit.size() * (in + out) <= in * out;
    double cancelled = 0;
    double bias_cancelled = 0;
    for (std::size_t t = first; t < unit.end; ++t) {
      const double b_norm = std::sqrt(b_norms[t]);
      cancelled += std::sqrt(a_norms[t]) * b_norm;
      bias_cancelled += b_norm;
    }
    squared[u] += by_grams ? squared_by_grams(unit, scratch) : squared_by_gradient(unit, scratch);
    squared[u] += kCancelledShare * cancelled * cancelled;
    if (factors.has_bias)
      squared[u] += squared_bias(unit, scratch) + kCancelledShare * bias_cancelled * bias_cancelled;
  }
}

template void add_squared_norms(const Factors<float>&, const Units&, NormMode, const double*, Scratch&,
                                std::span<double>);
template void add_squared_norms(const Factors<double>&, const Units&, NormMode, const double*, Scratch&,
                                std::span<double>);

}  // namespace gauze::learn::internal
