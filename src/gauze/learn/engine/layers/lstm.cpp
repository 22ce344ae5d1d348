#include <algorithm>

#include "gauze/learn/engine/internal/layer.h"
#include "gauze/learn/engine/internal/row_product.h"
#include "gauze/learn/engine/internal/sequence_rows.h"

namespace gauze::learn::internal {
namespace {

/// Gates i, f, g, o as PyTorch has them, with one bias. What the inputs give is made for all positions at once, what the hidden numbers
/// give step by step for all rows.
template <class Real>
class LstmLayer final : public Layer<Real> {
 public:
  LstmLayer(const LayerSpec& spec, Shape in, const std::string& name)
      : Layer<Real>(in, {in.positions, spec.out}), width_(spec.out), gates_(4 * spec.out) {
    const std::size_t fan_in = spec.in + width_;
    this->add_tensor({.name = name + ".input.weight", .shape = {gates_, spec.in}, .fan_in = fan_in});
    hidden_ = this->add_tensor({.name = name + ".hidden.weight", .shape = {gates_, width_}, .fan_in = fan_in});
    bias_ = this->add_tensor({.name = name + ".bias", .shape = {gates_}});
  }

  struct Packed final : LayerPacked {
    Packed(std::size_t in, std::size_t width)
        : input(in, 4 * width),
          hidden(width, 4 * width),
          input_back(4 * width, in),
          hidden_back(4 * width, width),
          bias(rounded_up(4 * width, kPanelWidth<Real>)) {}
    PackedMatrix<Real> input, hidden, input_back, hidden_back;
    Buffer<Real> bias;
  };
  struct Pass final : LayerPass {
    Pass(std::size_t rows, std::size_t positions, std::size_t width)
        : gates(rows * positions * 4 * width),
          gate_gradients(rows * positions * 4 * width),
          cells(rows * positions * width),
          cell_tanhs(rows * positions * width),
          states(rows * (positions + 1) * width),
          hidden_gradients(rows * width),
          cell_gradients(rows * width) {}
    Buffer<Real> gates, gate_gradients, cells, cell_tanhs;
    Buffer<Real> states;  ///< hidden numbers, those before the first position (0) included
    Buffer<Real> hidden_gradients, cell_gradients;
  };

  double operations_per_row() const override {
    return static_cast<double>(this->in().positions) *
           (6.0 * static_cast<double>(this->weights()) + 100.0 * static_cast<double>(width_));
  }
  std::size_t numbers_per_row() const override { return (this->in().positions * 11 + 3) * width_; }
  std::unique_ptr<LayerPacked> make_packed() const override {
    return std::make_unique<Packed>(this->in().channels, width_);
  }
  std::unique_ptr<LayerPass> make_pass(std::size_t most_rows) const override {
    return std::make_unique<Pass>(most_rows, this->in().positions, width_);
  }
  void pack(const Real* weights, LayerPacked* packed) const override {
    auto& to = *static_cast<Packed*>(packed);
    const std::size_t in = this->in().channels;
    to.input.pack(weights, 1, in);
    to.input_back.pack(weights, in, 1);
    to.hidden.pack(weights + hidden_, 1, width_);
    to.hidden_back.pack(weights + hidden_, width_, 1);
    std::copy_n(weights + bias_, gates_, to.bias.get());
  }

  void forward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow, RandomWords*) const override {
    const auto& by = *static_cast<const Packed*>(packed);
    auto& kept = *static_cast<Pass*>(pass);
    const std::size_t positions = this->in().positions;
    multiply_rows(flow.x, flow.rows * positions, this->in().channels, by.input, by.bias.get(), kept.gates.get());
    for (std::size_t t = 0; t < positions; ++t) {
      if (t > 0)
        multiply_rows(RowProduct<Real>{.x = kept.states.get() + t * width_,
                                       .rows = flow.rows,
                                       .row_stride = (positions + 1) * width_,
                                       .panels = by.hidden.panels.get(),
                                       .depth = width_,
                                       .columns = gates_,
                                       .add = true,
                                       .y = kept.gates.get() + t * gates_,
                                       .y_stride = positions * gates_});
      for (std::size_t row = 0; row < flow.rows; ++row) {
        const std::size_t place = row * positions + t;
        Real* const cell = kept.cells.get() + place * width_;
        Real* const hidden = kept.states.get() + (row * (positions + 1) + t + 1) * width_;
        step_cell(CellStep<Real>{.width = width_,
                                 .gates = kept.gates.get() + place * gates_,
                                 .before = t == 0 ? nullptr : cell - width_,
                                 .cell = cell,
                                 .cell_tanh = kept.cell_tanhs.get() + place * width_,
                                 .hidden = hidden});
        std::copy_n(hidden, width_, flow.y + place * width_);
      }
    }
  }

