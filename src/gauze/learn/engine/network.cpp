#include "gauze/learn/engine/network.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "gauze/learn/engine/internal/chain.h"

namespace gauze::learn {

using internal::Chain;

std::size_t WeightTensor::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

template <class Real>
class Network<Real>::Parts {
 public:
  std::vector<LayerSpec> specs;
  Chain<Real> chain;
  std::vector<WeightTensor> tensors;
};

template <class Real>
struct Network<Real>::Packed::Parts {
  typename Chain<Real>::Packed chain;
};
template <class Real>
Network<Real>::Packed::Packed(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
template <class Real>
Network<Real>::Packed::~Packed() = default;

template <class Real>
struct Network<Real>::Pass::Parts {
  std::size_t most_rows = 0;
  typename Chain<Real>::Pass chain;
  internal::Buffer<Real> inputs;
  internal::Scratch scratch;
  internal::Buffer<double> input_scales;
};
template <class Real>
Network<Real>::Pass::Pass(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
template <class Real>
Network<Real>::Pass::~Pass() = default;

template <class Real>
Network<Real>::Network(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
template <class Real>
Network<Real>::Network(Network&&) noexcept = default;
template <class Real>
Network<Real>& Network<Real>::operator=(Network&&) noexcept = default;
template <class Real>
Network<Real>::~Network() = default;

template <class Real>
Result<Network<Real>> Network<Real>::make(std::vector<LayerSpec> layers, std::size_t inputs) {
  if (inputs == 0) return invalid_parameter("a network needs at least one input");
  if (inputs > internal::kMostNumbers) return invalid_parameter("a network has at most 2^26 inputs, not {}", inputs);
  if (layers.empty()) return invalid_parameter("a network needs at least one layer");
  GAUZE_TRY(auto chain, Chain<Real>::make(layers, {1, inputs}, ""));
  if (chain.out().positions != 1)
    return invalid_parameter(
        "a network ends with one position, but its last layer leaves {}; add flatten, last or mean_pool",
        chain.out().positions);
  auto parts = std::make_unique<Parts>(std::move(layers), std::move(chain), std::vector<WeightTensor>{});
  const bool one_input_a_weight =
      parts->specs.front().kind == LayerKind::linear || parts->specs.front().kind == LayerKind::tokens;
  for (std::size_t l = 0; l < parts->chain.layers().size(); ++l) {
    for (WeightTensor tensor : parts->chain.layers()[l]->tensors()) {
      tensor.offset += parts->chain.offset(l);
      tensor.leaves_input = one_input_a_weight && l == 0 && tensor.offset == 0;
      parts->tensors.push_back(std::move(tensor));
    }
  }
  return Network(std::move(parts));
}

template <class Real>
const std::vector<LayerSpec>& Network<Real>::layers() const {
  return parts_->specs;
}
template <class Real>
const std::vector<WeightTensor>& Network<Real>::tensors() const {
  return parts_->tensors;
}
template <class Real>
std::size_t Network<Real>::weights() const {
  return parts_->chain.weights();
}
template <class Real>
std::size_t Network<Real>::inputs() const {
  return parts_->chain.in().size();
}
template <class Real>
std::size_t Network<Real>::outputs() const {
  return parts_->chain.out().size();
}
template <class Real>
std::size_t Network<Real>::most_positions() const {
  return std::max<std::size_t>(1, parts_->chain.positions_of_weights());
}
template <class Real>
double Network<Real>::operations_per_row() const {
  return parts_->chain.operations_per_row();
}
template <class Real>
std::size_t Network<Real>::bytes_per_row() const {
  constexpr std::size_t kNorms = 2;  // of both factors, for each position
  return (inputs() + parts_->chain.numbers_per_row()) * sizeof(Real) + kNorms * most_positions() * sizeof(double);
}

template <class Real>
std::unique_ptr<typename Network<Real>::Packed> Network<Real>::make_packed() const {
  return std::unique_ptr<Packed>(new Packed(std::make_unique<typename Packed::Parts>(parts_->chain.make_packed())));
}

template <class Real>
void Network<Real>::pack(std::span<const Real> weights, Packed& packed) const {
  GAUZE_CHECK(weights.size() == this->weights());
  parts_->chain.pack(weights.data(), packed.parts_->chain);
}

template <class Real>
std::unique_ptr<typename Network<Real>::Pass> Network<Real>::make_pass(std::size_t most_rows) const {
  auto pass = std::make_unique<typename Pass::Parts>();
  pass->most_rows = most_rows;
  pass->chain = parts_->chain.make_pass(most_rows);
  pass->inputs.at_least(most_rows * inputs());
  return std::unique_ptr<Pass>(new Pass(std::move(pass)));
}

template <class Real>
std::span<Real> Network<Real>::inputs_of(Pass& pass, std::size_t rows) const {
  GAUZE_CHECK(rows <= pass.parts_->most_rows);
  return {pass.parts_->inputs.get(), rows * inputs()};
}

template <class Real>
std::span<const Real> Network<Real>::outputs_of(const Pass& pass, std::size_t rows) const {
  GAUZE_CHECK(rows <= pass.parts_->most_rows);
  return {pass.parts_->chain.rows.back().get(), rows * outputs()};
}

template <class Real>
std::span<Real> Network<Real>::output_gradients_of(Pass& pass, std::size_t rows) const {
  GAUZE_CHECK(rows <= pass.parts_->most_rows);
  return {pass.parts_->chain.gradients.back().get(), rows * outputs()};
}

template <class Real>
void Network<Real>::forward(const Packed& packed, Pass& pass, std::size_t rows, RandomWords* masks) const {
  GAUZE_CHECK(rows <= pass.parts_->most_rows);
  parts_->chain.forward(packed.parts_->chain, pass.parts_->chain, pass.parts_->inputs.get(), rows, masks);
}

template <class Real>
void Network<Real>::backward(const Packed& packed, Pass& pass, std::size_t rows) const {
  GAUZE_CHECK(rows <= pass.parts_->most_rows);
  parts_->chain.backward(packed.parts_->chain, pass.parts_->chain, pass.parts_->inputs.get(), rows, nullptr);
}

template <class Real>
void Network<Real>::squared_norms(Pass& pass, std::span<const std::uint32_t> unit_ends, NormMode mode,
                                  std::span<const double> input_scales, std::span<double> squared) const {
  const internal::Units units{unit_ends};
  GAUZE_CHECK(units.rows() <= pass.parts_->most_rows && squared.size() == units.size());
  const double* scales = nullptr;
  if (!input_scales.empty()) {
    GAUZE_CHECK(input_scales.size() == inputs() && parts_->tensors.front().leaves_input);
    double* const inverses = pass.parts_->input_scales.at_least(inputs());
    for (std::size_t j = 0; j < inputs(); ++j) inverses[j] = 1 / input_scales[j];
    scales = inverses;
  }
  std::fill(squared.begin(), squared.end(), 0.0);
  parts_->chain.add_squared_norms(pass.parts_->chain, pass.parts_->inputs.get(), {units, mode, scales},
                                  pass.parts_->scratch, squared);
}

template <class Real>
void Network<Real>::add_gradients(Pass& pass, std::span<const std::uint32_t> unit_ends,
                                  std::span<const double> factors, std::span<double> sum) const {
  const internal::Units units{unit_ends};
  GAUZE_CHECK(units.rows() <= pass.parts_->most_rows && factors.size() == units.size() && sum.size() == weights());
  if (units.rows() == 0) return;
  parts_->chain.add_gradients(pass.parts_->chain, pass.parts_->inputs.get(), units, factors, pass.parts_->scratch,
                              sum.data());
}

template <class Real>
Result<std::vector<std::int32_t>> Network<Real>::input_of_weights() const {
  if (parts_->tensors.empty() || !parts_->tensors.front().leaves_input)
    return invalid_parameter(
        "scales by input need a first layer whose weights have one input each, linear or tokens; this one is {}",
        word_of(kLayerWords, parts_->specs.front().kind));
  const WeightTensor& first = parts_->tensors.front();
  const bool by_row = parts_->specs.front().kind == LayerKind::tokens;  // [inputs, width]; linear is [out, in]
  std::vector<std::int32_t> inputs_of(weights(), -1);
  for (std::size_t i = 0; i < first.size(); ++i)
    inputs_of[i] = static_cast<std::int32_t>(by_row ? i / first.shape[1] : i % first.shape[1]);
  return inputs_of;
}

template class Network<float>;
template class Network<double>;

}  // namespace gauze::learn
