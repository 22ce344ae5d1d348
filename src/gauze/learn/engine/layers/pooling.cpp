#include <algorithm>

#include "gauze/learn/engine/internal/activations.h"
#include "gauze/learn/engine/internal/layer.h"

namespace gauze::learn::internal {
namespace {

/// The largest of `window` neighbouring positions, channel by channel; the last window may be shorter.
template <class Real>
class MaxPoolLayer final : public Layer<Real> {
 public:
  MaxPoolLayer(std::size_t window, Shape in)
      : Layer<Real>(in, {(in.positions + window - 1) / window, in.channels}), window_(window) {}

  void forward(const LayerPacked*, LayerPass*, const Flow<Real>& flow, RandomWords*) const override {
    for (std::size_t row = 0; row < flow.rows; ++row) take_largest(pool(flow, row));
  }
  void backward(const LayerPacked*, LayerPass*, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    for (std::size_t row = 0; row < flow.rows; ++row)
      give_to_largest(pool(flow, row), flow.y_gradients + row * this->out().size(),
                      flow.x_gradients + row * this->in().size());
  }

 private:
  [[nodiscard]] Pool<Real> pool(const Flow<Real>& flow, std::size_t row) const {
    return {.x = flow.x + row * this->in().size(),
            .positions = this->in().positions,
            .channels = this->in().channels,
            .window = window_,
            .y = flow.y + row * this->out().size()};
  }

  std::size_t window_;
};

/// The mean over all positions.
template <class Real>
class MeanPoolLayer final : public Layer<Real> {
 public:
  explicit MeanPoolLayer(Shape in)
      : Layer<Real>(in, {1, in.channels}), share_(Real{1} / static_cast<Real>(in.positions)) {}

  void forward(const LayerPacked*, LayerPass*, const Flow<Real>& flow, RandomWords*) const override {
    const std::size_t channels = this->in().channels;
    for (std::size_t row = 0; row < flow.rows; ++row) {
      Real* const y = flow.y + row * channels;
      const Real* const x = flow.x + row * this->in().size();
      std::fill_n(y, channels, Real{0});
      for (std::size_t t = 0; t < this->in().positions; ++t) add_numbers(x + t * channels, channels, y);
      for (std::size_t c = 0; c < channels; ++c) y[c] *= share_;
    }
  }
  void backward(const LayerPacked*, LayerPass*, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    const std::size_t channels = this->in().channels;
    for (std::size_t row = 0; row < flow.rows; ++row) {
      Real* const dx = flow.x_gradients + row * this->in().size();
      for (std::size_t c = 0; c < channels; ++c) dx[c] = share_ * flow.y_gradients[row * channels + c];
      for (std::size_t t = 1; t < this->in().positions; ++t) std::copy_n(dx, channels, dx + t * channels);
    }
  }

 private:
  Real share_;
};

template <class Real>
class LastLayer final : public Layer<Real> {
 public:
  explicit LastLayer(Shape in) : Layer<Real>(in, {1, in.channels}) {}

  void forward(const LayerPacked*, LayerPass*, const Flow<Real>& flow, RandomWords*) const override {
    const std::size_t channels = this->in().channels;
    for (std::size_t row = 0; row < flow.rows; ++row)
      std::copy_n(flow.x + (row + 1) * this->in().size() - channels, channels, flow.y + row * channels);
  }
  void backward(const LayerPacked*, LayerPass*, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    const std::size_t channels = this->in().channels;
    std::fill_n(flow.x_gradients, flow.rows * this->in().size(), Real{0});
    for (std::size_t row = 0; row < flow.rows; ++row)
      std::copy_n(flow.y_gradients + row * channels, channels,
                  flow.x_gradients + (row + 1) * this->in().size() - channels);
  }
};

}  // namespace

template <class Real>
MadeLayer<Real> make_max_pool(const LayerSpec& spec, Shape in, const std::string& name) {
  if (spec.kernel == 0) return unfit_layer(spec, name, "has a kernel of at least 1");
  return std::make_unique<MaxPoolLayer<Real>>(std::min(spec.kernel, in.positions), in);
}
template <class Real>
MadeLayer<Real> make_mean_pool(const LayerSpec& /*spec*/, Shape in, const std::string& /*name*/) {
  return std::make_unique<MeanPoolLayer<Real>>(in);
}
template <class Real>
MadeLayer<Real> make_last(const LayerSpec& /*spec*/, Shape in, const std::string& /*name*/) {
  return std::make_unique<LastLayer<Real>>(in);
}

template MadeLayer<float> make_max_pool<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_max_pool<double>(const LayerSpec&, Shape, const std::string&);

template MadeLayer<float> make_mean_pool<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_mean_pool<double>(const LayerSpec&, Shape, const std::string&);

template MadeLayer<float> make_last<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_last<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
