#include "gauze/learn/engine/internal/layer.h"
#include "gauze/learn/engine/internal/linear_map.h"

namespace gauze::learn::internal {
namespace {

/// At every position y = W x + bias.
template <class Real>
class LinearLayer final : public Layer<Real> {
 public:
  LinearLayer(const LayerSpec& spec, Shape in, const std::string& name)
      : Layer<Real>(in, {in.positions, spec.out}), map_(spec.in, spec.out) {
    this->add_tensor({.name = name + ".weight", .shape = {spec.out, spec.in}, .fan_in = spec.in});
    this->add_tensor({.name = name + ".bias", .shape = {spec.out}});
  }

  struct Packed final : LayerPacked {
    explicit Packed(const LinearMap<Real>& map) : maps(map) {}
    typename LinearMap<Real>::Packed maps;
  };

  double operations_per_row() const override { return map_.operations(this->in().positions); }
  std::unique_ptr<LayerPacked> make_packed() const override { return std::make_unique<Packed>(map_); }
  void pack(const Real* weights, LayerPacked* packed) const override { map_.pack(weights, maps(packed)); }

  void forward(const LayerPacked* packed, LayerPass*, const Flow<Real>& flow, RandomWords*) const override {
    map_.forward(maps(packed), flow.x, flow.rows * this->in().positions, flow.y);
  }
  void backward(const LayerPacked* packed, LayerPass*, const Flow<Real>& flow) const override {
    if (flow.x_gradients == nullptr) return;
    map_.backward(maps(packed), flow.y_gradients, flow.rows * this->in().positions, flow.x_gradients);
  }
  void add_squared_norms(LayerPass*, const Flow<Real>& flow, const NormRequest& request, Scratch& scratch,
                         std::span<double> squared) const override {
    internal::add_squared_norms(map_.factors(flow.x, flow.y_gradients, this->in().positions), request.units,
                                request.mode, request.input_scales, scratch, squared);
  }
  void add_gradients(LayerPass*, const Flow<Real>& flow, const Units& units, std::span<const double> factors,
                     Scratch& scratch, double* sum) const override {
    map_.add_gradients(flow.x, flow.y_gradients, this->in().positions, units, factors, scratch, sum);
  }

 private:
  static typename LinearMap<Real>::Packed& maps(LayerPacked* packed) { return static_cast<Packed*>(packed)->maps; }
  static const typename LinearMap<Real>::Packed& maps(const LayerPacked* packed) {
    return static_cast<const Packed*>(packed)->maps;
  }

  LinearMap<Real> map_;
};

}  // namespace

template <class Real>
MadeLayer<Real> make_linear(const LayerSpec& spec, Shape in, const std::string& name) {
  GAUZE_TRY_VOID(check_channels(spec, in, name));
  if (spec.out == 0) return unfit_layer(spec, name, "has no outputs");
  return std::make_unique<LinearLayer<Real>>(spec, in, name);
}

template MadeLayer<float> make_linear<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_linear<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
