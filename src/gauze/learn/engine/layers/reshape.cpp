#include <algorithm>

#include "gauze/learn/engine/internal/layer.h"

namespace gauze::learn::internal {
namespace {

/// The inputs as positions of some numbers each, with zeros behind the last.
template <class Real>
class ReshapeLayer final : public Layer<Real> {
 public:
  ReshapeLayer(Shape in, Shape out) : Layer<Real>(in, out) {}

  void forward(const LayerPacked*, LayerPass*, const Flow<Real>& flow, RandomWords*) const override {
    const std::size_t from = this->in().size();
    const std::size_t to = this->out().size();
    for (std::size_t row = 0; row < flow.rows; ++row) {
      std::copy_n(flow.x + row * from, from, flow.y + row * to);
      std::fill_n(flow.y + row * to + from, to - from, Real{0});
    }
  }
  void backward(const LayerPacked*, LayerPass*, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    const std::size_t from = this->in().size();
    const std::size_t to = this->out().size();
    for (std::size_t row = 0; row < flow.rows; ++row)
      std::copy_n(flow.y_gradients + row * to, from, flow.x_gradients + row * from);
  }
};

}  // namespace

template <class Real>
MadeLayer<Real> make_reshape(const LayerSpec& spec, Shape in, const std::string& name) {
  if (in.positions != 1) return unfit_layer(spec, name, "takes one position, but gets {}", in.positions);
  if (spec.positions == 0 || spec.out == 0 || spec.out > kMostNumbers / spec.positions)
    return unfit_layer(spec, name, "has from 1 to 2^26 numbers, not {} x {}", spec.positions, spec.out);
  if (spec.positions * spec.out < in.channels)
    return unfit_layer(spec, name, "has {} x {} numbers, fewer than the {} that it gets", spec.positions, spec.out,
                       in.channels);
  return std::make_unique<ReshapeLayer<Real>>(in, Shape{spec.positions, spec.out});
}

template MadeLayer<float> make_reshape<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_reshape<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
