#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gauze/learn/engine/internal/layer.h"

namespace gauze::learn::internal {

/// Layers one after the other, with the rows between them.
template <class Real>
class Chain {
 public:
  struct Packed {
    std::vector<std::unique_ptr<LayerPacked>> layers;
  };
  struct Pass {
    std::vector<std::unique_ptr<LayerPass>> layers;
    std::vector<Buffer<Real>> rows;       ///< rows[l]: what goes out of layer l
    std::vector<Buffer<Real>> gradients;  ///< by what goes out of layer l
  };

  /// `name`: what stands before the indices of layers, "" or "3.inner.".
  [[nodiscard]] static Result<Chain> make(const std::vector<LayerSpec>& specs, Shape in, const std::string& name);

  [[nodiscard]] const Shape& in() const { return in_; }
  [[nodiscard]] const Shape& out() const { return layers_.empty() ? in_ : layers_.back()->out(); }
  [[nodiscard]] const std::vector<std::unique_ptr<Layer<Real>>>& layers() const { return layers_; }
  /// Where the weights of a layer begin.
  [[nodiscard]] std::size_t offset(std::size_t layer) const { return offsets_[layer]; }
  [[nodiscard]] std::size_t weights() const { return offsets_.back(); }
  [[nodiscard]] std::size_t positions_of_weights() const;
  [[nodiscard]] double operations_per_row() const;
  [[nodiscard]] std::size_t numbers_per_row() const;

  [[nodiscard]] Packed make_packed() const;
  void pack(const Real* weights, Packed& packed) const;
  [[nodiscard]] Pass make_pass(std::size_t most_rows) const;
  /// The result is in out_rows(pass), the gradients by it are expected in out_gradients(pass).
  void forward(const Packed& packed, Pass& pass, const Real* x, std::size_t rows, RandomWords* masks) const;
  void backward(const Packed& packed, Pass& pass, const Real* x, std::size_t rows, Real* x_gradients) const;
  void add_squared_norms(Pass& pass, const Real* x, const NormRequest& request, Scratch& scratch,
                         std::span<double> squared) const;
  void add_gradients(Pass& pass, const Real* x, const Units& units, std::span<const double> factors, Scratch& scratch,
                     double* sum) const;
  [[nodiscard]] Real* out_rows(Pass& pass) const { return pass.rows.back().get(); }
  [[nodiscard]] Real* out_gradients(Pass& pass) const { return pass.gradients.back().get(); }

 private:
  [[nodiscard]] Flow<Real> flow(Pass& pass, std::size_t layer, const Real* x, std::size_t rows) const;

  Shape in_;
  std::vector<std::unique_ptr<Layer<Real>>> layers_;
  std::vector<std::size_t> offsets_;  ///< one more than layers: all weights
};

}  // namespace gauze::learn::internal
