#pragma once

#include <algorithm>
#include <cstddef>

#include "gauze/learn/engine/internal/factors.h"
#include "gauze/learn/engine/internal/row_product.h"

namespace gauze::learn::internal {

/// y = W x + bias on vectors that lie one after the other; W is [out, in], the bias stands behind it.
template <class Real>
class LinearMap {
 public:
  LinearMap(std::size_t in, std::size_t out) : in_(in), out_(out) {}

  struct Packed {
    explicit Packed(const LinearMap& map)
        : forward(map.in_, map.out_), backward(map.out_, map.in_), bias(rounded_up(map.out_, kPanelWidth<Real>)) {}
    PackedMatrix<Real> forward;
    PackedMatrix<Real> backward;
    Buffer<Real> bias;
  };

  [[nodiscard]] std::size_t weights() const { return (in_ + 1) * out_; }
  /// Forward, back, norms by factors and sums for so many vectors.
  [[nodiscard]] double operations(std::size_t vectors) const {
    return static_cast<double>(vectors) * 2.0 * static_cast<double>(3 * in_ * out_ + in_ + out_);
  }

  void pack(const Real* weights, Packed& packed) const {
    packed.forward.pack(weights, 1, in_);
    packed.backward.pack(weights, in_, 1);
    std::copy_n(weights + in_ * out_, out_, packed.bias.get());
  }
  void forward(const Packed& packed, const Real* x, std::size_t vectors, Real* y) const {
    multiply_rows(x, vectors, in_, packed.forward, packed.bias.get(), y);
  }
  /// `add`: to the gradients that are there.
  void backward(const Packed& packed, const Real* y_gradients, std::size_t vectors, Real* x_gradients,
                bool add = false) const {
    multiply_rows(RowProduct<Real>{.x = y_gradients,
                                   .rows = vectors,
                                   .row_stride = out_,
                                   .panels = packed.backward.panels.get(),
                                   .depth = out_,
                                   .columns = in_,
                                   .add = add,
                                   .y = x_gradients,
                                   .y_stride = in_});
  }
  [[nodiscard]] Factors<Real> factors(const Real* x, const Real* y_gradients, std::size_t positions) const {
    return {.a = {x, positions * in_, in_, in_},
            .b = {y_gradients, positions * out_, out_, out_},
            .positions = positions,
            .has_bias = true};
  }
  void add_gradients(const Real* x, const Real* y_gradients, std::size_t positions, const Units& units,
                     std::span<const double> weights, Scratch& scratch, double* sum) const {
    add_weighted_gradients(factors(x, y_gradients, positions), units, weights, scratch,
                           {.weight = sum, .bias = sum + in_ * out_});
  }

 private:
  std::size_t in_;
  std::size_t out_;
};

}  // namespace gauze::learn::internal
