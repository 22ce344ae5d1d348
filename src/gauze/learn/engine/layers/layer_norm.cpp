#include <algorithm>
#include <cmath>

#include "gauze/learn/engine/internal/layer.h"
#include "gauze/learn/engine/internal/sequence_rows.h"
#include "gauze/learn/engine/internal/wide_rows.h"

namespace gauze::learn::internal {
namespace {

/// Every position with mean 0 and variance 1, then times gain plus shift.
template <class Real>
class LayerNormLayer final : public Layer<Real> {
 public:
  LayerNormLayer(Shape shape, const std::string& name) : Layer<Real>(shape, shape), width_(shape.channels) {
    this->add_tensor({.name = name + ".weight", .shape = {width_}, .initial = 1});
    this->add_tensor({.name = name + ".bias", .shape = {width_}});
  }

  struct Packed final : LayerPacked {
    explicit Packed(std::size_t width) : gain(width), shift(width) {}
    Buffer<Real> gain, shift;
  };
  struct Pass final : LayerPass {
    Pass(std::size_t vectors, std::size_t width) : normal(vectors * width), inverses(vectors) {}
    Buffer<Real> normal, inverses;
  };

  double operations_per_row() const override { return 30 * static_cast<double>(this->in().size()); }
  std::size_t numbers_per_row() const override { return this->in().size() + this->in().positions; }
  std::unique_ptr<LayerPacked> make_packed() const override { return std::make_unique<Packed>(width_); }
  std::unique_ptr<LayerPass> make_pass(std::size_t most_rows) const override {
    return std::make_unique<Pass>(most_rows * this->in().positions, width_);
  }
  void pack(const Real* weights, LayerPacked* packed) const override {
    std::copy_n(weights, width_, static_cast<Packed*>(packed)->gain.get());
    std::copy_n(weights + width_, width_, static_cast<Packed*>(packed)->shift.get());
  }

  void forward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow, RandomWords*) const override {
    const auto& by = *static_cast<const Packed*>(packed);
    auto& kept = *static_cast<Pass*>(pass);
    normalise(Normalisation<Real>{.x = flow.x,
                                  .count = flow.rows * this->in().positions,
                                  .width = width_,
                                  .gain = by.gain.get(),
                                  .shift = by.shift.get(),
                                  .normal = kept.normal.get(),
                                  .inverses = kept.inverses.get(),
                                  .y = flow.y});
  }
  void backward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    auto& kept = *static_cast<Pass*>(pass);
    pass_back(NormalisationGradients<Real>{.dy = flow.y_gradients,
                                           .count = flow.rows * this->in().positions,
                                           .width = width_,
                                           .gain = static_cast<const Packed*>(packed)->gain.get(),
                                           .normal = kept.normal.get(),
                                           .inverses = kept.inverses.get(),
                                           .dx = flow.x_gradients});
  }

  /// Always written out: the gradients have as many numbers as one position.
  void add_squared_norms(LayerPass* pass, const Flow<Real>& flow, const NormRequest& request, Scratch& scratch,
                         std::span<double> squared) const override {
    const Real* const normal = static_cast<Pass*>(pass)->normal.get();
    const std::size_t positions = this->in().positions;
    double* const gradient = scratch.row.at_least(2 * width_);
    for (std::size_t u = 0; u < request.units.size(); ++u) {
      const std::size_t first = request.units.begin(u) * positions;
      const std::size_t end = request.units.end(u) * positions;
      std::fill_n(gradient, 2 * width_, 0.0);
      double gain_cancelled = 0;
      double shift_cancelled = 0;
      for (std::size_t t = first; t < end; ++t) {
        const Real* const dy = flow.y_gradients + t * width_;
        add_products(dy, normal + t * width_, width_, 1.0, gradient);
        add_row(dy, width_, 1.0, gradient + width_);
        gain_cancelled += std::sqrt(squared_norm_of_products(dy, normal + t * width_, width_));
        shift_cancelled += std::sqrt(squared_norm(dy, width_, nullptr));
      }
      squared[u] += sum_of_products(gradient, gradient, 2 * width_);
      if (end - first > 1)
        squared[u] += kCancelledShare * (gain_cancelled * gain_cancelled + shift_cancelled * shift_cancelled);
    }
  }
  void add_gradients(LayerPass* pass, const Flow<Real>& flow, const Units& units, std::span<const double> factors,
                     Scratch&, double* sum) const override {
    const Real* const normal = static_cast<Pass*>(pass)->normal.get();
    const std::size_t positions = this->in().positions;
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (factors[u] == 0) continue;
      for (std::size_t t = units.begin(u) * positions; t < units.end(u) * positions; ++t) {
        const Real* const dy = flow.y_gradients + t * width_;
        add_products(dy, normal + t * width_, width_, factors[u], sum);
        add_row(dy, width_, factors[u], sum + width_);
      }
    }
  }

 private:
  std::size_t width_;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_layer_norm(const LayerSpec& spec, Shape in, const std::string& name) {
  GAUZE_TRY_VOID(check_channels(spec, in, name));
  return std::make_unique<LayerNormLayer<Real>>(in, name);
}

template MadeLayer<float> make_layer_norm<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_layer_norm<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
