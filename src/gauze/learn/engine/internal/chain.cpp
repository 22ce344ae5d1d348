#include "gauze/learn/engine/internal/chain.h"

#include <algorithm>

namespace gauze::learn::internal {

template <class Real>
Result<Chain<Real>> Chain<Real>::make(const std::vector<LayerSpec>& specs, Shape in, const std::string& name) {
  std::size_t kept = in.size();
  Chain chain;
  chain.in_ = in;
  chain.offsets_ = {0};
  for (std::size_t l = 0; l < specs.size(); ++l) {
    GAUZE_TRY(auto layer, make_layer<Real>(specs[l], chain.out(), fmt::format("{}{}", name, l)));
    if (layer->weights() > kMostNumbers - chain.weights())
      return invalid_parameter("a network has at most 2^26 weights; layer {}{} brings it to more", name, l);
    kept += 2 * layer->out().size() + layer->numbers_per_row();
    if (kept > kMostNumbers)
      return invalid_parameter("a network keeps at most 2^26 numbers of a row; layer {}{} brings it to more", name,
                               l);
    chain.offsets_.push_back(chain.weights() + layer->weights());
    chain.layers_.push_back(std::move(layer));
  }
  return chain;
}

template <class Real>
std::size_t Chain<Real>::positions_of_weights() const {
  std::size_t most = 0;
  for (const auto& layer : layers_) most = std::max(most, layer->positions_of_weights());
  return most;
}

template <class Real>
double Chain<Real>::operations_per_row() const {
  double sum = 0;
  for (const auto& layer : layers_) sum += layer->operations_per_row();
  return sum;
}

template <class Real>
std::size_t Chain<Real>::numbers_per_row() const {
  std::size_t sum = 0;
  for (const auto& layer : layers_) sum += 2 * layer->out().size() + layer->numbers_per_row();
  return sum;
}

template <class Real>
typename Chain<Real>::Packed Chain<Real>::make_packed() const {
  Packed packed;
  for (const auto& layer : layers_) packed.layers.push_back(layer->make_packed());
  return packed;
}

template <class Real>
void Chain<Real>::pack(const Real* weights, Packed& packed) const {
  for (std::size_t l = 0; l < layers_.size(); ++l) layers_[l]->pack(weights + offsets_[l], packed.layers[l].get());
}

template <class Real>
typename Chain<Real>::Pass Chain<Real>::make_pass(std::size_t most_rows) const {
  Pass pass;
  for (const auto& layer : layers_) {
    pass.layers.push_back(layer->make_pass(most_rows));
    pass.rows.emplace_back(most_rows * layer->out().size());
    pass.gradients.emplace_back(most_rows * layer->out().size());
  }
  return pass;
}

template <class Real>
Flow<Real> Chain<Real>::flow(Pass& pass, std::size_t layer, const Real* x, std::size_t rows) const {
  return {.rows = rows,
          .x = layer == 0 ? x : pass.rows[layer - 1].get(),
          .y = pass.rows[layer].get(),
          .y_gradients = pass.gradients[layer].get(),
          .x_gradients = layer == 0 ? nullptr : pass.gradients[layer - 1].get()};
}

template <class Real>
void Chain<Real>::forward(const Packed& packed, Pass& pass, const Real* x, std::size_t rows,
                          RandomWords* masks) const {
  for (std::size_t l = 0; l < layers_.size(); ++l)
    layers_[l]->forward(packed.layers[l].get(), pass.layers[l].get(), flow(pass, l, x, rows), masks);
}

template <class Real>
void Chain<Real>::backward(const Packed& packed, Pass& pass, const Real* x, std::size_t rows,
                           Real* x_gradients) const {
  for (std::size_t l = layers_.size(); l-- > 0;) {
    Flow<Real> here = flow(pass, l, x, rows);
    if (l == 0) here.x_gradients = x_gradients;
    // Before the first weights nobody asks for a gradient.
    if (x_gradients == nullptr && offsets_[l] == 0) here.x_gradients = nullptr;
    if (here.x_gradients == nullptr && layers_[l]->weights() == 0) break;
    layers_[l]->backward(packed.layers[l].get(), pass.layers[l].get(), here);
  }
}

template <class Real>
void Chain<Real>::add_squared_norms(Pass& pass, const Real* x, const NormRequest& request, Scratch& scratch,
                                    std::span<double> squared) const {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    if (layers_[l]->weights() == 0) continue;
    NormRequest here = request;
    if (l > 0) here.input_scales = nullptr;
    layers_[l]->add_squared_norms(pass.layers[l].get(), flow(pass, l, x, request.units.rows()), here, scratch,
                                  squared);
  }
}

template <class Real>
void Chain<Real>::add_gradients(Pass& pass, const Real* x, const Units& units, std::span<const double> factors,
                                Scratch& scratch, double* sum) const {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    if (layers_[l]->weights() == 0) continue;
    layers_[l]->add_gradients(pass.layers[l].get(), flow(pass, l, x, units.rows()), units, factors, scratch,
                              sum + offsets_[l]);
  }
}

template class Chain<float>;
template class Chain<double>;

}  // namespace gauze::learn::internal