  void backward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow) const override {
    const auto& by = *static_cast<const Packed*>(packed);
    auto& kept = *static_cast<Pass*>(pass);
    const std::size_t positions = this->in().positions;
    std::fill_n(kept.cell_gradients.get(), flow.rows * width_, Real{0});
    for (std::size_t t = positions; t-- > 0;) {
      for (std::size_t row = 0; row < flow.rows; ++row)
        std::copy_n(flow.y_gradients + (row * positions + t) * width_, width_,
                    kept.hidden_gradients.get() + row * width_);
      if (t + 1 < positions)
        multiply_rows(RowProduct<Real>{.x = kept.gate_gradients.get() + (t + 1) * gates_,
                                       .rows = flow.rows,
                                       .row_stride = positions * gates_,
                                       .panels = by.hidden_back.panels.get(),
                                       .depth = gates_,
                                       .columns = width_,
                                       .add = true,
                                       .y = kept.hidden_gradients.get(),
                                       .y_stride = width_});
      for (std::size_t row = 0; row < flow.rows; ++row) {
        const std::size_t place = row * positions + t;
        pass_back(CellGradients<Real>{.width = width_,
                                      .gates = kept.gates.get() + place * gates_,
                                      .before = t == 0 ? nullptr : kept.cells.get() + (place - 1) * width_,
                                      .cell_tanh = kept.cell_tanhs.get() + place * width_,
                                      .hidden_gradients = kept.hidden_gradients.get() + row * width_,
                                      .cell_gradients = kept.cell_gradients.get() + row * width_,
                                      .gate_gradients = kept.gate_gradients.get() + place * gates_});
      }
    }
    if (flow.x_gradients != nullptr)
      multiply_rows(kept.gate_gradients.get(), flow.rows * positions, gates_, by.input_back,
                    static_cast<const Real*>(nullptr), flow.x_gradients);
  }

  void add_squared_norms(LayerPass* pass, const Flow<Real>& flow, const NormRequest& request, Scratch& scratch,
                         std::span<double> squared) const override {
    internal::add_squared_norms(factors(pass, flow), request.units, request.mode, nullptr, scratch, squared);
  }
  void add_gradients(LayerPass* pass, const Flow<Real>& flow, const Units& units, std::span<const double> weights,
                     Scratch& scratch, double* sum) const override {
    add_weighted_gradients(factors(pass, flow), units, weights, scratch,
                           {.weight = sum, .weight2 = sum + hidden_, .bias = sum + bias_});
  }

 private:
  /// a = (x_t, h_(t-1)), b = the gradients by the gates.
  [[nodiscard]] Factors<Real> factors(LayerPass* pass, const Flow<Real>& flow) const {
    auto& kept = *static_cast<Pass*>(pass);
    const std::size_t positions = this->in().positions;
    return {.a = {flow.x, this->in().size(), this->in().channels, this->in().channels},
            .a2 = {kept.states.get(), (positions + 1) * width_, width_, width_},
            .b = {kept.gate_gradients.get(), positions * gates_, gates_, gates_},
            .positions = positions,
            .has_bias = true};
  }

  std::size_t width_;
  std::size_t gates_;
  std::size_t hidden_ = 0;
  std::size_t bias_ = 0;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_lstm(const LayerSpec& spec, Shape in, const std::string& name) {
  constexpr std::size_t kMostWidth = std::size_t{1} << 13;  // 4 x width x width weights
  GAUZE_TRY_VOID(check_channels(spec, in, name));
  if (spec.out == 0 || spec.out > kMostWidth)
    return unfit_layer(spec, name, "has from 1 to {} outputs, not {}", kMostWidth, spec.out);
  return std::make_unique<LstmLayer<Real>>(spec, in, name);
}

template MadeLayer<float> make_lstm<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_lstm<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
