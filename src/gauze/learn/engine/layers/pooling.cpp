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

  struct Pass final : LayerPass {
    explicit Pass(std::size_t channels) : open(channels) {}
    Buffer<Real> open;  ///< gradients that no position of a window has taken
  };

  std::unique_ptr<LayerPass> make_pass(std::size_t) const override {
    return std::make_unique<Pass>(this->in().channels);
  }
  void forward(const LayerPacked*, LayerPass*, const Flow<Real>& flow, RandomWords*) const override {
    const std::size_t channels = this->in().channels;
    for_windows(flow.rows, [&](std::size_t from, std::size_t to, std::size_t length) {
      std::copy_n(flow.x + from, channels, flow.y + to);
      for (std::size_t i = 1; i < length; ++i) take_larger(flow.x + from + i * channels, channels, flow.y + to);
    });
  }
  void backward(const LayerPacked*, LayerPass* pass, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    const std::size_t channels = this->in().channels;
    Real* const open = static_cast<Pass*>(pass)->open.get();
    for_windows(flow.rows, [&](std::size_t from, std::size_t to, std::size_t length) {
      std::copy_n(flow.y_gradients + to, channels, open);
      for (std::size_t i = 0; i < length; ++i) {
        const std::size_t place = from + i * channels;
        give_to_largest(flow.x + place, flow.y + to, channels, open, flow.x_gradients + place);
      }
    });
  }

 private:
  /// body(where the window begins, where its largest numbers are, how many positions it has)
  template <class Body>
  void for_windows(std::size_t rows, const Body& body) const {
    const std::size_t channels = this->in().channels;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t w = 0; w < this->out().positions; ++w) {
        body(row * this->in().size() + w * window_ * channels, row * this->out().size() + w * channels,
             std::min(window_, this->in().positions - w * window_));
      }
    }
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
