#include <cmath>

#include "gauze/learn/engine/internal/activations.h"
#include "gauze/learn/engine/internal/layer.h"

namespace gauze::learn::internal {
namespace {

/// A coin for each number of each row, in their order: two to a random word.
template <class Real>
class DropoutLayer final : public Layer<Real> {
 public:
  DropoutLayer(double rate, Shape shape)
      : Layer<Real>(shape, shape),
        dropped_below_(static_cast<std::uint64_t>(std::llround(rate * 0x1p32))),
        kept_(static_cast<Real>(1 / (1 - rate))) {}

  struct Pass final : LayerPass {
    explicit Pass(std::size_t size) : slopes(size) {}
    Buffer<Real> slopes;
  };

  std::size_t numbers_per_row() const override { return this->in().size(); }
  std::unique_ptr<LayerPass> make_pass(std::size_t most_rows) const override {
    return std::make_unique<Pass>(most_rows * this->in().size());
  }
  void forward(const LayerPacked*, LayerPass* pass, const Flow<Real>& flow, RandomWords* masks) const override {
    const std::size_t size = flow.rows * this->in().size();
    Real* const slopes = static_cast<Pass*>(pass)->slopes.get();
    if (masks == nullptr) {
      std::fill_n(slopes, size, Real{1});
    } else {
      for (std::size_t i = 0; i < size; i += 2) {
        const std::uint64_t word = masks->next();
        slopes[i] = (word >> 32) < dropped_below_ ? Real{0} : kept_;
        if (i + 1 < size) slopes[i + 1] = (word & 0xffffffffU) < dropped_below_ ? Real{0} : kept_;
      }
    }
    multiply_slopes(flow.x, slopes, size, flow.y);
  }
  void backward(const LayerPacked*, LayerPass* pass, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    multiply_slopes(flow.y_gradients, static_cast<Pass*>(pass)->slopes.get(), flow.rows * this->in().size(),
                    flow.x_gradients);
  }

 private:
  std::uint64_t dropped_below_;
  Real kept_;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_dropout(const LayerSpec& spec, Shape in, const std::string& name) {
  if (!(spec.rate >= 0 && spec.rate < 1))
    return unfit_layer(spec, name, "has a rate from 0 to below 1, not {}", spec.rate);
  return std::make_unique<DropoutLayer<Real>>(spec.rate, in);
}

template MadeLayer<float> make_dropout<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_dropout<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
