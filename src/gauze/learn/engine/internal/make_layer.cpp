#include "gauze/learn/engine/internal/layer.h"

namespace gauze::learn::internal {

Result<void> check_channels(const LayerSpec& spec, const Shape& in, const std::string& name) {
  if (spec.in != in.channels) return unfit_layer(spec, name, "takes {} channels, but gets {}", spec.in, in.channels);
  return {};
}

template <class Real>
MadeLayer<Real> make_layer(const LayerSpec& spec, Shape in, const std::string& name) {
  // Products of two sizes stay far within 64 bits, whatever a file says.
  for (const std::size_t size : {spec.in, spec.out, spec.kernel, spec.padding, spec.heads, spec.positions}) {
    if (size > kMostNumbers) return unfit_layer(spec, name, "has sizes of at most 2^26, not {}", size);
  }
  switch (spec.kind) {
    case LayerKind::relu:
    case LayerKind::gelu:
    case LayerKind::tanh:
    case LayerKind::sigmoid:
      return make_activation<Real>(spec, in, name);
    case LayerKind::attention:
      return make_attention<Real>(spec, in, name);
    case LayerKind::conv1d:
      return make_conv1d<Real>(spec, in, name);
    case LayerKind::dropout:
      return make_dropout<Real>(spec, in, name);
    case LayerKind::flatten:
      return make_flatten<Real>(spec, in, name);
    case LayerKind::last:
      return make_last<Real>(spec, in, name);
    case LayerKind::layer_norm:
      return make_layer_norm<Real>(spec, in, name);
    case LayerKind::linear:
      return make_linear<Real>(spec, in, name);
    case LayerKind::lstm:
      return make_lstm<Real>(spec, in, name);
    case LayerKind::max_pool:
      return make_max_pool<Real>(spec, in, name);
    case LayerKind::mean_pool:
      return make_mean_pool<Real>(spec, in, name);
    case LayerKind::reshape:
      return make_reshape<Real>(spec, in, name);
    case LayerKind::residual:
      return make_residual<Real>(spec, in, name);
    case LayerKind::tokens:
      return make_tokens<Real>(spec, in, name);
  }
  return unfit_layer(spec, name, "is not known");
}

template MadeLayer<float> make_layer<float>(const LayerSpec&, Shape, const std::string&);
template MadeLayer<double> make_layer<double>(const LayerSpec&, Shape, const std::string&);

}  // namespace gauze::learn::internal
