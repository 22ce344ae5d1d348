#include "gauze/learn/engine/internal/activations.h"
#include "gauze/learn/engine/internal/layer.h"

namespace gauze::learn::internal {
namespace {

/// A function of each number; its slopes are kept for the way back.
template <class Real>
class ActivationLayer final : public Layer<Real> {
 public:
  ActivationLayer(LayerKind kind, Shape shape) : Layer<Real>(shape, shape), kind_(kind) {}

  struct Pass final : LayerPass {
    explicit Pass(std::size_t size) : slopes(size) {}
    Buffer<Real> slopes;
  };

  std::size_t numbers_per_row() const override { return this->in().size(); }
  std::unique_ptr<LayerPass> make_pass(std::size_t most_rows) const override {
    return std::make_unique<Pass>(most_rows * this->in().size());
  }
  void forward(const LayerPacked*, LayerPass* pass, const Flow<Real>& flow, RandomWords*) const override {
    const Activation<Real> activation{flow.x, flow.y, slopes(pass), flow.rows * this->in().size()};
    switch (kind_) {
      case LayerKind::relu:
        return activate_relu(activation);
      case LayerKind::gelu:
        return activate_gelu(activation);
      case LayerKind::tanh:
        return activate_tanh(activation);
      default:
        return activate_sigmoid(activation);
    }
  }
  void backward(const LayerPacked*, LayerPass* pass, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    multiply_slopes(flow.y_gradients, slopes(pass), flow.rows * this->in().size(), flow.x_gradients);
  }

 private:
  static Real* slopes(LayerPass* pass) { return static_cast<Pass*>(pass)->slopes.get(); }
  LayerKind kind_;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_activation(const LayerSpec& spec, Shape in, const std::string& /*name*/) {
  return std::make_unique<ActivationLayer<Real>>(spec.kind, in);
}

template MadeLayer<float> make_activation<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_activation<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
