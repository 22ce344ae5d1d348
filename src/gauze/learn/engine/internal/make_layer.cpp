#include "gauze/learn/engine/internal/layer.h"

namespace gauze::learn::internal {

Result<void> check_channels(const LayerSpec& spec, const Shape& in, const std::string& name) {
  if (spec.in != in.channels) return unfit_layer(spec, name, "takes {} channels, but gets {}", spec.in, in.channels);
  return {};
}

template <class Real>
MadeLayer<Real> make_layer(const LayerSpec& spec, Shape in, const std::string& name) {
  switch (spec.kind) {
    case LayerKind::linear:
      return make_linear<Real>(spec, in, name);
    case LayerKind::relu:
    case LayerKind::gelu:
    case LayerKind::tanh:
    case LayerKind::sigmoid:
      return make_activation<Real>(spec, in, name);
    case LayerKind::dropout:
      return make_dropout<Real>(spec, in, name);
    case LayerKind::flatten:
      return make_flatten<Real>(spec, in, name);
    default:
      return unfit_layer(spec, name, "is not known");
  }
}

template MadeLayer<float> make_layer<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_layer<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
