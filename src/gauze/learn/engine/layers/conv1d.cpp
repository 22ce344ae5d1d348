#include <algorithm>

#include "gauze/learn/engine/internal/layer.h"
#include "gauze/learn/engine/internal/row_product.h"

namespace gauze::learn::internal {
namespace {

/// At every position a linear map of `kernel` neighbouring positions: they lie one after the other, so that what goes into a map is a
/// stretch of the row, with zeros at both ends of it.
template <class Real>
class Conv1dLayer final : public Layer<Real> {
 public:
  Conv1dLayer(const LayerSpec& spec, Shape in, const std::string& name)
      : Layer<Real>(in, {in.positions + 2 * spec.padding - spec.kernel + 1, spec.out}),
        kernel_(spec.kernel),
        padding_(spec.padding),
        window_(spec.kernel * spec.in) {
    this->add_tensor({.name = name + ".weight", .shape = {spec.out, spec.kernel, spec.in}, .fan_in = window_});
    bias_ = this->add_tensor({.name = name + ".bias", .shape = {spec.out}});
  }

  struct Packed final : LayerPacked {
    Packed(std::size_t in, std::size_t out, std::size_t kernel)
        : forward(kernel * in, out),
          backward(kernel * out, in),
          bias(rounded_up(out, kPanelWidth<Real>)),
          turned(kernel * out * in) {}
    PackedMatrix<Real> forward;
    PackedMatrix<Real> backward;
    Buffer<Real> bias;
    Buffer<Real> turned;
  };
  struct Pass final : LayerPass {
    Pass(std::size_t row, std::size_t rows, std::size_t gradient_row) : padded(row * rows), gradients(gradient_row) {}
    Buffer<Real> padded;     ///< rows with zeros at both ends
    Buffer<Real> gradients;  ///< of one row, with zeros at both ends
  };

  std::size_t positions_of_weights() const override { return this->out().positions; }
  double operations_per_row() const override {
    return 8.0 * static_cast<double>(this->out().positions * this->weights());
  }
  std::size_t numbers_per_row() const override { return padded_row(); }
  std::unique_ptr<LayerPacked> make_packed() const override {
    return std::make_unique<Packed>(this->in().channels, this->out().channels, kernel_);
  }
  std::unique_ptr<LayerPass> make_pass(std::size_t most_rows) const override {
    return std::make_unique<Pass>(padded_row(), most_rows,
                                  (this->out().positions + 2 * (kernel_ - 1)) * this->out().channels);
  }
  void pack(const Real* weights, LayerPacked* packed) const override {
    auto& to = *static_cast<Packed*>(packed);
    const std::size_t in = this->in().channels;
    const std::size_t out = this->out().channels;
    to.forward.pack(weights, 1, window_);
    std::copy_n(weights + bias_, out, to.bias.get());
    for (std::size_t k = 0; k < kernel_; ++k) {  // on the way back the kernel is passed from its other end
      for (std::size_t o = 0; o < out; ++o)
        std::copy_n(weights + o * window_ + (kernel_ - 1 - k) * in, in, to.turned.get() + (k * out + o) * in);
    }
    to.backward.pack(to.turned.get(), in, 1);
  }

  void forward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow, RandomWords*) const override {
    const auto& by = *static_cast<const Packed*>(packed);
    const std::size_t in = this->in().channels;
    for (std::size_t row = 0; row < flow.rows; ++row) {
      // The zeros at the ends are there since the buffer was made.
      Real* const padded = static_cast<Pass*>(pass)->padded.get() + row * padded_row();
      std::copy_n(flow.x + row * this->in().size(), this->in().size(), padded + padding_ * in);
      multiply_rows(padded, this->out().positions, in, by.forward, by.bias.get(), flow.y + row * this->out().size());
    }
  }
  void backward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    const std::size_t out = this->out().channels;
    Real* const padded = static_cast<Pass*>(pass)->gradients.get();
    for (std::size_t row = 0; row < flow.rows; ++row) {
      std::copy_n(flow.y_gradients + row * this->out().size(), this->out().size(), padded + (kernel_ - 1) * out);
      multiply_rows(padded + padding_ * out, this->in().positions, out, static_cast<const Packed*>(packed)->backward,
                    static_cast<const Real*>(nullptr), flow.x_gradients + row * this->in().size());
    }
  }
  void add_squared_norms(LayerPass* pass, const Flow<Real>& flow, const NormRequest& request, Scratch& scratch,
                         std::span<double> squared) const override {
    internal::add_squared_norms(factors(pass, flow), request.units, request.mode, nullptr, scratch, squared);
  }
  void add_gradients(LayerPass* pass, const Flow<Real>& flow, const Units& units, std::span<const double> weights,
                     Scratch& scratch, double* sum) const override {
    add_weighted_gradients(factors(pass, flow), units, weights, scratch, {.weight = sum, .bias = sum + bias_});
  }

 private:
  [[nodiscard]] std::size_t padded_row() const { return (this->in().positions + 2 * padding_) * this->in().channels; }
  [[nodiscard]] Factors<Real> factors(LayerPass* pass, const Flow<Real>& flow) const {
    return {.a = {static_cast<Pass*>(pass)->padded.get(), padded_row(), this->in().channels, window_},
            .b = {flow.y_gradients, this->out().size(), this->out().channels, this->out().channels},
            .positions = this->out().positions,
            .has_bias = true};
  }

  std::size_t kernel_;
  std::size_t padding_;
  std::size_t window_;
  std::size_t bias_ = 0;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_conv1d(const LayerSpec& spec, Shape in, const std::string& name) {
  GAUZE_TRY_VOID(check_channels(spec, in, name));
  if (spec.out == 0) return unfit_layer(spec, name, "has no outputs");
  if (spec.kernel == 0) return unfit_layer(spec, name, "has a kernel of at least 1");
  if (spec.kernel * spec.in > kMostNumbers / spec.out)
    return unfit_layer(spec, name, "has more than 2^26 weights: {} x {} x {}", spec.out, spec.kernel, spec.in);
  if (spec.padding >= spec.kernel)
    return unfit_layer(spec, name, "has a padding below its kernel of {}, not {}", spec.kernel, spec.padding);
  if (in.positions + 2 * spec.padding < spec.kernel)
    return unfit_layer(spec, name, "has a kernel of {}, more than the {} positions that it gets", spec.kernel,
                       in.positions + 2 * spec.padding);
  return std::make_unique<Conv1dLayer<Real>>(spec, in, name);
}

template MadeLayer<float> make_conv1d<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_conv1d<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
