#pragma once
// Gradients of a matrix of weights as factors: for each position t of a row a vector a_t of what goes in and b_t of the gradients of
// what comes out. The gradient of a unit is the sum over its positions of b_t a_t^T.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gauze/learn/engine/internal/buffer.h"
#include "gauze/learn/engine/internal/wide_rows.h"
#include "gauze/learn/engine/network.h"

namespace gauze::learn::internal {

/// The rows of units: those of unit u end where ends[u] says, and begin where those before end.
struct Units {
  std::span<const std::uint32_t> ends;
  [[nodiscard]] std::size_t size() const { return ends.size(); }
  [[nodiscard]] std::size_t begin(std::size_t u) const { return u == 0 ? 0 : ends[u - 1]; }
  [[nodiscard]] std::size_t end(std::size_t u) const { return ends[u]; }
  [[nodiscard]] std::size_t rows() const { return ends.empty() ? 0 : ends.back(); }
};

/// A vector of `width` numbers at every position of every row.
template <class Real>
struct Vectors {
  const Real* first = nullptr;
  std::size_t row_stride = 0;
  std::size_t position_stride = 0;
  std::size_t width = 0;
  [[nodiscard]] const Real* at(std::size_t row, std::size_t position) const {
    return first + row * row_stride + position * position_stride;
  }
  /// Body for stretches of terms that lie equally far apart, term t being position t % positions of row t / positions:
  /// body(Run, first term of it, counted from `begin` on).
  template <class Body>
  void for_runs(std::size_t positions, std::size_t begin, std::size_t end, const Body& body) const {
    if (width == 0) return;
    if (positions == 1 || row_stride == positions * position_stride) {
      const std::size_t stride = positions == 1 ? row_stride : position_stride;
      return body(Run<Real>{first + begin * stride, end - begin, stride, width}, std::size_t{0});
    }
    for (std::size_t t = begin; t < end;) {
      const std::size_t count = std::min(positions - t % positions, end - t);
      body(Run<Real>{at(t / positions, t % positions), count, position_stride, width}, t - begin);
      t += count;
    }
  }
};

template <class Real>
struct Factors {
  Vectors<Real> a;        ///< what goes in
  Vectors<Real> a2 = {};  ///< more of it, behind a, for weights of their own; width 0: none
  Vectors<Real> b;        ///< gradients of what comes out
  std::size_t positions = 1;
  bool has_bias = false;  ///< a number for each of b that is added at every position
  [[nodiscard]] std::size_t in() const { return a.width + a2.width; }
};

/// The part of m_b, what could have cancelled, that counts in a squared norm: 2^-20 m_b^2.
inline constexpr double kCancelledShare = 0x1p-20;

/// Buffers of norms and sums, shared by the layers of a pass.
struct Scratch {
  Buffer<double> a_norms;
  Buffer<double> b_norms;
  Buffer<double> left;
  Buffer<double> right;
  Buffer<double> gradient;
  Buffer<double> row;
};

/// squared[u] += n^2 + [T > 1] 2^-20 m^2 of the weights of unit u (and of the bias, a block of its own). `scales`, if not null: what
/// each number of a is multiplied with first. For a unit the same bits wherever its rows are.
template <class Real>
void add_squared_norms(const Factors<Real>& factors, const Units& units, NormMode mode, const double* scales,
                       Scratch& scratch, std::span<double> squared);

/// Where sums of gradients go: [b, a] numbers, [b, a2] numbers and [b] numbers.
struct FactorSums {
  double* weight = nullptr;
  double* weight2 = nullptr;
  double* bias = nullptr;
};

/// Adds weights[u] times the gradient of unit u. Units of weight 0 add exact zeros, whatever their factors are.
template <class Real>
void add_weighted_gradients(const Factors<Real>& factors, const Units& units, std::span<const double> weights,
                            Scratch& scratch, const FactorSums& sums);

}  // namespace gauze::learn::internal
