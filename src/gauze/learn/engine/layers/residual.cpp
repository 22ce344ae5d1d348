#include <algorithm>

#include "gauze/learn/engine/internal/activations.h"
#include "gauze/learn/engine/internal/chain.h"

namespace gauze::learn::internal {
namespace {

/// x + inner(x)
template <class Real>
class ResidualLayer final : public Layer<Real> {
 public:
  explicit ResidualLayer(Chain<Real> inner) : Layer<Real>(inner.in(), inner.out()), inner_(std::move(inner)) {
    for (std::size_t l = 0; l < inner_.layers().size(); ++l)
      for (const WeightTensor& tensor : inner_.layers()[l]->tensors()) this->add_tensor(tensor);
  }

  struct Packed final : LayerPacked {
    typename Chain<Real>::Packed inner;
  };
  struct Pass final : LayerPass {
    typename Chain<Real>::Pass inner;
  };

  std::size_t positions_of_weights() const override { return inner_.positions_of_weights(); }
  double operations_per_row() const override {
    return inner_.operations_per_row() + 2 * static_cast<double>(this->in().size());
  }
  std::size_t numbers_per_row() const override { return inner_.numbers_per_row(); }
  std::unique_ptr<LayerPacked> make_packed() const override {
    auto packed = std::make_unique<Packed>();
    packed->inner = inner_.make_packed();
    return packed;
  }
  std::unique_ptr<LayerPass> make_pass(std::size_t most_rows) const override {
    auto pass = std::make_unique<Pass>();
    pass->inner = inner_.make_pass(most_rows);
    return pass;
  }
  void pack(const Real* weights, LayerPacked* packed) const override {
    inner_.pack(weights, static_cast<Packed*>(packed)->inner);
  }

  void forward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow,
               RandomWords* masks) const override {
    const std::size_t size = flow.rows * this->in().size();
    inner_.forward(static_cast<const Packed*>(packed)->inner, inner(pass), flow.x, flow.rows, masks);
    std::copy_n(inner_.out_rows(inner(pass)), size, flow.y);
    add_numbers(flow.x, size, flow.y);
  }
  void backward(const LayerPacked* packed, LayerPass* pass, const Flow<Real>& flow) const override {
    const std::size_t size = flow.rows * this->in().size();
    std::copy_n(flow.y_gradients, size, inner_.out_gradients(inner(pass)));
    inner_.backward(static_cast<const Packed*>(packed)->inner, inner(pass), flow.x, flow.rows, flow.x_gradients);
    if (flow.x_gradients != nullptr) add_numbers(flow.y_gradients, size, flow.x_gradients);
  }
  void add_squared_norms(LayerPass* pass, const Flow<Real>& flow, const NormRequest& request, Scratch& scratch,
                         std::span<double> squared) const override {
    inner_.add_squared_norms(inner(pass), flow.x, request, scratch, squared);
  }
  void add_gradients(LayerPass* pass, const Flow<Real>& flow, const Units& units, std::span<const double> factors,
                     Scratch& scratch, double* sum) const override {
    inner_.add_gradients(inner(pass), flow.x, units, factors, scratch, sum);
  }

 private:
  static typename Chain<Real>::Pass& inner(LayerPass* pass) { return static_cast<Pass*>(pass)->inner; }

  Chain<Real> inner_;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_residual(const LayerSpec& spec, Shape in, const std::string& name) {
  if (spec.inner.empty()) return unfit_layer(spec, name, "has no layers inside");
  GAUZE_TRY(auto inner, Chain<Real>::make(spec.inner, in, name + ".inner."));
  if (inner.out() != in)
    return unfit_layer(spec, name, "adds {} x {} numbers to the {} x {} that it gets", inner.out().positions,
                       inner.out().channels, in.positions, in.channels);
  return std::make_unique<ResidualLayer<Real>>(std::move(inner));
}

template MadeLayer<float> make_residual<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_residual<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
