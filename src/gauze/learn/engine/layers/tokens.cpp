#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/learn/engine/internal/layer.h"
#include "gauze/learn/engine/internal/sequence_rows.h"
#include "gauze/learn/engine/internal/wide_rows.h"

namespace gauze::learn::internal {
namespace {

/// For every attribute its bias vector plus the vectors of its inputs, each times the input.
template <class Real>
class TokensLayer final : public Layer<Real> {
 public:
  TokensLayer(const LayerSpec& spec, Shape in, const std::string& name)
      : Layer<Real>(in, {spec.inputs_of.size(), spec.out}), width_(spec.out), inputs_of_(spec.inputs_of) {
    // Of the inputs of an attribute about one is not 0: the one of its value, or a number.
    this->add_tensor({.name = name + ".weight", .shape = {spec.in, width_}, .fan_in = 2});
    bias_ = this->add_tensor({.name = name + ".bias", .shape = {inputs_of_.size(), width_}});
  }

  struct Packed final : LayerPacked {
    explicit Packed(std::size_t size) : weights(size) {}
    Buffer<Real> weights;
  };

  std::size_t positions_of_weights() const override { return 1; }  // an input's vector has one term a row
  double operations_per_row() const override { return 8 * static_cast<double>(this->weights()); }
  std::unique_ptr<LayerPacked> make_packed() const override { return std::make_unique<Packed>(this->weights()); }
  void pack(const Real* weights, LayerPacked* packed) const override {
    std::copy_n(weights, this->weights(), static_cast<Packed*>(packed)->weights.get());
  }

  void forward(const LayerPacked* packed, LayerPass*, const Flow<Real>& flow, RandomWords*) const override {
    const Real* const weights = static_cast<const Packed*>(packed)->weights.get();
    for (std::size_t row = 0; row < flow.rows; ++row) {
      for_attributes([&](std::size_t attribute, std::size_t first, std::size_t inputs) {
        combine(Combination<Real>{.x = flow.x + row * this->in().size() + first,
                                  .count = inputs,
                                  .vectors = weights + first * width_,
                                  .bias = weights + bias_ + attribute * width_,
                                  .width = width_,
                                  .y = flow.y + row * this->out().size() + attribute * width_});
      });
    }
  }
  void backward(const LayerPacked* packed, LayerPass*, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    const Real* const weights = static_cast<const Packed*>(packed)->weights.get();
    for (std::size_t row = 0; row < flow.rows; ++row) {
      for_attributes([&](std::size_t attribute, std::size_t first, std::size_t inputs) {
        const Real* const gradient = flow.y_gradients + row * this->out().size() + attribute * width_;
        for (std::size_t j = first; j < first + inputs; ++j)
          flow.x_gradients[row * this->in().size() + j] = product_of(gradient, weights + j * width_, width_);
      });
    }
  }

  void add_squared_norms(LayerPass*, const Flow<Real>& flow, const NormRequest& request, Scratch& scratch,
                         std::span<double> squared) const override {
    for (std::size_t u = 0; u < request.units.size(); ++u) {
      const std::size_t begin = request.units.begin(u);
      const std::size_t end = request.units.end(u);
      if (begin == end) continue;
      if (end - begin == 1 && request.mode == NormMode::ghost) {
        squared[u] += squared_weights(flow, begin, request.input_scales) + squared_bias(flow, begin);
        continue;
      }
      double* const gradient = scratch.row.at_least(this->weights());
      std::fill_n(gradient, this->weights(), 0.0);
      double cancelled = 0;
      double bias_cancelled = 0;
      for (std::size_t row = begin; row < end; ++row) {
        add_row_gradient(flow, row, 1.0, request.input_scales, gradient);
        cancelled += std::sqrt(squared_weights(flow, row, request.input_scales));
        bias_cancelled += std::sqrt(squared_bias(flow, row));
      }
      squared[u] += sum_of_products(gradient, gradient, this->weights());
      if (end - begin > 1) squared[u] += kCancelledShare * (cancelled * cancelled + bias_cancelled * bias_cancelled);
    }
  }
  void add_gradients(LayerPass*, const Flow<Real>& flow, const Units& units, std::span<const double> factors,
                     Scratch&, double* sum) const override {
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (factors[u] == 0) continue;
      for (std::size_t row = units.begin(u); row < units.end(u); ++row)
        add_row_gradient(flow, row, factors[u], nullptr, sum);
    }
  }

 private:
  /// body(attribute, its first input, how many it has)
  template <class Body>
  void for_attributes(const Body& body) const {
    std::size_t first = 0;
    for (std::size_t attribute = 0; attribute < inputs_of_.size(); first += inputs_of_[attribute], ++attribute)
      body(attribute, first, inputs_of_[attribute]);
  }
  [[nodiscard]] double squared_weights(const Flow<Real>& flow, std::size_t row, const double* scales) const {
    double sum = 0;
    for_attributes([&](std::size_t attribute, std::size_t first, std::size_t inputs) {
      const Real* const gradient = flow.y_gradients + row * this->out().size() + attribute * width_;
      const Real* const x = flow.x + row * this->in().size() + first;
      sum += squared_norm(x, inputs, scales == nullptr ? nullptr : scales + first) *
             squared_norm(gradient, width_, nullptr);
    });
    return sum;
  }
  [[nodiscard]] double squared_bias(const Flow<Real>& flow, std::size_t row) const {
    return squared_norm(flow.y_gradients + row * this->out().size(), this->out().size(), nullptr);
  }
  void add_row_gradient(const Flow<Real>& flow, std::size_t row, double factor, const double* scales,
                        double* sum) const {
    const Real* const gradients = flow.y_gradients + row * this->out().size();
    for_attributes([&](std::size_t attribute, std::size_t first, std::size_t inputs) {
      for (std::size_t j = first; j < first + inputs; ++j) {
        const double x = static_cast<double>(flow.x[row * this->in().size() + j]);
        const double scaled = scales == nullptr ? x : x * scales[j];
        // Where the factor is not 0 the norm is finite, and so is the gradient: 0 times it is 0.
        if (x != 0) add_row(gradients + attribute * width_, width_, factor * scaled, sum + j * width_);
      }
    });
    add_row(gradients, this->out().size(), factor, sum + bias_);
  }

  std::size_t width_;
  std::vector<std::size_t> inputs_of_;
  std::size_t bias_ = 0;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_tokens(const LayerSpec& spec, Shape in, const std::string& name) {
  GAUZE_TRY_VOID(check_channels(spec, in, name));
  if (in.positions != 1) return unfit_layer(spec, name, "takes one position, but gets {}", in.positions);
  if (spec.out == 0) return unfit_layer(spec, name, "has no outputs");
  std::size_t left = spec.in;
  for (const std::size_t inputs : spec.inputs_of) {
    if (inputs == 0 || inputs > left)
      return unfit_layer(spec, name, "has attributes that do not add up to {} inputs", spec.in);
    left -= inputs;
  }
  if (left != 0) return unfit_layer(spec, name, "has attributes that do not add up to {} inputs", spec.in);
  return std::make_unique<TokensLayer<Real>>(spec, in, name);
}

template MadeLayer<float> make_tokens<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_tokens<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
