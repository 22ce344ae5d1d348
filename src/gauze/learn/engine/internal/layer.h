#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gauze/learn/engine/internal/buffer.h"
#include "gauze/learn/engine/internal/factors.h"
#include "gauze/learn/engine/layer_spec.h"
#include "gauze/learn/engine/network.h"

namespace gauze::learn::internal {

/// The most weights of a network, and the most numbers that it keeps of a row.
inline constexpr std::size_t kMostNumbers = std::size_t{1} << 26;

/// A row between two layers: `positions` vectors of `channels` numbers, one after the other.
struct Shape {
  std::size_t positions = 1;
  std::size_t channels = 0;
  [[nodiscard]] std::size_t size() const { return positions * channels; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The rows at both ends of a layer.
template <class Real>
struct Flow {
  std::size_t rows = 0;
  const Real* x = nullptr;            ///< what goes in
  Real* y = nullptr;                  ///< what comes out
  const Real* y_gradients = nullptr;  ///< of the loss by what comes out
  Real* x_gradients = nullptr;        ///< by what goes in; null where nobody asks for it
};

/// What a layer makes of the weights once a step, and what it keeps of a row between its calls: of its own kind each.
struct LayerPacked {
  virtual ~LayerPacked() = default;
};
struct LayerPass {
  virtual ~LayerPass() = default;
};

/// What norms need beside the rows.
struct NormRequest {
  const Units& units;
  NormMode mode = NormMode::ghost;
  const double* input_scales = nullptr;  ///< 1 / s for each number that goes in; for a first layer that leaves_input
};

/// One layer. All of its calls for a row have the same bits wherever the row is: a layer loops over rows or positions one by one, or
/// uses what is made for that (row_product.h, activations.h, wide_rows.h).
template <class Real>
class Layer {
 public:
  Layer(Shape in, Shape out) : in_(in), out_(out) {}
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  virtual ~Layer() = default;

  [[nodiscard]] const Shape& in() const { return in_; }
  [[nodiscard]] const Shape& out() const { return out_; }
  /// Offsets count from the layer's own first weight.
  [[nodiscard]] const std::vector<WeightTensor>& tensors() const { return tensors_; }
  [[nodiscard]] std::size_t weights() const { return weights_; }

  /// How many terms the gradient of a weight has for one row; 0 without weights.
  [[nodiscard]] virtual std::size_t positions_of_weights() const { return weights_ == 0 ? 0 : in_.positions; }
  [[nodiscard]] virtual double operations_per_row() const { return 4 * static_cast<double>(out_.size()); }
  /// Of a LayerPass.
  [[nodiscard]] virtual std::size_t numbers_per_row() const { return 0; }

  [[nodiscard]] virtual std::unique_ptr<LayerPacked> make_packed() const { return nullptr; }
  virtual void pack(const Real* /*weights*/, LayerPacked* /*packed*/) const {}
  [[nodiscard]] virtual std::unique_ptr<LayerPass> make_pass(std::size_t /*most_rows*/) const { return nullptr; }

  virtual void forward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow,
                       RandomWords* masks) const = 0;
  virtual void backward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow) const = 0;
  /// squared[u] += of every block of its weights.
  virtual void add_squared_norms(LayerPass* /*pass*/, const Flow<Real>& /*flow*/, const NormRequest& /*request*/,
                                 Scratch& /*scratch*/, std::span<double> /*squared*/) const {}
  /// sum (of the layer's own weights) += factors[u] x gradient of unit u.
  virtual void add_gradients(LayerPass* /*pass*/, const Flow<Real>& /*flow*/, const Units& /*units*/,
                             std::span<const double> /*factors*/, Scratch& /*scratch*/, double* /*sum*/) const {}

 protected:
  /// Takes the next weights of the layer. Returns where they begin.
  std::size_t add_tensor(WeightTensor tensor) {
    tensor.offset = weights_;
    weights_ += tensor.size();
    tensors_.push_back(std::move(tensor));
    return tensors_.back().offset;
  }

 private:
  Shape in_;
  Shape out_;
  std::vector<WeightTensor> tensors_;
  std::size_t weights_ = 0;
};

template <class Real>
using MadeLayer = Result<std::unique_ptr<Layer<Real>>>;

/// `name`: the index of the layer, with that of those around it: "3.inner.0". Tensors are named name.part.
template <class Real>
[[nodiscard]] MadeLayer<Real> make_layer(const LayerSpec& spec, Shape in, const std::string& name);

template <class Real>
MadeLayer<Real> make_activation(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_attention(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_conv1d(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_dropout(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_flatten(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_last(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_layer_norm(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_linear(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_lstm(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_max_pool(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_mean_pool(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_reshape(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_residual(const LayerSpec& spec, Shape in, const std::string& name);
template <class Real>
MadeLayer<Real> make_tokens(const LayerSpec& spec, Shape in, const std::string& name);

/// "layer 3 (linear) ...": an error about what a model's description asks of a layer.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> unfit_layer(const LayerSpec& spec, const std::string& name,
                                                fmt::format_string<Args...> format, Args&&... args) {
  return invalid_parameter("layer {} ({}) {}", name, word_of(kLayerWords, spec.kind),
                           fmt::format(format, std::forward<Args>(args)...));
}

/// Channels that a layer says it takes, held against those that it gets.
[[nodiscard]] Result<void> check_channels(const LayerSpec& spec, const Shape& in, const std::string& name);

}  // namespace gauze::learn::internal
