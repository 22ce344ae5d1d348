#include <algorithm>
#include <cmath>

#include "gauze/learn/engine/internal/factors.h"
#include "gauze/learn/engine/internal/row_product.h"
#include "gauze/learn/engine/internal/wide_rows.h"

namespace gauze::learn::internal {
namespace {

/// Rows and positions of one unit, counted from 0 on.
template <class Real>
struct UnitFactors {
  const Factors<Real>& factors;
  const double* scales;
  std::size_t first_row;
  std::size_t terms;

  [[nodiscard]] const Real* a(std::size_t t) const { return place(factors.a, t); }
  [[nodiscard]] const Real* a2(std::size_t t) const { return place(factors.a2, t); }
  [[nodiscard]] const Real* b(std::size_t t) const { return place(factors.b, t); }

 private:
  [[nodiscard]] const Real* place(const Vectors<Real>& vectors, std::size_t t) const {
    return vectors.at(first_row + t / factors.positions, t % factors.positions);
  }
};

/// The products of every row of `rows` (terms x width) with every other, `stride` apart.
void make_gram(const double* rows, std::size_t terms, std::size_t width, Buffer<double>& panels, double* gram) {
  constexpr std::size_t kWidth = kPanelWidth<double>;
  double* const to = panels.at_least(rounded_up(terms, kWidth) * width);
  for (std::size_t first = 0; first < terms; first += kWidth) {
    double* const panel = to + first * width;
    for (std::size_t j = 0; j < std::min(kWidth, terms - first); ++j) {
      const double* const row = rows + (first + j) * width;
      for (std::size_t k = 0; k < width; ++k) panel[k * kWidth + j] = row[k];
    }
  }
  multiply_rows({.x = rows,
                 .rows = terms,
                 .row_stride = width,
                 .panels = to,
                 .depth = width,
                 .columns = terms,
                 .y = gram,
                 .y_stride = terms});
}

/// |sum of b_t a_t^T|^2 as the sum over t, s of (a_t a_s)(b_t b_s).
template <class Real>
double squared_by_grams(const UnitFactors<Real>& unit, Scratch& scratch) {
  const auto& factors = unit.factors;
  const std::size_t in = factors.in();
  const std::size_t terms = unit.terms;
  double* const left = scratch.left.at_least(terms * std::max(in, factors.b.width));
  double* const a_gram = scratch.first_gram.at_least(terms * terms);
  double* const b_gram = scratch.second_gram.at_least(terms * terms);
  for (std::size_t t = 0; t < terms; ++t) {
    double* const row = left + t * in;
    widen_row(unit.a(t), factors.a.width, 1.0, row, nullptr);
    if (factors.a2.width > 0) widen_row(unit.a2(t), factors.a2.width, 1.0, row + factors.a.width, nullptr);
    if (unit.scales == nullptr) continue;
    for (std::size_t j = 0; j < factors.a.width; ++j) row[j] *= unit.scales[j];
  }
  make_gram(left, terms, in, scratch.right, a_gram);
  for (std::size_t t = 0; t < terms; ++t)
    widen_row(unit.b(t), factors.b.width, 1.0, left + t * factors.b.width, nullptr);
  make_gram(left, terms, factors.b.width, scratch.right, b_gram);
  return sum_of_products(a_gram, b_gram, terms * terms);
}

/// The same with the gradient written out, a panel of columns after the other.
template <class Real>
double squared_by_gradient(const UnitFactors<Real>& unit, Scratch& scratch) {
  constexpr std::size_t kWidth = kPanelWidth<double>;
  const auto& factors = unit.factors;
  const std::size_t terms = unit.terms;
  const std::size_t out = factors.b.width;
  const std::size_t a_panels = rounded_up(factors.a.width, kWidth);
  double* const left = scratch.left.at_least(terms * out);
  double* const right = scratch.right.at_least(terms * (a_panels + rounded_up(factors.a2.width, kWidth)));
  double* const gradient = scratch.first_gram.at_least(out * kWidth);
  for (std::size_t t = 0; t < terms; ++t) {
    widen_row(unit.b(t), out, 1.0, left + t * out, nullptr);
    widen_into_panels(unit.a(t), factors.a.width, unit.scales, right + t * kWidth, terms * kWidth);
    if (factors.a2.width == 0) continue;
    widen_into_panels(unit.a2(t), factors.a2.width, nullptr, right + terms * a_panels + t * kWidth, terms * kWidth);
  }
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
double squared_bias(const UnitFactors<Real>& unit, Scratch& scratch) {
  const std::size_t out = unit.factors.b.width;
  double* const sum = scratch.row.at_least(out);
  std::fill_n(sum, out, 0.0);
  for (std::size_t t = 0; t < unit.terms; ++t) add_row(unit.b(t), out, 1.0, sum);
  return sum_of_products(sum, sum, out);
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
  for (std::size_t t = 0; t < terms; ++t) {
    const std::size_t row = t / positions;
    const std::size_t position = t % positions;
    a_norms[t] = squared_norm(factors.a.at(row, position), factors.a.width, scales);
    if (factors.a2.width > 0) a_norms[t] += squared_norm(factors.a2.at(row, position), factors.a2.width, nullptr);
    b_norms[t] = squared_norm(factors.b.at(row, position), out, nullptr);
  }
  for (std::size_t u = 0; u < units.size(); ++u) {
    const UnitFactors<Real> unit{factors, scales, units.begin(u), (units.end(u) - units.begin(u)) * positions};
    const std::size_t first = unit.first_row * positions;
    if (unit.terms == 0) continue;
    if (unit.terms == 1) {
      squared[u] += mode == NormMode::ghost ? a_norms[first] * b_norms[first] : squared_by_gradient(unit, scratch);
      if (factors.has_bias) squared[u] += b_norms[first];
      continue;
    }
    const bool by_grams = mode == NormMode::ghost && unit.terms * (in + out) <= in * out;
    double cancelled = 0;
    double bias_cancelled = 0;
    for (std::size_t t = first; t < first + unit.terms; ++t) {
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
