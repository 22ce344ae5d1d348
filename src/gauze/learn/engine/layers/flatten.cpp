#include <algorithm>

#include "gauze/learn/engine/internal/layer.h"

namespace gauze::learn::internal {
namespace {

/// The numbers of a row as they lie there, as one position.
template <class Real>
class FlattenLayer final : public Layer<Real> {
 public:
  explicit FlattenLayer(Shape in) : Layer<Real>(in, {1, in.size()}) {}

  void forward(const LayerPacked*, LayerPass*, const Flow<Real>& flow, RandomWords*) const override {
    std::copy_n(flow.x, flow.rows * this->in().size(), flow.y);
  }
  void backward(const LayerPacked*, LayerPass*, const Flow<Real>& flow) const override {
    if (flow.x_gradients != nullptr) std::copy_n(flow.y_gradients, flow.rows * this->in().size(), flow.x_gradients);
  }
};

}  // namespace

template <class Real>
MadeLayer<Real> make_flatten(const LayerSpec& /*spec*/, Shape in, const std::string& /*name*/) {
  return std::make_unique<FlattenLayer<Real>>(in);
}

template MadeLayer<float> make_flatten<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_flatten<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
